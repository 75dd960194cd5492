// A mock that behaves as flips ask for, and what is asked of it meanwhile.
import type { Mock } from '../../mock/api/mock.ts';
import type { MockOptions } from '../../mock/api/options.ts';
import { orderFaults } from './fault-orders.ts';
import { type Flip, setRateWindows } from './flips.ts';
import { recordTraffic, type Traffic, type TrafficStep } from './traffic.ts';

/** An operation was asked for, an event was sent, or a request came as the one at this place. */
export type MockNote =
  | { readonly operation: string }
  | { readonly events: true }
  | { readonly place: number; readonly step: TrafficStep };

/** Lets a mock behave as flips ask for that its options have not brought about. @param since milliseconds, of any beginning */
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

/** What was heard of one mock. */
export const collectTraffic = (options: MockOptions, heard: readonly MockNote[]): Traffic => {
  const steps: TrafficStep[] = [];
  const operations = new Set<string>();
  for (const one of heard) {
    if ('step' in one) steps[one.place] = one.step;
    if ('operation' in one) operations.add(one.operation);
  }
  return { options, steps: steps.filter(Boolean), operations: [...operations], events: heard.some((one) => 'events' in one) };
};
