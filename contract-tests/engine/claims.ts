// Claims of what a response or a delivery must show, as data, which a script holds against repeated requests.
import { type Exchange, isRecord, objectIn } from './exchange.ts';

/** From the response down: `status`, `header` and its name, `body` and members. `*` is each item of a list, `{ id }` the one with that id. */
export type Path = readonly (string | number | { readonly id: string })[];

export type Operator =
  | 'equals'
  | 'differs'
  | 'in'
  | 'type'
  | 'matches'
  | 'some'
  | 'absent'
  | 'present'
  | 'has'
  | 'lacks'
  | 'unique'
  | 'ascending'
  | 'descending'
  | 'count'
  | 'least'
  | 'most'
  | 'more'
  | 'less'
  | 'near';

/** A value of a response of the run, by the number of its request. */
export interface Place {
  readonly call: number | readonly number[];
  readonly at: Path;
}

/** Which deliveries are meant: those of an event, about a record, to a registration, the nth of them. */
export interface Deliveries {
  readonly event?: string | undefined;
  readonly about?: string | undefined;
  readonly to?: string | undefined;
  readonly nth?: number | undefined;
}

export interface Claim {
  /** Numbers of the requests whose responses show it; or the deliveries that do. */
  readonly call?: Place['call'];
  readonly deliveries?: Deliveries;
  readonly at: Path;
  readonly op: Operator;
  /** The expected value: a constant, or what is in another place, or how many values are there. */
  readonly value?: unknown;
  readonly than?: Place & { readonly count?: true };
  /** How many seconds deliveries may take, where that is more than usual. */
  readonly within?: number;
  /** A claim that may hold in its place. */
  readonly or?: Claim;
  /** Statuses of a response that owes none of this. */
  readonly unless?: readonly number[];
}

/** The sides that a judgement compared: a member of that name should have been one value and was another. */
export interface Sides {
  readonly name: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** The material of claims. */
interface Shown {
  readonly expected?: string | undefined;
  readonly sides?: Sides | undefined;
  readonly claims?: readonly Claim[] | undefined;
  readonly exchanges: readonly Exchange[];
  readonly deliveries?: readonly unknown[] | undefined;
}

/** A claim on one response. */
export const claim = (x: Exchange, at: Path, op: Operator, value?: unknown): Claim => ({
  call: x.number,
  at,
  op,
  ...(value === undefined ? {} : { value }),
});

const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Where a field of a record is in a response. @param id absent: each row of a list */
export const fieldAt = (x: Exchange, name: string, id?: string): Path => {
  if (x.operation?.returns === 'list') return ['body', 'items', id === undefined ? '*' : { id }, name];
  return isRecord(x.json) && isRecord(x.json.data) ? ['body', 'data', name] : ['body', name];
};

/** The place of a member with that name and value, the outermost first. */
const placeOf = (x: Exchange, name: string, value: unknown): Path | undefined => {
  const open: { at: Path; json: unknown }[] = [{ at: ['body'], json: x.json }];
  for (let next = open.shift(); next; next = open.shift()) {
    const { at, json } = next;
    if (Array.isArray(json)) {
      const step = (item: unknown, i: number) => (isRecord(item) && typeof item.id === 'string' ? { id: item.id } : i);
      open.push(...json.slice(0, 200).map((item, i) => ({ at: [...at, step(item, i)], json: item as unknown })));
    } else if (isRecord(json)) {
      if (name in json && sameJson(json[name], value)) return [...at, name];
      open.push(...Object.entries(json).map(([key, inner]) => ({ at: [...at, key], json: inner })));
    }
  }
  return undefined;
};

/** A shorter text may be in many places. */
const MIN_TELLING_LENGTH = 6;

/** A value that the service made up is another in each run: it is where an earlier response showed it. */
const expectedIn = (earlier: readonly Exchange[], { name, expected }: Sides): Pick<Claim, 'value' | 'than'> => {
  if (typeof expected === 'string' && expected.length >= MIN_TELLING_LENGTH)
    for (const x of earlier) {
      const at = sameJson(objectIn(x.requestBody)[name], expected) ? undefined : placeOf(x, name, expected);
      if (at) return { than: { call: x.number, at } };
    }
  return { value: expected ?? null };
};

const STATUSES = /^\d{3}( or \d{3})*$/;

/** The claims that must hold for a finding. Without others, the last response must be another than it was. */
export const claimsOf = (found: Shown): readonly Claim[] => {
  const { claims, sides, expected = '', exchanges, deliveries } = found;
  if (claims) return claims;
  // A fault of a delivery shows in no response.
  if (deliveries) return [];
  const x = exchanges.at(-1);
  if (!x) return [];
  const call = x.number;
  if (sides) {
    const at = placeOf(x, sides.name, sides.got) ?? fieldAt(x, sides.name);
    return [{ call, at, op: 'equals', ...expectedIn(exchanges.slice(0, -1), sides) }];
  }
  if (STATUSES.test(expected)) return [{ call, at: ['status'], op: 'in', value: expected.split(' or ').map(Number) }];
  if (expected === 'success') return [{ call, at: ['status'], op: 'matches', value: '^2' }];
  return [{ call, at: ['status'], op: 'differs', value: x.status }];
};
