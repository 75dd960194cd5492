// Faults of the rate limit: what some requests cost, and what Reset says when something is wrong.

import type { Call } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause } from '../faults/fault.ts';

const left = clause(323, 'requests left in the current window');
const reset = clause(324, 'when the window resets and the count returns to the full limit');

/** Some requests count twice. */
const twice = (service: Service, which: (call: Call) => boolean): void =>
  around(service, 'charge', (was, call) => {
    was(call);
    if (which(call) && !service.isOver(call)) service.counted(service.bucketOf(call)).push(service.now());
  });

export const faults = [
  left('sorted-lists-count-twice', 'a list with `sort` counts as two requests', (service) =>
    twice(service, ({ query }) => query.has('sort')),
  ),
  left('later-pages-count-twice', 'a request with `cursor` counts as two', (service) =>
    twice(service, ({ query }) => query.has('cursor')),
  ),
  left('long-bodies-count-twice', 'a body of more than 2,000 characters counts as two requests', (service) =>
    twice(service, ({ text }) => text.length > 2000),
  ),
  reset('reset-of-errors-is-now', 'X-RateLimit-Reset of an error other than 401 and 429 is the present time', (service) =>
    around(service, 'quotaHeaders', (was, call, answer) => ({
      ...was(call, answer),
      ...(answer.status >= 400 && answer.status !== 401 && answer.status !== 429
        ? { 'X-RateLimit-Reset': String(Math.ceil(service.now() / 1000)) }
        : {}),
    })),
  ),
  reset(
    'reset-moves-when-refused',
    'X-RateLimit-Reset of a 429 is a minute after that, though the window ends earlier',
    (service) =>
      around(service, 'quotaHeaders', (was, call, answer) => ({
        ...was(call, answer),
        ...(answer.status === 429 ? { 'X-RateLimit-Reset': String(Math.ceil(service.now() / 1000) + 60) } : {}),
      })),
    { style: 'b', needs: 'quota' },
  ),
];
