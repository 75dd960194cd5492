// Judges what a client sends: duties that the exchanges of a run keep or break, whatever its tests say.
import { PAGE_LIMIT } from '../service/contract/limits.ts';
import { OPERATION_IDS, operation } from '../service/contract/operations.ts';
import { isObject } from '../service/contract/schema.ts';
import { type Conduct, ConductLog, type DutyLog } from './conduct-log.ts';
import type { DutyName } from './duties.ts';
import { type ExchangeNote, exchangesIn, type Note, pathOf, queryOf } from './notes.ts';
import { judgeReceivers } from './receiver-conduct.ts';

/** Path, filters and order: what a cursor belongs to. */
const pagedList = (exchange: ExchangeNote): string => {
  const parameters = queryOf(exchange);
  for (const name of ['cursor', 'limit']) parameters.delete(name);
  parameters.sort();
  return `${pathOf(exchange)} ${parameters}`;
};

const NO_CURSORS = /^(|null|undefined|none|nil|<nil>|false|0)$/i;

interface Issue {
  readonly path: string;
  readonly list: string;
}

const judgeCursor = (
  log: DutyLog,
  exchange: ExchangeNote,
  issued: ReadonlyMap<string, Issue>,
  ended: ReadonlySet<string>,
): void => {
  const given = queryOf(exchange).get('cursor');
  if (given === null) {
    log.meet('first-page', exchange);
    return;
  }
  if (NO_CURSORS.test(given)) {
    const isLast = ended.has(pagedList(exchange));
    const says = isLast
      ? `It asks for a page after the last one, with the cursor "${given}".`
      : `It asks for the first page with the cursor "${given}".`;
    log.meet(isLast ? 'last-page' : 'first-page', exchange, says);
    return;
  }
  const from = issued.get(given);
  const path = pathOf(exchange);
  if (!from) {
    log.meet('cursor', exchange, 'No response had this cursor: the client made or changed it.');
    return;
  }
  log.meet('cursor', exchange, from.path === path ? undefined : `The cursor came from ${from.path}.`);
  if (from.path !== path) return;
  const bare = [...queryOf(exchange).keys()].every((name) => name === 'cursor' || name === 'limit');
  const differs = !bare && from.list !== pagedList(exchange);
  log.meet(
    'cursor-filters',
    exchange,
    differs ? 'It pages with other filters or another order than the page before.' : undefined,
  );
};

const LISTS = OPERATION_IDS.flatMap((id) => operation(id).list ?? []);
const SORTS = new Set(LISTS.flatMap(({ sorts }) => sorts));
const FILTERS = new Set(LISTS.flatMap(({ filters }) => Object.keys(filters)));
const SORT_NAMES = /^(order|order_?by|sort_?(by|order|dir|direction)|direction)$/i;

const judgeParameter = (log: DutyLog, exchange: ExchangeNote, [name, value]: readonly [string, string]): void => {
  const { list } = operation(exchange.operation!);
  const filter = /^filter\[(.*)\]$/.exec(name)?.[1];
  if (filter !== undefined) {
    const isKnown = Object.hasOwn(list!.filters, filter);
    log.meet('filters', exchange, isKnown ? undefined : `This list has no filter ${name}.`);
  } else if (FILTERS.has(name) || /^filter\./.test(name)) {
    log.meet('filters', exchange, `It filters by ${name}, which is no filter.`);
  } else if (name === 'sort') {
    const field = value.replace(/^-/, '');
    log.meet('sort', exchange, SORTS.has(field) ? undefined : `It sorts by "${value}", which no list promises.`);
  } else if (SORT_NAMES.test(name)) {
    log.meet('sort', exchange, `It sorts by ${name}, which is no parameter.`);
  } else if (name === 'limit') {
    const isFit = /^\d+$/.test(value) && Number(value) >= PAGE_LIMIT.min && Number(value) <= PAGE_LIMIT.max;
    log.meet('limit', exchange, isFit ? undefined : `It asks for ${value} records.`);
  }
};

const judgeList = (log: DutyLog, exchange: ExchangeNote): void => {
  const parameters = [...queryOf(exchange)];
  const old = parameters.find(([name]) => name === 'page' || name === 'offset');
  log.meet('page-and-offset', exchange, old && `It pages by ${old[0]}.`);
  for (const parameter of parameters) judgeParameter(log, exchange, parameter);
};

const judgeLists = (log: DutyLog, exchanges: readonly ExchangeNote[]): void => {
  const issued = new Map<string, Issue>();
  const ended = new Set<string>();
  for (const exchange of exchanges) {
    if (exchange.operation === undefined || !operation(exchange.operation).list) continue;
    judgeList(log, exchange);
    judgeCursor(log, exchange, issued, ended);
    const list = pagedList(exchange);
    if (exchange.next) issued.set(exchange.next, { path: pathOf(exchange), list });
    if (exchange.more !== false) continue;
    ended.add(list);
    log.meet('last-page', exchange);
  }
};

const SECRET_NAMES = /^(api[_-]?key|key|token|access[_-]?token|apikey|authorization)$/i;

const judgeBody = (log: DutyLog, exchange: ExchangeNote, body: object): void => {
  const properties = exchange.operation && (operation(exchange.operation).body?.properties as object | undefined);
  if (!properties) return;
  const unknown = Object.keys(body).filter((field) => !Object.hasOwn(properties, field));
  log.meet('body-fields', exchange, unknown.length > 0 ? `It sends ${unknown.join(', ')}.` : undefined);
};

const judgeRequest = (log: DutyLog, exchange: ExchangeNote, teams: ReadonlySet<string>): void => {
  const { authorization, contentType, body } = exchange;
  const inQuery = [...queryOf(exchange).keys()].find((name) => SECRET_NAMES.test(name));
  if (inQuery !== undefined) log.meet('bearer', exchange, `It sends a key in the query, as ${inQuery}.`);
  else if (authorization !== 'none')
    log.meet('bearer', exchange, authorization === 'bearer' ? undefined : 'Its Authorization header is no Bearer token.');
  if (contentType !== undefined) {
    const isJson = /^application\/json\s*(;|$)/i.test(contentType);
    log.meet('content-type', exchange, isJson ? undefined : `It sends a body as ${contentType || 'no type at all'}.`);
  }
  if (!isObject(body)) return;
  judgeBody(log, exchange, body);
  const { assignee_id: assignee } = body;
  if (typeof assignee !== 'string') return;
  const isTeam = teams.has(assignee) || assignee.startsWith('team_');
  log.meet('assignee', exchange, isTeam ? 'It assigns a task to a team.' : undefined);
};

/** Requests with one key that got 401, one after the other, of which the last is pointless beyond doubt. */
const MAX_REFUSALS = 2;

const judgeRevokedKeys = (log: DutyLog, exchanges: readonly ExchangeNote[]): void => {
  const refusals = new Map<string, { count: number; ended: number }>();
  for (const exchange of exchanges) {
    if (exchange.status !== 401 || exchange.authorization !== 'bearer') continue;
    const key = `${exchange.key} ${exchange.method} ${exchange.path}`;
    const before = refusals.get(key) ?? { count: 0, ended: Number.NEGATIVE_INFINITY };
    // Requests that were under way together could not know.
    const count = exchange.at >= before.ended ? before.count + 1 : before.count;
    refusals.set(key, { count, ended: Math.max(before.ended, exchange.ended) });
    const says = count > MAX_REFUSALS ? `It sends the same request with a refused key, ${count} times.` : undefined;
    log.meet('revoked-key', exchange, says);
  }
};

/** Sooner than this is at once, milliseconds. */
const AT_ONCE_MS = 60;
const SAME_PACE = 1.3;

/** Whether a client hammers: several times at once, or at an even pace, before the window resets. */
const describeHammering = (refused: ExchangeNote, retries: readonly ExchangeNote[]): string | undefined => {
  const early = retries.filter(({ at }) => at < refused.ended + refused.resetsIn! - 20);
  const times = [refused.ended, ...early.map(({ at }) => at)];
  const gaps = times.slice(1).map((at, i) => at - times[i]!);
  const atOnce = gaps.filter((gap) => gap < AT_ONCE_MS).length;
  const isEven = gaps.length >= 4 && Math.max(...gaps) < SAME_PACE * Math.min(...gaps);
  const many = `It tries again ${gaps.length} times before the window resets`;
  if (atOnce >= 3) return `${many}, ${atOnce} times at once.`;
  return isEven ? `${many}, every ${Math.round(gaps[0]!)} ms.` : undefined;
};

const judgeRateLimit = (log: DutyLog, exchanges: readonly ExchangeNote[]): void => {
  const judged = new Set<ExchangeNote>();
  for (const refused of exchanges) {
    if (refused.status !== 429 || judged.has(refused)) continue;
    const same = exchanges.filter(
      ({ at, world, method, path }) =>
        at >= refused.ended && world === refused.world && method === refused.method && path === refused.path,
    );
    for (const one of same) judged.add(one);
    const hammering = refused.resetsIn === undefined ? undefined : describeHammering(refused, same);
    log.meet('rate-limit', refused, hammering);
  }
};

export const judgeConduct = (notes: readonly Note[]): Conduct => {
  const log = new ConductLog<DutyName>();
  const exchanges = exchangesIn(notes);
  const isTeamList = ({ path }: ExchangeNote) => path.startsWith('/teams');
  const teams = new Set(exchanges.filter(isTeamList).flatMap(({ ids = [] }) => ids));
  judgeLists(log, exchanges);
  for (const exchange of exchanges) judgeRequest(log, exchange, teams);
  judgeRevokedKeys(log, exchanges);
  judgeRateLimit(log, exchanges);
  judgeReceivers(log, notes, exchanges);
  return log;
};
