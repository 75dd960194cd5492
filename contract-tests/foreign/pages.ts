// Lists of the foreign server: filtered, sorted, and cut into pages whose cursor keeps everything.
import { arrange } from './reading.ts';
import type * as R from './records.ts';
import { type Body, bad, Refusal, type Reply } from './refusal.ts';

const read = (cursor: string): { from: number; sort: string; limit: number; filters: string[][] } | undefined => {
  try {
    const kept = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as {
      from: number;
      sort: string;
      limit: number;
      filters: string[][];
    };
    return Number.isInteger(kept.from) ? kept : undefined;
  } catch {
    return undefined;
  }
};

export const page = <T extends R.Row>(
  rows: T[],
  url: URL,
  show: (row: T) => object,
  sorts: readonly string[],
  has: (fault: string) => boolean,
): Reply => {
  const query = url.searchParams;
  for (const name of ['page', 'offset']) if (query.has(name)) throw bad(name, 'was removed');
  let from = 0;
  let sort = query.get('sort') ?? '-created_at';
  let limit = 20;
  const cursor = query.get('cursor');
  const kept = cursor === null ? undefined : read(cursor);
  let filters = [...query].filter(([name]) => name.startsWith('filter[')).map(([name, value]) => [name.slice(7, -1), value]);
  if (kept) ({ from, sort, limit, filters } = kept);
  if (query.has('limit')) limit = Number(query.get('limit'));
  if (!Number.isInteger(limit)) throw bad('limit', 'must be a whole number');
  limit = Math.min(100, Math.max(1, limit));
  if (!sorts.includes(sort.replace('-', ''))) throw new Refusal(400, 'unsupported_sort', 'Not sortable by that.');
  let found = arrange([...rows], sort);
  if (has('cursor-drops-filters') && kept) filters = [];
  for (const [name, value] of filters) {
    if (!['status', 'priority', 'assignee_id', 'project_id', 'visibility'].includes(name!)) continue;
    if (name === 'project_id' && url.pathname.endsWith('/tasks') && url.pathname.includes('/projects/')) continue;
    found = found.filter((row) => (show(row) as Body)[name!] === value);
  }
  const total = found.length;
  const items = found.slice(from, from + limit).map(show);
  const more = from + limit < total || (has('has-more-on-exact') && from + limit === total);
  const next = Buffer.from(JSON.stringify({ from: from + limit, sort, limit, filters })).toString('base64url');
  return { status: 200, body: { items, meta: { total, limit, has_more: more, next_cursor: more ? next : null } } };
};
