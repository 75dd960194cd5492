// What the control API answers of a fault, and what releases it.
import { array, boolean, closed, integer, map, number, object, string, time } from '../../service/contract/schema.ts';

export const Fault = object(
  {
    id: string(),
    match: map('Which requests.'),
    effect: map('What happens to them.'),
    seen: integer(),
    hits: integer(),
    held: integer(),
    released: boolean(),
  },
  {
    times: integer(),
    after: integer(),
    probability: number(),
    holding: array(
      object({
        request: integer({ description: 'Which of the requests that it struck; what `release` takes.' }),
        method: string(),
        path: string(),
        since: time('When it came.'),
      }),
      { description: 'The requests whose responses it keeps back.' },
    ),
  },
);
export const ReleaseFault = closed(
  {},
  { request: integer({ minimum: 1, description: 'One of `holding`; left out: all of them.' }) },
);
