// Faults in every world of a mock, whenever it is made or goes back: whoever asks meets them.
import { rawPath } from '../http/app.ts';
import type { App } from '../mock/mock.ts';
import type { FaultDraft } from '../world/fault-draft.ts';

const worldOf = (path: string): string => /^\/worlds\/[^/]+/.exec(path)?.[0] ?? '';

/** After these a world has no faults any more, or is another one. */
const DISARMS = /\/_mock\/(reset|faults|snapshots\/[^/]+\/restore|worlds\/[^/]+)$/;

/** The same application with faults ordered in each world before the first request of it. */
export const armed = (app: App, faults: readonly FaultDraft[], token: () => string | undefined): App['fetch'] => {
  if (faults.length === 0) return app.fetch;
  const done = new Set<string>();
  const arm = async (world: string) => {
    if (done.has(world)) return;
    done.add(world);
    const secret = token();
    const headers = { 'content-type': 'application/json', ...(secret === undefined ? {} : { 'x-wm-control-token': secret }) };
    for (const fault of faults) {
      await app.fetch(
        new Request(`http://127.0.0.1${world}/_mock/faults`, { method: 'POST', headers, body: JSON.stringify(fault) }),
      );
    }
  };
  return async (request, env) => {
    const path = rawPath(request.url);
    const world = worldOf(path);
    await arm(world);
    const response = await app.fetch(request, env);
    if (request.method === 'GET' || !path.includes('/_mock/')) return response;
    if (DISARMS.test(path)) done.delete(/\/worlds\/[^/]+$/.exec(path)?.[0] ?? world);
    if (path.endsWith('/_mock/worlds') && response.status === 201) {
      const made = (await response.clone().json()) as { readonly id: string };
      await arm(`/worlds/${made.id}`);
    }
    return response;
  };
};
