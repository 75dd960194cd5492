// Faults in every world of a mock, whenever it is made or goes back: whoever asks meets them.

import type { App } from '../../mock/api/mock.ts';
import { rawPath, WORLD_PREFIX } from '../../service/http/app.ts';
import type { FaultDraft } from '../../service/world/fault-draft.ts';

const worldPrefix = (path: string): string => WORLD_PREFIX.exec(path)?.[0] ?? '';

/** A fault that the command orders for itself: it would wait behind ours, and what it is ordered for would not happen. */
const OWN_FAULT = /\/_mock\/faults$/;

/** After these a world has no faults any more, or is another one. */
const CLEARS_FAULTS = /\/_mock\/(reset|faults|snapshots\/[^/]+\/restore|worlds\/[^/]+)$/;

/** The same application with faults ordered in each world before the first request of it, until the command orders one of its own. */
export const orderFaults = (app: App, faults: readonly FaultDraft[], token: () => string | undefined): App['fetch'] => {
  if (faults.length === 0) return app.fetch;
  const done = new Map<string, readonly string[]>();
  const control = async (method: string, path: string, body?: string) => {
    const secret = token();
    const headers = { 'content-type': 'application/json', ...(secret === undefined ? {} : { 'x-wm-control-token': secret }) };
    return app.fetch(new Request(`http://127.0.0.1${path}`, { method, headers, ...(body !== undefined && { body }) }));
  };
  const arm = async (world: string) => {
    if (done.has(world)) return;
    const ids: string[] = [];
    done.set(world, ids);
    for (const fault of faults) {
      const ordered = await control('POST', `${world}/_mock/faults`, JSON.stringify(fault));
      if (ordered.ok) ids.push(((await ordered.json()) as { readonly id: string }).id);
    }
  };
  const disarm = async (world: string) => {
    for (const id of done.get(world) ?? []) await control('DELETE', `${world}/_mock/faults/${id}`);
    done.set(world, []);
  };
  return async (request, env) => {
    const path = rawPath(request.url);
    const world = worldPrefix(path);
    await arm(world);
    const response = await app.fetch(request, env);
    if (request.method === 'GET' || !path.includes('/_mock/')) return response;
    if (request.method === 'POST' && OWN_FAULT.test(path)) await disarm(world);
    else if (CLEARS_FAULTS.test(path)) done.delete(/\/worlds\/[^/]+$/.exec(path)?.[0] ?? world);
    if (path.endsWith('/_mock/worlds') && response.status === 201) {
      const made = (await response.clone().json()) as { readonly id: string };
      await arm(`/worlds/${made.id}`);
    }
    return response;
  };
};
