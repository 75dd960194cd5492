// The worker of a hosted mock: the one file that imports the engine. `wm-mock init --hosted` writes what runs it.
import { DurableObject } from 'cloudflare:workers';
import { objectsOn } from './objects.ts';
import { routeRequest } from './worker.ts';

type Made = new (ctx: never, env: never) => object;
const made: Readonly<Record<'WorldObject' | 'OriginObject' | 'DirectoryObject', Made>> = objectsOn(DurableObject);
const worker: { fetch(request: Request, env: never): Promise<Response> } = { fetch: routeRequest };

export const { WorldObject, OriginObject, DirectoryObject } = made;
export default worker;
