// Tools for the faults of limit-headers.ts, quota.ts.
import type { Call } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause } from './fault.ts';

export const reset = clause(
  324,
  '| X-RateLimit-Reset | Unix timestamp (UTC) when the window resets and the count returns to the full limit |',
);

export const left = (service: Service, change: (value: number, call: Call) => number): void =>
  around(service, 'remaining', (was, call) => change(was(call), call));
