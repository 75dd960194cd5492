// Operators on deletion and what goes with it: what is deleted and still shows, what is not and is gone.
import { become, blank, type Lab, listOf, type Make, type Next, type OperatorMutant, operator, refuse } from './core.ts';
import { type Call, changed, filtersOf, get, isOp, keyOf, type Loose, type ServedResponse } from './exchange.ts';
import { FILTERS } from './tables.ts';

type Kind = 'project' | 'task' | 'team';

interface Ghost {
  readonly kind: Kind;
  readonly row: Loose;
  /** Deleted with its project. */
  readonly cascaded: boolean;
  readonly comments: Loose[];
  readonly base: string;
  readonly foreign: boolean;
}

type Ghosts = Map<string, Ghost>;

const DELETES: Readonly<Record<string, Kind>> = { delete_project: 'project', delete_task: 'task', delete_team: 'team' };

/** Looks at what a deletion takes with it, then lets it happen. */
const watch = async (lab: Lab, ghosts: Ghosts, call: Call, next: Next): Promise<ServedResponse> => {
  const kind = call.op && DELETES[call.op.id];
  if (!kind) return next(call);
  const inside = async (what: string) => (await next(get(call, `${call.path}/${what}`, { limit: '100' }))).rows;
  const row = await next(get(call, call.path));
  const tasks = kind === 'project' ? await inside('tasks') : [];
  const comments = kind === 'task' ? await inside('comments') : [];
  const response = await next(call);
  if (!response.ok || !row.ok) return response;
  const common = { base: call.base, foreign: keyOf(call) === lab.keys.other };
  const { data } = row.json;
  const shown = kind === 'team' ? { ...data, member_count: data.members?.length ?? 0 } : data;
  ghosts.set(shown.id, { ...common, kind, row: shown, cascaded: false, comments });
  for (const task of tasks) ghosts.set(task.id, { ...common, kind: 'task', row: task, cascaded: true, comments: [] });
  return response;
};

const haunted =
  (haunt: (lab: Lab, ghosts: Ghosts, call: Call, response: ServedResponse) => void): Make =>
  (lab) => {
    const ghosts: Ghosts = new Map();
    return async (call, next) => {
      const response = await watch(lab, ghosts, call, next);
      if (ghosts.size === 0) return response;
      const before = response.print;
      haunt(lab, ghosts, call, response);
      lab.hit(response.print !== before);
      return response;
    };
  };

const isOurs = (ghost: Ghost, kind: Kind, cascaded: boolean, lab: Lab, call: Call): boolean =>
  ghost.kind === kind &&
  ghost.cascaded === cascaded &&
  ghost.base === call.base &&
  ghost.foreign === (keyOf(call) === lab.keys.other);

type Show = (ghost: Ghost, call: Call, ghosts: Ghosts) => Loose;
const shown: Show = ({ row }, { body }) => ({ data: { ...row, ...body } });
const missing: Show = () => undefined;
const listed = (items: Loose[], { query }: Call) => listOf(items, Number(query.get('limit') ?? 20));
const tasksOf: Show = ({ row }, call, ghosts) =>
  listed(
    [...ghosts.values()].filter((ghost) => ghost.row.project_id === row.id).map((ghost) => ghost.row),
    call,
  );
const newTask: Show = ({ row }, { body }) => ({
  data: { ...row, id: `${row.id}t`, project_id: row.id, priority: 'medium', status: 'backlog', ...body },
});

/** The response of each operation on a record that is gone. */
const STILL: Readonly<Record<string, readonly [Kind, status: number, Show]>> = {
  read_project: ['project', 200, shown],
  update_project: ['project', 200, shown],
  delete_project: ['project', 204, missing],
  list_project_tasks: ['project', 200, tasksOf],
  create_task: ['project', 201, newTask],
  read_task: ['task', 200, shown],
  update_task: ['task', 200, shown],
  delete_task: ['task', 204, missing],
  list_comments: ['task', 200, ({ comments }, call) => listed(comments, call)],
  read_team: ['team', 200, shown],
  delete_team: ['team', 204, missing],
};

const why = (cascaded: boolean) => (cascaded ? 'of a deleted project' : 'deleted');

const still: readonly OperatorMutant[] = Object.entries(STILL).flatMap(([op, [kind, status, show]]) =>
  (kind === 'task' ? [false, true] : [false]).map((cascaded) =>
    operator('still-there', 'deletion')(
      `${op}, ${why(cascaded)}`,
      haunted((lab, ghosts, call, response) => {
        const ghost = isOp(op)(call) && response.status === 404 ? ghosts.get(call.id ?? '') : undefined;
        const strange = keyOf(call) === undefined || keyOf(call) === lab.keys.revoked;
        if (ghost && !strange && isOurs(ghost, kind, cascaded, lab, call)) become(response, status, show(ghost, call, ghosts));
      }),
    ),
  ),
);

const HOMES: readonly (readonly [list: string, kind: Kind, cascaded: boolean])[] = [
  ['list_projects', 'project', false],
  ['list_tasks', 'task', false],
  ['list_tasks', 'task', true],
  ['list_project_tasks', 'task', false],
  ['list_teams', 'team', false],
];

const belongs = ({ row }: Ghost, { op, id, query }: Call): boolean => {
  const inProject = op?.id !== 'list_project_tasks' || row.project_id === id;
  return inProject && filtersOf(query).every((field) => row[field] === query.get(`filter[${field}]`));
};

/** The last page of a list still has what is gone, or counts it; also only beside one of the filters. */
const stillListed: readonly OperatorMutant[] = HOMES.flatMap(([list, kind, cascaded]) =>
  [undefined, ...(FILTERS[list] ?? [])].flatMap((filter) =>
    (['row', 'count'] as const).map((what) =>
      operator('still-listed', 'deletion')(
        `${list}, ${why(cascaded)}${filter ? `, beside ${filter}` : ''}: ${what}`,
        haunted((lab, ghosts, call, response) => {
          const filters = filtersOf(call.query);
          const fits = filter ? filters.includes(filter) : filters.length === 0;
          if (!isOp(list)(call) || !response.ok || !fits || response.json.meta.has_more) return;
          const mine = (ghost: Ghost) => isOurs(ghost, kind, cascaded, lab, call) && belongs(ghost, call);
          const ghost = [...ghosts.values()].findLast(mine);
          if (!ghost) return;
          response.json.meta.total++;
          if (what === 'row') response.json.items.push(ghost.row);
        }),
      ),
    ),
  ),
);

const notMade =
  (op: string): Make =>
  (lab) =>
  async (call, next) => {
    if (!isOp(op)(call) || keyOf(call) === lab.keys.read || !(await next(get(call, call.path))).ok) return next(call);
    const response = await blank(lab, call, next);
    lab.hit();
    delete response.headers['content-type'];
    return become(response, 204);
  };

/** A deletion that is confirmed and not made, or made and refused. */
const made: readonly OperatorMutant[] = Object.keys(DELETES).flatMap((op) => [
  operator('delete-not-made', 'deletion')(op, notMade(op)),
  operator('delete-refused', 'deletion')(op, { at: op, on: 'ok', does: ({ response }) => refuse(response, 404) }),
]);

const pathOf = (kind: Kind, row: Loose): string => `/${kind}s/${encodeURIComponent(row.id)}`;

/** A deletion reaches the newest other record of some family. */
const reaching = (op: string, victim: Kind, says: string, sent: (row: Loose, call: Call, lab: Lab) => Partial<Call>) =>
  operator('deletes-more', 'deletion')(`${op} and ${says} ${victim}`, {
    at: op,
    on: 'ok',
    when: ({ lab, call }) => keyOf(call) !== lab.keys.other,
    does: async ({ lab, call, next }) => {
      const rows = lab.memory(call).all(victim);
      const twin = rows.findLast(({ row }) => row.id !== call.id && row.project_id !== call.id)?.row;
      return twin !== undefined && (await next(changed(call, { path: pathOf(victim, twin), ...sent(twin, call, lab) }))).ok;
    },
  });

/** Deleting a team takes its members with it. */
const membersToo: Make = (lab) => {
  const departed = new Set<string>();
  return async (call, next) => {
    const team = isOp('delete_team')(call) ? await next(get(call, call.path)) : undefined;
    const response = await next(call);
    if (team?.ok && response.ok) for (const { id } of team.json.data.members) departed.add(id);
    if (!isOp('list_members')(call) || !response.ok) return response;
    const rows = response.json.items.filter(({ id }: Loose) => !departed.has(id));
    lab.hit(rows.length !== response.json.items.length);
    response.json.meta.total -= response.json.items.length - rows.length;
    response.json.items = rows;
    return response;
  };
};

export const lifetimeMutants: readonly OperatorMutant[] = [
  ...still,
  ...stillListed,
  ...made,
  ...Object.keys(DELETES).flatMap((op) =>
    (['project', 'task', 'team'] as const).map((victim) =>
      reaching(op, victim, 'another', (_row, call, lab) => ({
        method: 'DELETE',
        authorization: call.home ? `Bearer ${lab.keys.admin}` : call.authorization,
      })),
    ),
  ),
  operator('deletes-more', 'deletion')('delete_team and its members', membersToo),
  ...(['task', 'project'] as const).map((kind) =>
    reaching('delete_team', kind, 'touches a', ({ status }) => ({
      method: 'PATCH',
      body: kind === 'task' ? { status: status === 'done' ? 'todo' : 'done' } : { description: 'its team is gone' },
    })),
  ),
];
