// Operators on deletion and what goes with it: what is deleted and still shows, what is not and is gone.
import type { Answer, Loose } from './answer.ts';
import { type Call, changed, get, isOp, keyOf } from './call.ts';
import { become, blank, type Lab, listOf, type Make, type OperatorMutant, operator, refuse } from './core.ts';
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
const watch = async (lab: Lab, ghosts: Ghosts, call: Call, next: (call: Call) => Promise<Answer>): Promise<Answer> => {
  const kind = call.op && DELETES[call.op.id];
  if (!kind) return next(call);
  const row = await next(get(call, call.path));
  const tasks = kind === 'project' ? (await next(get(call, `${call.path}/tasks`, { limit: '100' }))).rows : [];
  const comments = kind === 'task' ? (await next(get(call, `${call.path}/comments`, { limit: '100' }))).rows : [];
  const answer = await next(call);
  if (!answer.ok || !row.ok) return answer;
  const common = { base: call.base, foreign: keyOf(call) === lab.keys.other };
  const shown = kind === 'team' ? { ...row.json.data, member_count: row.json.data.members?.length ?? 0 } : row.json.data;
  ghosts.set(shown.id, { ...common, kind, row: shown, cascaded: false, comments });
  for (const task of tasks) ghosts.set(task.id, { ...common, kind: 'task', row: task, cascaded: true, comments: [] });
  return answer;
};

type Haunt = (lab: Lab, ghosts: Ghosts, call: Call, answer: Answer) => boolean;

const haunted =
  (haunt: Haunt): Make =>
  (lab) => {
    const ghosts: Ghosts = new Map();
    return async (call, next) => {
      const answer = await watch(lab, ghosts, call, next);
      if (ghosts.size > 0) lab.hit(haunt(lab, ghosts, call, answer));
      return answer;
    };
  };

const ghostOf = (lab: Lab, ghosts: Ghosts, call: Call, kind: Kind, cascaded: boolean): Ghost | undefined => {
  const ghost = call.id === undefined ? undefined : ghosts.get(call.id);
  const same = ghost?.kind === kind && ghost.cascaded === cascaded && ghost.base === call.base;
  const mine = keyOf(call) !== undefined && (keyOf(call) === lab.keys.other) === ghost?.foreign;
  return same && mine && keyOf(call) !== lab.keys.revoked ? ghost : undefined;
};

const shown: Show = ({ row }, { body }) => ({ data: { ...row, ...body } });
const gone: Show = () => undefined;
type Show = (ghost: Ghost, call: Call, ghosts: Ghosts) => Loose;

/** What each operation answers on a thing that is gone. */
const STILL: Readonly<Record<string, readonly [Kind, status: number, Show]>> = {
  read_project: ['project', 200, shown],
  update_project: ['project', 200, shown],
  delete_project: ['project', 204, gone],
  list_project_tasks: [
    'project',
    200,
    ({ row }, { query }, ghosts) => {
      const rows = [...ghosts.values()].filter((ghost) => ghost.row.project_id === row.id).map((ghost) => ghost.row);
      return listOf(rows, Number(query.get('limit') ?? 20));
    },
  ],
  create_task: [
    'project',
    201,
    ({ row }, { body }) => ({
      data: { ...row, id: `${row.id}t`, project_id: row.id, priority: 'medium', status: 'backlog', ...body },
    }),
  ],
  read_task: ['task', 200, shown],
  update_task: ['task', 200, shown],
  delete_task: ['task', 204, gone],
  list_comments: ['task', 200, ({ comments }, { query }) => listOf(comments, Number(query.get('limit') ?? 20))],
  read_team: ['team', 200, shown],
  delete_team: ['team', 204, gone],
};

const still: readonly OperatorMutant[] = Object.entries(STILL).flatMap(([op, [kind, status, show]]) =>
  (kind === 'task' ? [false, true] : [false]).map((cascaded) =>
    operator('still-there', 'deletion')(
      `${op}, ${cascaded ? 'of a deleted project' : 'deleted'}`,
      haunted((lab, ghosts, call, answer) => {
        const ghost = isOp(op)(call) && answer.status === 404 ? ghostOf(lab, ghosts, call, kind, cascaded) : undefined;
        if (ghost) become(answer, status, show(ghost, call, ghosts));
        return ghost !== undefined;
      }),
    ),
  ),
);

const HOMES: readonly { readonly list: string; readonly kind: Kind; readonly cascaded: boolean }[] = [
  { list: 'list_projects', kind: 'project', cascaded: false },
  { list: 'list_tasks', kind: 'task', cascaded: false },
  { list: 'list_tasks', kind: 'task', cascaded: true },
  { list: 'list_project_tasks', kind: 'task', cascaded: false },
  { list: 'list_teams', kind: 'team', cascaded: false },
];

const belongs = ({ row }: Ghost, call: Call): boolean => {
  const inProject = call.op?.id !== 'list_project_tasks' || row.project_id === call.id;
  return inProject && [...call.query].every(([name, value]) => !name.startsWith('filter[') || row[name.slice(7, -1)] === value);
};

/** The last page of a list still has what is gone, or counts it; also only beside one of the filters. */
const listed: readonly OperatorMutant[] = HOMES.flatMap(({ list, kind, cascaded }) =>
  [undefined, ...(FILTERS[list] ?? [])].flatMap((filter) =>
    (['row', 'count'] as const).map((what) =>
      operator('still-listed', 'deletion')(
        `${list}, ${cascaded ? 'of a deleted project' : 'deleted'}${filter ? `, beside ${filter}` : ''}: ${what}`,
        haunted((lab, ghosts, call, answer) => {
          const filtered = [...call.query.keys()].filter((name) => name.startsWith('filter['));
          const fits = filter ? filtered.includes(`filter[${filter}]`) : filtered.length === 0;
          if (!isOp(list)(call) || !answer.ok || !fits || answer.json.meta.has_more) return false;
          const mine = (ghost: Ghost) =>
            ghost.kind === kind &&
            ghost.cascaded === cascaded &&
            ghost.base === call.base &&
            belongs(ghost, call) &&
            ghost.foreign === (keyOf(call) === lab.keys.other);
          const ghost = [...ghosts.values()].findLast(mine);
          if (!ghost) return false;
          answer.json.meta.total++;
          if (what === 'row') answer.json.items.push(ghost.row);
          return true;
        }),
      ),
    ),
  ),
);

/** A deletion that is answered and not made, or made and refused. */
const made: readonly OperatorMutant[] = Object.keys(DELETES).flatMap((op) => [
  operator('delete-not-made', 'deletion')(op, (lab) => async (call, next) => {
    if (!isOp(op)(call) || keyOf(call) === lab.keys.read || !(await next(get(call, call.path))).ok) return next(call);
    const answer = await blank(lab, call, next);
    lab.hit();
    delete answer.headers['content-type'];
    return become(answer, 204);
  }),
  operator('delete-refused', 'deletion')(op, {
    at: op,
    when: ({ answer }) => answer.ok,
    does: ({ answer }) => refuse(answer, 404),
  }),
]);

const pathOf = (kind: Kind, { row }: { row: Loose }): string => `/${kind}s/${encodeURIComponent(row.id)}`;

/** A deletion takes with it what it must leave: the newest other record of some family. */
const overreach: readonly OperatorMutant[] = Object.keys(DELETES).flatMap((op) =>
  (['project', 'task', 'team'] as const).map((victim) =>
    operator('deletes-more', 'deletion')(`${op} and another ${victim}`, {
      at: op,
      when: ({ lab, call, answer }) => answer.ok && keyOf(call) !== lab.keys.other,
      does: async ({ lab, call, next }) => {
        const twin = lab
          .memory(call)
          .all(victim)
          .findLast(({ row }) => row.id !== call.id && row.project_id !== call.id);
        if (!twin) return false;
        const strong = call.home ? `Bearer ${lab.keys.admin}` : call.authorization;
        return (await next(changed(call, { path: pathOf(victim, twin), method: 'DELETE', authorization: strong }))).ok;
      },
    }),
  ),
);

/** Deleting a team reaches its members, or the work that they have. */
const afterTeam: readonly OperatorMutant[] = [
  operator('deletes-more', 'deletion')('delete_team and its members', (lab) => {
    const gone = new Set<string>();
    return async (call, next) => {
      const team = isOp('delete_team')(call) ? await next(get(call, call.path)) : undefined;
      const answer = await next(call);
      if (team?.ok && answer.ok) for (const { id } of team.json.data.members) gone.add(id);
      if (!isOp('list_members')(call) || !answer.ok) return answer;
      const rows = answer.json.items.filter(({ id }: Loose) => !gone.has(id));
      lab.hit(rows.length !== answer.json.items.length);
      answer.json.meta.total -= answer.json.items.length - rows.length;
      answer.json.items = rows;
      return answer;
    };
  }),
  ...(['task', 'project'] as const).map((kind) =>
    operator('deletes-more', 'deletion')(`delete_team and touches a ${kind}`, {
      at: 'delete_team',
      when: ({ lab, call, answer }) => answer.ok && keyOf(call) !== lab.keys.other,
      does: async ({ lab, call, next }) => {
        const twin = lab.memory(call).all(kind).at(-1);
        if (!twin) return false;
        const status = twin.row.status === 'done' ? 'todo' : 'done';
        const body = kind === 'task' ? { status } : { description: 'its team is gone' };
        return (await next(changed(call, { path: pathOf(kind, twin), method: 'PATCH', body }))).ok;
      },
    }),
  ),
];

export const lifetimeMutants: readonly OperatorMutant[] = [...still, ...listed, ...made, ...overreach, ...afterTeam];
