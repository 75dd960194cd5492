// Notes how a target settles what the specification leaves open, wherever a response shows it.
import { type Exchange, errorOf, faultyFields, metaOf, records, succeeded } from '../engine/exchange.ts';
import { instant } from '../engine/shapes.ts';

/** Observations of open points in a response. */
export interface Observation {
  /** Values that were seen, by requirement. */
  readonly notes: readonly (readonly [requirement: string, value: string])[];
  /** Choices by open point of the document. */
  readonly choices: readonly (readonly [point: string, choice: string | undefined])[];
}

const challenge = (x: Exchange): Observation | undefined => {
  const bare = !Object.keys(x.requestHeaders).some((name) => name.toLowerCase() === 'authorization');
  if (x.as !== 'keyless' || x.status !== 401 || !bare || !('code' in errorOf(x))) return undefined;
  const header = x.headers.has('www-authenticate') ? 'present' : 'absent';
  const limit = x.headers.get('x-ratelimit-limit');
  const plan = limit === '300' ? 'pro' : limit === '60' ? 'free' : (limit ?? undefined);
  return {
    notes: [['WM-AUTH-014', header]],
    choices: [
      ['www-authenticate', header],
      ['anonymous-limit', plan],
    ],
  };
};

/** Open points of lists: their order without one, and what limits beyond their bounds get. */
const limitOf = (x: Exchange): Observation | undefined => {
  const limit = /^limit=(\d+)$/.exec(x.query)?.[1];
  if (x.operation?.returns !== 'list' || limit === undefined) return undefined;
  const got = succeeded(x) ? 'clamped' : x.status === 400 || x.status === 422 ? 'refused' : undefined;
  const value = Number(limit);
  if (got === undefined || (value >= 1 && value <= 100)) return undefined;
  const taken = succeeded(x) ? `taken as ${String(metaOf(x).limit)}` : `refused with ${x.status}`;
  const [requirement, point] = value > 100 ? ['WM-LIST-021', 'limit-above-100'] : ['WM-LIST-022', 'limit-below-1'];
  return { notes: [[requirement!, taken]], choices: [[point!, got]] };
};

const defaultOrder = (x: Exchange): Observation | undefined => {
  if (x.operation?.id !== 'list_project_tasks' || !succeeded(x) || x.query !== '') return undefined;
  const times = records(x).map((row) => instant(row.created_at));
  const [head = Number.NaN, tail = Number.NaN] = [times[0], times.at(-1)];
  const order = head < tail ? 'oldest' : head > tail ? 'newest' : undefined;
  return { notes: [['WM-LIST-027', order ?? 'cannot be told']], choices: [['default-order', order]] };
};

const sortCode = (x: Exchange): Observation | undefined => {
  if (x.status !== 400 || !/^(filter\[project_id\]=[^&]*&)?sort=-?nonsense$/.test(x.query)) return undefined;
  const code = String(errorOf(x).code);
  return { notes: [['WM-SORT-012', code]], choices: [['unsupported-sort-code', code]] };
};

/** The result of a value that is not listed; of dates it may be something else. */
const valueFault = (x: Exchange): Observation | undefined => {
  if (!x.requestBody?.includes('"nonsense"') || x.requestBody.includes('due_date')) return undefined;
  const status = String(x.status);
  return { notes: [['WM-ERR-021', status]], choices: [['value-fault-status', status]] };
};

/** The response to a body with faults of structure and of length. */
const mixedFaults = (x: Exchange): Observation | undefined => {
  if (x.operation?.id !== 'create_task' || !x.requestBody?.startsWith('{"title":5,"description":"ww') || succeeded(x))
    return undefined;
  const count = faultyFields(x).length;
  const choice = x.status === 422 ? (count > 1 ? '422-all' : '422') : count > 1 ? '400-all' : '400-structural';
  return { notes: [['WM-ERR-025', `${x.status}, ${count} fields`]], choices: [['mixed-faults', choice]] };
};

const OBSERVERS: readonly ((x: Exchange) => Observation | undefined)[] = [
  challenge,
  limitOf,
  defaultOrder,
  sortCode,
  valueFault,
  mixedFaults,
];

interface OpenPointListener {
  readonly note: (requirement: string, value: string, x: Exchange) => void;
  readonly observe: (point: string, choice: string | undefined) => void;
  /** Which orders lists take: `tasks title`. */
  readonly sorts: Map<string, boolean>;
}

/** Tells what responses show; the same is told once. */
export class OpenPoints {
  readonly #listener: OpenPointListener;
  readonly #told = new Set<string>();
  /** Teams are listed whatever order is asked for. */
  #ignored = false;
  /** Where tasks without a date stand, by order. */
  readonly #nulls = new Map<string, 'first' | 'last'>();

  constructor(listener: OpenPointListener) {
    this.#listener = listener;
  }

  /** Which fields sort which list, and where tasks without a date stand then. */
  #sort(x: Exchange): void {
    const query = new URLSearchParams(x.query);
    const [sort, { operation }] = [query.get('sort'), x];
    const field = sort?.replace('-', '') ?? '';
    if (operation?.id === 'list_teams' && field === 'nonsense') this.#ignored = succeeded(x);
    if (operation?.returns !== 'list' || sort === null || !/^(title|due_date|created_at|updated_at)$/.test(field)) return;
    if (!succeeded(x) && (x.status !== 400 || query.size > (query.has('limit') ? 2 : 1))) return;
    const list = operation.id === 'list_project_tasks' ? 'tasks' : operation.id.replace('list_', '');
    const { sorts, observe } = this.#listener;
    for (const name of [list, operation.id])
      sorts.set(`${name} ${field}`, succeeded(x) || sorts.get(`${name} ${field}`) === true);
    this.#note('WM-SORT-009', `${list} by ${field}: ${x.status}`, x);
    if (operation.id === 'list_project_tasks' && field === 'due_date' && succeeded(x))
      this.#undated(sort, query.has('cursor'), x);
    if (list === 'teams') {
      const how = this.#ignored ? 'sort is ignored' : succeeded(x) ? `teams by ${field}` : 'sort is refused';
      this.#note('WM-SORT-026', how, x);
      if (this.#ignored) return;
    }
    const [title, byTeams] = [sorts.get('tasks title'), sorts.get('teams created_at')];
    if (title !== undefined && byTeams !== undefined)
      observe('sortable-fields', !title ? 'titleless' : byTeams ? 'fitting' : 'tasks');
  }

  #undated(sort: string, further: boolean, x: Exchange): void {
    const empty = records(x).map((row) => (row.due_date ?? null) === null);
    const ends = metaOf(x).has_more === false;
    if (!further && empty[0] && !empty.every(Boolean)) this.#nulls.set(sort, 'first');
    else if (ends && empty.at(-1) && this.#nulls.get(sort) === undefined) this.#nulls.set(sort, 'last');
    const [up, down] = [this.#nulls.get('due_date'), this.#nulls.get('-due_date')];
    const place = this.#nulls.get(sort);
    if (place !== undefined) this.#note('WM-SORT-010', `${place} for ${sort}`, x);
    if (up && down) this.#listener.observe('null-due-date', up === down ? up : up === 'last' ? 'largest' : 'smallest');
  }

  #note(requirement: string, value: string, x: Exchange): void {
    if (this.#told.has(`${requirement} ${value}`)) return;
    this.#told.add(`${requirement} ${value}`);
    this.#listener.note(requirement, value, x);
  }

  notice(x: Exchange): void {
    if (x.world !== undefined) return;
    this.#sort(x);
    for (const observe of OBSERVERS) {
      const seen = observe(x);
      for (const [requirement, value] of seen?.notes ?? []) this.#note(requirement, value, x);
      for (const [point, choice] of seen?.choices ?? []) this.#listener.observe(point, choice);
    }
  }
}
