// Faults of deliveries: statuses that are answered rarely, and the same failure again and again.

import type { Delivery, Outcome } from '../../judge/reference/service/events.ts';
import { around, clause, memory } from '../faults/fault.ts';

const heard = { needs: 'receiver' } as const;
const acknowledged = clause(264, 'acknowledges with any `2xx` status within 10 seconds', heard);
const failed = clause(127, 'timeout, or status `3xx`, `4xx` or `5xx`', heard);
const again = clause(128, 'next retry after 2 minutes, 10 minutes, 30 minutes, 2 hours respectively', heard);

/** How often a delivery has just failed in the same way, one after the other. */
const repeats = () => {
  const runs = memory<Delivery, { outcome: Outcome; count: number }>();
  return (delivery: Delivery, outcome: Outcome): number => {
    const run = runs.get(delivery);
    const count = run?.outcome === outcome ? run.count + 1 : 1;
    runs.set(delivery, { outcome, count });
    return count;
  };
};

export const faults = [
  failed('unprocessable-is-final', 'a delivery that is answered 422 is not retried', (service) =>
    around(service, 'pauseAfter', (was, delivery, outcome) => (outcome === 422 ? undefined : was(delivery, outcome))),
  ),
  failed('not-modified-is-fine', 'a delivery that is answered 304 is not retried', (service) =>
    around(service, 'acknowledges', (was, outcome, delivery) => outcome === 304 || was(outcome, delivery)),
  ),
  acknowledged('partial-content-is-partial', 'an answer 206 or 207 does not acknowledge', (service) =>
    around(service, 'acknowledges', (was, outcome, delivery) => was(outcome, delivery) && outcome !== 206 && outcome !== 207),
  ),
  clause(127, 'retry 1 after 30 seconds', heard)(
    'request-timeout-repeated-at-once',
    'a delivery that is answered 408 is repeated after one second',
    (service) =>
      around(service, 'pauseAfter', (was, delivery, outcome) =>
        outcome === 408 && delivery.attempts === 1 ? 1000 : was(delivery, outcome),
      ),
  ),
  again(
    'same-failure-three-times',
    'a delivery that is answered with the same status three times in a row is given up',
    (service) => {
      const count = repeats();
      around(service, 'pauseAfter', (was, delivery, outcome) =>
        count(delivery, outcome) >= 3 && typeof outcome === 'number' ? undefined : was(delivery, outcome),
      );
    },
  ),
  again('three-timeouts-are-enough', 'a delivery that times out three times is given up', (service) => {
    const count = repeats();
    around(service, 'pauseAfter', (was, delivery, outcome) =>
      count(delivery, outcome) >= 3 && outcome === 'timeout' ? undefined : was(delivery, outcome),
    );
  }),
  again('pauses-begin-anew', 'when the failure becomes another after two alike, the pauses begin anew', (service) => {
    const count = repeats();
    const before = memory<Delivery, number>();
    around(service, 'pauseAfter', (was, delivery, outcome) => {
      const alike = before.get(delivery) ?? 0;
      const now = count(delivery, outcome);
      before.set(delivery, now);
      return alike >= 2 && now === 1 ? 30_000 : was(delivery, outcome);
    });
  }),
];
