// Lists made anew from all rows of the target, so that a mutant can spoil any step: filter, order, page, count, cursor.
import { type Answer, isList, type Loose, type Next, type Seen, type Wrap } from './wrap.ts';

export interface Page {
  readonly from: number;
  readonly limit: number;
  readonly total: number;
  /** True for every page but the first. */
  readonly later: boolean;
  readonly filters: readonly (readonly [string, string])[];
}

export interface Hooks {
  readonly match?: (call: Seen) => boolean;
  readonly limit?: (asked: number | undefined) => number;
  readonly filters?: (filters: (readonly [string, string])[], later: boolean, call: Seen) => (readonly [string, string])[];
  readonly any?: (filters: readonly unknown[]) => boolean;
  readonly equal?: (field: string, have: unknown, want: string) => boolean;
  readonly order?: (rows: Loose[], page: { later: boolean; sort: string | null; limit: number }) => Loose[];
  readonly slice?: (rows: Loose[], page: Page) => Loose[];
  readonly meta?: (meta: Loose, page: Page, items: Loose[]) => void;
  readonly next?: (page: Page) => number;
  /** Ignores cursors. */
  readonly deaf?: boolean;
}

const allRows = async (call: Seen, next: Next, sort: string | null): Promise<Loose[]> => {
  const rows: Loose[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: '100', ...(sort ? { sort } : {}), ...(cursor ? { cursor } : {}) });
    const answer = await next({ ...call, query });
    rows.push(...(answer.json?.items ?? []));
    cursor = answer.json?.meta?.next_cursor ?? undefined;
  } while (cursor);
  return rows;
};

const read = (cursor: string | null): Loose => {
  if (!cursor?.startsWith('lab')) return undefined;
  return JSON.parse(Buffer.from(cursor.slice(3), 'base64url').toString());
};

export const laboratory =
  (hooks: Hooks): Wrap =>
  () =>
  async (call, next): Promise<Answer> => {
    if (!isList(call) || (hooks.match && !hooks.match(call))) return next(call);
    const kept = read(call.query.get('cursor'));
    const probe = new URLSearchParams(call.query);
    if (kept) {
      probe.delete('cursor');
      for (const name of [...probe.keys()]) if (name.startsWith('filter')) probe.delete(name);
    }
    const answer = await next({ ...call, query: probe });
    if (answer.status !== 200 || (call.query.has('cursor') && !kept)) return answer;
    const later = kept !== undefined && !hooks.deaf;
    const sort: string | null = kept?.sort ?? call.query.get('sort');
    const known = ['status', 'priority', 'assignee_id', 'project_id', 'visibility'];
    const named = [...call.query]
      .filter(([name]) => /^filter\[/.test(name))
      .map(([name, value]) => [name.slice(7, -1), value] as const);
    let filters: (readonly [string, string])[] = kept?.filters ?? named.filter(([name]) => known.includes(name));
    if (call.path.includes('/projects/')) filters = filters.filter(([name]) => name !== 'project_id');
    const active = hooks.filters ? hooks.filters(filters, later, call) : filters;
    const equal = hooks.equal ?? ((_field, have, want) => have === want);
    let list = (await allRows(call, next, sort)).filter((row) => {
      const tests = active.map(([field, want]) => equal(field, row[field], want));
      return hooks.any?.(active) && tests.length > 0 ? tests.some(Boolean) : tests.every(Boolean);
    });
    const asked = call.query.has('limit') ? Number(call.query.get('limit')) : undefined;
    const honest = Math.min(100, Math.max(1, asked ?? answer.json.meta.limit));
    const limit = hooks.limit ? hooks.limit(asked) : honest;
    if (hooks.order) list = hooks.order(list, { later, sort, limit });
    const from = later ? kept.from : 0;
    const page: Page = { from, limit, total: list.length, later, filters };
    const items = hooks.slice ? hooks.slice(list, page) : list.slice(from, from + limit);
    const more = from + limit < list.length;
    const following = hooks.next ? hooks.next(page) : from + limit;
    const cursor = `lab${Buffer.from(JSON.stringify({ from: following, sort, filters })).toString('base64url')}`;
    const meta = { total: list.length, limit: honest, has_more: more, next_cursor: more ? cursor : null };
    hooks.meta?.(meta, page, items);
    return { ...answer, json: { items, meta } };
  };
