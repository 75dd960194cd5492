// A mock that behaves as flips ask for, and what is asked of it meanwhile.
import type { App, Mock } from '../../mock/api/mock.ts';
import type { MockOptions } from '../../mock/api/options.ts';
import { rawPath, WORLD_PREFIX } from '../../service/http/paths.ts';
import type { FaultDraft } from '../../service/world/fault-draft.ts';
import { type Flip, setRateWindows } from './flips.ts';
import { recordTraffic, type Traffic, type TrafficStep } from './traffic.ts';

const worldPrefix = (path: string): string => WORLD_PREFIX.exec(path)?.[0] ?? '';

/** Our faults would delay one that the command orders for itself. */
const OWN_FAULT = /\/_mock\/faults$/;

const CLEARS_FAULTS = /\/_mock\/(reset|faults|snapshots\/[^/]+\/restore|worlds\/[^/]+)$/;

/** Orders faults in each world before its first request, until the command orders one of its own. */
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

export type MockNote =
  | { readonly operation: string }
  | { readonly events: true }
  | { readonly place: number; readonly step: TrafficStep };

/** @param since milliseconds from any origin */
export const behaveAs = (
  mock: Mock,
  flips: readonly Pick<Flip, 'faults' | 'windowMs'>[],
  since: () => number,
  hear: (heard: MockNote) => void,
): void => {
  const app = mock.app as { fetch: Mock['app']['fetch'] };
  const plain = { ...mock.app, fetch: app.fetch };
  setRateWindows(mock.world, flips);
  mock.onRequest(({ operation }) => operation && hear({ operation }));
  mock.webhooks.onDelivery(() => hear({ events: true }));
  const faults = flips.flatMap((flip) => flip.faults);
  const fetch = orderFaults(plain, faults, () => mock.guard.token);
  app.fetch = recordTraffic({ ...plain, fetch }, since, (step, place) => hear({ place, step }));
};

export const collectTraffic = (options: MockOptions, heard: readonly MockNote[]): Traffic => {
  const steps: TrafficStep[] = [];
  const operations = new Set<string>();
  for (const one of heard) {
    if ('step' in one) steps[one.place] = one.step;
    if ('operation' in one) operations.add(one.operation);
  }
  return { options, steps: steps.filter(Boolean), operations: [...operations], events: heard.some((one) => 'events' in one) };
};
