// The whole list engine against filtering, sorting and slicing plain arrays, among writes, forks and restores; `.ci/nightly` asks 50,000 queries.
import { expect, test } from 'vitest';
import { createMock, type Mock } from '../../node/index.ts';
import { PRIORITIES, STATUSES } from '../contract/states.ts';

type Json = Readonly<Record<string, string | null>>;
interface Query {
  readonly project: string | undefined;
  readonly filters: Readonly<Record<string, string>>;
  readonly sort: string;
}
interface Turned {
  readonly turn: number;
  readonly record: Json;
}

/** Every record in a plain array; a list is a filter, a sort and a slice of all of them. */
class Naive {
  rows: readonly Turned[] = [];
  turn = 0;

  fork(): Naive {
    const copy = new Naive();
    [copy.rows, copy.turn] = [this.rows, this.turn];
    return copy;
  }

  add(record: Json): void {
    this.turn += 1;
    this.rows = [...this.rows, { turn: this.turn, record }];
  }

  change(id: string, patch: Json, now: string): Json {
    const before = this.rows.find(({ record }) => record.id === id)!.record;
    const same = Object.entries(patch).every(([field, value]) => before[field] === value);
    const record = same ? before : { ...before, ...patch, updated_at: now };
    this.rows = this.rows.map((row) => (row.record === before ? { ...row, record } : row));
    return record;
  }

  remove(gone: (record: Json) => boolean): void {
    this.rows = this.rows.filter(({ record }) => !gone(record));
  }

  /** @param after the last record of the page before, as it was then. */
  page({ project, filters, sort }: Query, limit: number, after?: Turned) {
    const [by, sign] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1];
    const order = (a: Turned, b: Turned): number => {
      const [x, y] = [a.record[by]!, b.record[by]!];
      if (x === y) return a.turn - b.turn;
      if (x === null || y === null) return x === null ? 1 : -1;
      return x < y ? -sign : sign;
    };
    const equal = [...Object.entries(filters), ...(project === undefined ? [] : [['project_id', project] as const])];
    const all = this.rows.filter(({ record }) => equal.every(([field, value]) => record[field] === value)).sort(order);
    const left = after ? all.filter((row) => order(row, after) > 0) : all;
    return { rows: left.slice(0, limit), total: all.length, more: left.length > limit };
  }
}

const QUERIES = Number(process.env.WM_LIST_QUERIES ?? 2000);
const MAX_RECORDS = 160;
const SORTS = ['created_at', 'due_date', 'title', 'updated_at'].flatMap((field) => [field, `-${field}`]);
const TITLES = ['Paint', 'paint', 'Sand', 'Élan', '漆', '😀 Oil', 'Zinc'];
const DATES = ['2025-02-01', '2025-02-02', '2025-02-03', '2030-01-01'].map((day) => `${day}T00:00:00.000Z`);
const PEOPLE = ['user_ada', 'user_bo'];

/** Numbers below a bound, a function of the seed alone (mulberry32). */
const diceOf = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) % below;
  };
};

const texts = new WeakMap<Json, string>();
const textOf = (record: Json): string => {
  const text = texts.get(record) ?? JSON.stringify(record);
  texts.set(record, text);
  return text;
};

interface Side {
  readonly mock: Mock;
  naive: Naive;
  next: { query: Query; cursor: string; after: Turned }[];
  /** State of a fork after a reset. */
  readonly origin?: Naive;
  saved?: { restore(): void; naive: Naive };
}

const compare = async (seed: number, queries: number): Promise<void> => {
  const dice = diceOf(seed);
  const pick = <T>(among: readonly T[]): T => among[dice(among.length)]!;
  const mock = await createMock({ seed: 'fixtures/tiny.yaml', plan: 'unlimited' });
  const headers = { ...mock.auth('admin'), 'content-type': 'application/json' };
  const call = async (on: Mock, method: string, path: string, body?: Json) => {
    const response = await on.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  };
  const dataOf = async (...asks: Parameters<typeof call>) => JSON.parse(await call(...asks)).data;

  const planted = new Naive();
  for (const { value } of mock.world.store.tasks.all()) planted.add(value as unknown as Json);
  const sides: Side[] = [{ mock, naive: planted.fork(), next: [] }];
  const projects = ['proj_one'];
  for (let i = 1; i < 4; i++) projects.push((await dataOf(mock, 'POST', '/projects', { name: `P${i}` })).id);
  sides[0]!.naive.turn += 3;

  let queryCount = 0;
  const ask = async (side: Side, query: Query, cursor?: string, after?: Turned): Promise<void> => {
    const limit = 1 + dice(dice(4) === 0 ? 100 : 8);
    const sorted = cursor === undefined || dice(2) === 0 ? [['sort', query.sort]] : [];
    const filtered = Object.entries(query.filters).map(([field, value]) => [`filter[${field}]`, value]);
    const asks = [...filtered, ...sorted, ['limit', `${limit}`], ...(cursor === undefined ? [] : [['cursor', cursor]])];
    const path = query.project === undefined ? '/tasks' : `/projects/${query.project}/tasks`;
    const url = `${path}?${new URLSearchParams(asks as string[][])}`;
    const text = await call(side.mock, 'GET', url);
    if (dice(4) === 0) expect(await call(side.mock, 'GET', url)).toBe(text);
    const wanted = side.naive.page(query, limit, after);
    const items = `{"items":[${wanted.rows.map(({ record }) => textOf(record)).join()}],"meta":`;
    const { next_cursor, ...meta } = JSON.parse(text.slice(text.lastIndexOf('"meta":') + 7, -1));
    const wantedMeta = { total: wanted.total, limit, has_more: wanted.more };
    const same = text.startsWith(items) && JSON.stringify(meta) === JSON.stringify(wantedMeta);
    if (!same || (next_cursor !== null) !== wanted.more)
      throw new Error(`${url}: ${text}, not ${items}${JSON.stringify(wantedMeta)}`);
    queryCount += 1;
    if (!wanted.more) return;
    const page = { query, cursor: next_cursor as string, after: wanted.rows.at(-1)! };
    if (dice(3) === 0) side.next.push(page);
    else await ask(side, query, page.cursor, page.after);
  };

  const draft = (): Json => ({
    title: pick(TITLES),
    due_date: dice(3) === 0 ? null : pick(DATES),
    assignee_id: dice(4) === 0 ? null : pick(PEOPLE),
    priority: pick(PRIORITIES),
    status: pick(STATUSES),
  });
  const write = async (side: Side): Promise<void> => {
    const { mock: on, naive } = side;
    const known = naive.rows.length === 0 ? undefined : pick(naive.rows).record;
    const action = dice(100);
    if (dice(8) === 0) await on.clock.advance(dice(3) * 1000);
    if (known && action < 40) {
      const patch = Object.fromEntries(Object.entries(draft()).filter(() => dice(3) === 0));
      const data = await dataOf(on, 'PATCH', `/tasks/${known.id}`, patch);
      expect(data).toEqual(naive.change(known.id!, patch, on.clock.now));
    } else if (known && (action < 60 || naive.rows.length >= MAX_RECORDS)) {
      await call(on, 'DELETE', `/tasks/${known.id}`);
      naive.remove(({ id }) => id === known.id);
    } else {
      const project = pick(projects);
      const [body, now] = [draft(), on.clock.now];
      const data = await dataOf(on, 'POST', `/projects/${project}/tasks`, body);
      const made = { id: data.id, project_id: project, description: null, ...body, created_at: now, updated_at: now };
      expect(data).toEqual(made);
      naive.add(Object.fromEntries(Object.keys(data).map((field) => [field, made[field as keyof typeof made]])) as Json);
    }
  };
  const branch = async (side: Side): Promise<void> => {
    const action = dice(10);
    if (side.origin && action === 0) {
      side.mock.reset();
      [side.naive, side.next] = [side.origin.fork(), []];
    } else if (action < 4) {
      const copy: Side = { mock: side.mock.fork(), naive: side.naive.fork(), origin: side.naive.fork(), next: [...side.next] };
      if (sides.length < 6) sides.push(copy);
      else {
        const [old] = sides.splice(1 + dice(sides.length - 1), 1, copy);
        await old!.mock.close();
      }
    } else if (action < 7 || !side.saved) side.saved = { ...side.mock.snapshot(), naive: side.naive.fork() };
    else {
      side.saved.restore();
      [side.naive, side.next] = [side.saved.naive.fork(), []];
    }
  };

  const filter = (name: string, values: readonly string[]) => (dice(4) === 0 ? [[name, pick(values)]] : []);
  try {
    while (queryCount < queries) {
      if (dice(40) === 0) await branch(pick(sides));
      const side = pick(sides);
      for (let writes = dice(4); writes > 0; writes--) await write(side);
      const page = side.next.length > 0 && dice(3) === 0 ? side.next.splice(dice(side.next.length), 1)[0] : undefined;
      if (side.next.length > 40) side.next.shift();
      if (page) await ask(side, page.query, page.cursor, page.after);
      const filters = Object.fromEntries([
        ...filter('status', STATUSES),
        ...filter('priority', PRIORITIES),
        ...filter('assignee_id', [...PEOPLE, 'user_nobody', '']),
        ...filter('project_id', projects),
      ]);
      await ask(side, { project: dice(3) === 0 ? pick(projects) : undefined, filters, sort: pick(SORTS) });
    }
  } catch (error) {
    throw new Error(`seed ${seed}, query ${queryCount}: ${(error as Error).message}`, { cause: error });
  } finally {
    await mock.close();
  }
};

test(`every list is what filtering, sorting and slicing plain arrays gives: ${QUERIES} queries, no difference`, async () => {
  const [given] = [process.env.WM_TEST_SEED];
  const seeds = given === undefined ? [1, 2, 3, 4, 5] : [Number(given)];
  for (const seed of seeds) await compare(seed, QUERIES / seeds.length);
}, 600_000);
