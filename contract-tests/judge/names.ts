// Names for the conditions and expressions of a row, beside the parameters of its step.
import type { Shape } from './past.ts';
import { Service } from './reference/service/service.ts';
import type { Language, Scope } from './scope.ts';

const list = (value: unknown): Shape[] => (Array.isArray(value) ? (value as Shape[]) : []);
const shape = (value: unknown): Shape => Object(value) as Shape;
const db = ({ service }: Scope) => service.db as unknown as Record<string, Shape[]>;
const rows = (scope: Scope, name: string): Shape[] => db(scope)[name] ?? [];
const query = ({ args }: Scope) => shape(args.query);
const search = ({ call }: Scope) => call.query as URLSearchParams | undefined;
const header = ({ call }: Scope, name: string) => (call.headers as Headers | undefined)?.get(name) ?? undefined;
const here = ({ call }: Scope) => shape(call.workspace).id;
const pathId = ({ call }: Scope) => decodeURIComponent(String(call.path).split('/')[2] ?? '');
const delivery = ({ args }: Scope) => shape(args.delivery);
const event = (scope: Scope) => (scope.args.event ?? delivery(scope).event) as Shape | undefined;
const hooks = (scope: Scope) =>
  rows(scope, 'hooks').filter(({ workspace }) => workspace === (shape(scope.args.hook).workspace ?? here(scope)));
const twin = (scope: Scope) => {
  const name = scope.args.name ?? scope.args.value ?? scope.body.name;
  return rows(scope, 'teams').find((team) => team.workspace === here(scope) && team.name === name);
};
const isMember = (scope: Scope, user: unknown) => scope.service.isMember(String(user), String(here(scope)));
const spent = ({ service, call }: Scope) => service.counted(service.bucketOf(call as never)).length;
const quota = ({ service, call }: Scope) => service.quotaOf(call as never);
const matching = (scope: Scope, filters: Shape[]) =>
  filters.map((filter) => scope.service.matches(filter as never, scope.args.row as never, query(scope) as never));
const behind = (scope: Scope) => list(scope.service.ordered(rowsOf(scope) as never, query(scope) as never)) as Shape[];
const rowsOf = (scope: Scope) => (shape(query(scope).listing).rows as () => Shape[])();
const PAUSES = [30_000, 120_000, 600_000, 1_800_000, 7_200_000];

export const NAMES: Language['names'] = {
  // The request
  service: ({ service }) => service,
  call: ({ call }) => call,
  op: ({ call }) => call.operation,
  asked: (scope) => scope.asked,
  method: ({ call }) => call.method,
  path: ({ call }) => call.path,
  by: ({ call }) => shape(call.key).scope,
  user: ({ call }) => shape(call.key).user,
  here,
  auth: (scope) => header(scope, 'authorization'),
  header,
  body: ({ body }) => body,
  names: ({ body }) => Object.keys(body),
  sent: ({ body }) => Object.keys(body).join(),
  accepted: ({ args }) => Object.keys(shape(args.values)).join(),
  q: (scope, name) => (name === '' ? search(scope)?.toString() : (search(scope)?.get(name) ?? undefined)),
  filtered: (scope) => [...(search(scope)?.keys() ?? [])].some((name) => name.startsWith('filter')),
  badDate: ({ body }) => typeof body.due_date === 'string' && Number.isNaN(Date.parse(body.due_date)),
  now: ({ service }) => service.now(),
  ago: ({ service }, ms) => service.now() - Number(ms),
  turn: ({ past }) => past.requests % 2,
  wave: ({ past }) => ((past.requests * 7) % 5) * 3,
  // The response
  forbidden: ({ service, call }) => service.forbidden(call as never),
  emptyList: () => ({ items: [], meta: { total: 0, limit: 20, has_more: false, next_cursor: null } }),
  null: () => null,
  nothing: () => undefined,
  error: ({ error }) => error,
  result: ({ result }) => result,
  // Records
  db,
  named: ({ named }) => named,
  parent: (scope) => rows(scope, 'projects').find(({ id }) => id === scope.record.project),
  tasks: (scope) => rows(scope, 'tasks').filter(({ project }) => project === scope.record.id).length,
  talks: (scope) => rows(scope, 'comments').filter(({ task }) => task === scope.record.id).length,
  gone: ({ past }) => past.gone,
  ghost: (scope) =>
    [...scope.past.gone.projects, ...scope.past.gone.tasks, ...scope.past.gone.teams].find(
      ({ id, workspace }) => id === pathId(scope) && workspace === here(scope),
    ),
  first: ({ past, record }) => past.first.get(String(record.id)),
  before: ({ past, record }) => past.before.get(String(record.id)),
  changed: ({ service, past, record }) => service.now() - (past.changed.get(String(record.id)) ?? Number.NEGATIVE_INFINITY),
  bare: ({ past, record }) => past.bare.get(String(record.id)),
  maker: ({ past, record }) => past.makers.get(String(record.id)),
  hadTasks: ({ past, args }) => past.gone.cascaded.some(({ project }) => project === shape(args.project).id),
  doubled: (scope) => {
    const { name, title } = shape(scope.args.values);
    const [table, member, value] = name === undefined ? ['tasks', 'title', title] : ['projects', 'name', name];
    return rows(scope, String(table)).some((each) => each.workspace === here(scope) && each[String(member)] === value);
  },
  new: ({ service }, prefix) => service.newId(prefix),
  twinIds: ({ service }) => ({ id: service.newId('twin'), nth: service.nextNth() }),
  // People and teams
  foreigners: (scope) => {
    const others = scope.service.db.workspaces.filter(({ id }) => id !== here(scope));
    return others.flatMap((workspace) => new Service(scope.service).memberRows({ ...scope.call, workspace } as never));
  },
  roleOf: ({ service, args, call }) => service.roleOf(String(args.id), String(shape(call.workspace).id)),
  assignable: (scope) => isMember(scope, shape(scope.args.filter).value ?? scope.body.assignee_id ?? scope.args.value),
  known: (scope) => list(scope.args.ids).every((id) => isMember(scope, id)),
  teamed: (scope) => rows(scope, 'teams').filter(({ members }) => (members as unknown[]).includes(scope.record.id)).length,
  assigned: (scope) => rows(scope, 'tasks').some(({ assignee }) => assignee === scope.record.id),
  twin,
  taken: (scope) => twin(scope) !== undefined,
  twinMaker: (scope) => scope.past.makers.get(String(twin(scope)?.id)),
  inTeam: (scope) => list(shape(scope.args.team).members).includes((scope.record.assignee ?? scope.record.user) as never),
  hidden: ({ record, call }) => record.visibility === 'private' && record.owner !== shape(call.key).user,
  // Lists
  row: ({ row, args }) => row ?? args.row,
  filter: ({ row, args }) => args.filter ?? row,
  filterable: ({ service, args }) => service.filterable(args.row as never, String(shape(args.filter).field)),
  list: ({ args }) => shape(query({ args } as Scope).listing ?? args.listing).name,
  filters: (scope) => query(scope).filters,
  with: (scope, name) => list(query(scope).filters).find(({ field }) => field === name)?.value,
  sort: (scope) => shape(query(scope).sort).field,
  down: (scope) => shape(query(scope).sort).down,
  later: (scope) => query(scope).cursor !== undefined || search(scope)?.has('cursor') === true,
  rowvalue: (scope) =>
    scope.service.sortValue(scope.record as never, String(shape(query(scope).sort).field), query(scope) as never),
  rowIndex: (scope) => list(scope.args.rows).indexOf(scope.record),
  lastValue: (scope) =>
    shape(scope.result).after ?? scope.service.markOf(list(scope.args.items).at(-1) as never, query(scope) as never).value,
  reached: (scope) => behind(scope).indexOf(list(scope.args.items).at(-1) as Shape) + 1,
  unfilteredMore: (scope) => rows(scope, `${String(shape(query(scope).listing).name)}s`).length > Number(query(scope).limit),
  lastCursor: (scope) =>
    scope.service.writeCursor(scope.service.makeCursor(list(scope.args.items) as never, query(scope) as never)),
  matching: (scope, how) => {
    const fits = matching(scope, list(query(scope).filters));
    if (how === 'or') return fits.some(Boolean);
    if (how === 'none') return true;
    return (how === 'last' ? fits.slice(-1) : fits.slice(0, how === 'first' ? 1 : 2)).every(Boolean);
  },
  sortable: ({ service, args, call }) => {
    const field = String(args.text).replace(/^-/, '');
    return field === '' || service.isSortable(field, args.listing as never, call as never);
  },
  filteredProject: (scope) => rows(scope, 'projects').find(({ id }) => id === shape(scope.args.filter).value),
  idleUser: (scope) => !rows(scope, 'tasks').some(({ assignee }) => assignee === shape(scope.args.filter).value),
  // The budget
  quota,
  spent,
  keyBucket: ({ service, call }) => service.counted(`key ${shape(call.key).value}`),
  // Events
  event,
  fired: (scope) => event(scope)?.name,
  told: (scope) => {
    const id = shape(Object.values(shape(event(scope)?.data))[0]).id;
    return [...rows(scope, 'tasks'), ...rows(scope, 'projects')].find((each) => each.id === id) ?? event(scope);
  },
  /** Whether a registration names an event with the same resource (0) or the same action (1). */
  samePart: (scope, part) => {
    const at = (name: unknown) => String(name).split('.')[Number(part)];
    return list(shape(scope.args.hook).events).some((name) => at(name) === at(event(scope)?.name));
  },
  newest: (scope) => hooks(scope).at(-1),
  oldest: (scope) => hooks(scope)[0],
  hookPlace: (scope) => hooks(scope).indexOf(shape(scope.args.hook)) + 1,
  twinUrl: (scope) => hooks(scope).some((hook) => hook !== scope.args.hook && hook.url === shape(scope.args.hook).url),
  twinPath: (scope) => {
    const path = (hook: Shape | undefined) => String(hook?.url).split('?')[0];
    return hooks(scope).find((hook) => path(hook) === path(shape(scope.args.hook))) !== scope.args.hook;
  },
  registered: (scope) => hooks(scope).some(({ url }) => url === scope.body.url),
  pauses: ({ args }, order) => PAUSES[Number(order.split(',')[Number(shape(args.delivery).attempts) - 1] ?? 9)],
  // Notes of the row itself
  nth: (scope, path) => Number(scope.note('nth', path, (known) => Number(known ?? 0) + 1) ?? 0) + 1,
  every: (scope, n) => (Number(scope.note('every', '', (known) => Number(known ?? 0) + 1) ?? 0) + 1) % Number(n) === 0,
  noted: (scope, rest) => scope.notes.get(`noted ${rest.replace(/:.*/, '')} ${String(scope.get(rest.replace(/.*?:/, '')))}`),
  since: (scope, path) =>
    scope.service.now() - Number(scope.note('since', path, () => scope.service.now()) ?? Number.NEGATIVE_INFINITY),
  last: (scope) => scope.notes.get('last'),
  lastAgo: (scope) => scope.service.now() - Number(shape(scope.notes.get('last')).at ?? Number.NEGATIVE_INFINITY),
};

const near = (how: unknown, one: string, other: string): boolean => {
  if (how === 'begin') return one.startsWith(other) && other.length > 2;
  if (how === 'end') return other.startsWith(one);
  if (how === 'case') return one.toLowerCase() === other.toLowerCase();
  return one.slice(0, Number(how)) === other.slice(0, Number(how));
};

/** Functions that need the server or the row's place. */
export const CHANGES_HERE: Language['changes'] = {
  user: ({ service }, value) => service.db.users.find(({ id }) => id === value),
  sameKey: ({ service }, value, how) => service.db.keys.find((key) => near(how, key.value, String(value))),
  likeName: (_scope, value, name, how) => list(value).some((each) => near(how, String(each), String(name))),
  repeat: (scope, value, path) =>
    list(value).flatMap((row) => {
      const more = scope.with(row, () => scope.get(String(path)));
      return [row, ...Array.from({ length: Math.max(0, (typeof more === 'number' ? more : more ? 2 : 0) - 1) }, () => row)];
    }),
  orAll: (_scope, value, all) => (list(value).length > 0 ? value : all),
  turn: (_scope, value) => [...list(value).slice(1), ...list(value).slice(0, 1)],
  turnBack: (_scope, value) => [...list(value).slice(-1), ...list(value).slice(0, -1)],
  parted: (_scope, value, member, wanted, end) => {
    const half = (those: boolean) => list(value).filter((row) => (row[String(member)] === wanted) === those);
    return [...half(end === 'first'), ...half(end !== 'first')];
  },
  sorted: (_scope, value, field, down) => {
    const sorted = [...list(value)].sort((one, other) => (String(one[String(field)]) < String(other[String(field)]) ? -1 : 1));
    return down ? sorted.reverse() : sorted;
  },
};
