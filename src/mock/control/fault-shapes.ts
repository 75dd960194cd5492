// What the control API answers of a fault, and what releases it.
import { array, boolean, closed, integer, map, number, object, string, time } from '../../service/contract/schema.ts';

export const FaultShape = object(
  {
    id: string(),
    match: map('The requests or events that it applies to.'),
    effect: map('What it does to them.'),
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
        request: integer({ description: 'The number of the request, which `release` takes.' }),
        method: string(),
        path: string(),
        since: time('When the request arrived.'),
      }),
      { description: 'The requests whose responses it holds.' },
    ),
  },
);
export const ReleaseFault = closed(
  {},
  { request: integer({ minimum: 1, description: 'A number from `holding`; by default, all of them.' }) },
);
