// The worker of a hosted mock: the one file that imports the engine. `wm-mock init --hosted` writes what runs it.
import { DurableObject } from 'cloudflare:workers';
import { door } from './door.ts';
import { objectsOn } from './objects.ts';

export const { WorldObject, OriginObject, DirectoryObject } = objectsOn(DurableObject);
export default { fetch: door };
