// Operators on deletion and what goes with it: what is deleted and still shows, what is not and is gone.
import type { Answer, Loose } from './answer.ts';
import { type Call, changed, get, isOp, keyOf } from './call.ts';
import { type OperatorMutant, operator } from './operator.ts';
import { FILTERS } from './tables.ts';
import { blank, type Lab, type Make, refuse } from './tamper.ts';

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

const become = (answer: Answer, status: number, json: Loose): boolean => {
  answer.status = status;
  answer.headers['content-type'] = 'application/json';
  answer.json = json;
  if (json === undefined) answer.replace('');
  return true;
};

const listOf = (rows: Loose[], call: Call): Loose => ({
  items: rows,
  meta: { total: rows.length, limit: Number(call.query.get('limit') ?? 20), has_more: false, next_cursor: null },
});

/** What each operation answers on a thing that is gone. */
const STILL: Readonly<Record<string, (ghost: Ghost, call: Call, answer: Answer, ghosts: Ghosts) => boolean>> = {
  read_project: ({ row }, _call, answer) => become(answer, 200, { data: row }),
  update_project: ({ row }, { body }, answer) => become(answer, 200, { data: { ...row, ...body } }),
  delete_project: (_ghost, _call, answer) => become(answer, 204, undefined),
  list_project_tasks: ({ row }, call, answer, ghosts) =>
    become(
      answer,
      200,
      listOf(
        [...ghosts.values()].filter((ghost) => ghost.row.project_id === row.id).map((ghost) => ghost.row),
        call,
      ),
    ),
  create_task: ({ row }, { body }, answer) =>
    become(answer, 201, {
      data: { ...row, id: `${row.id}t`, project_id: row.id, priority: 'medium', status: 'backlog', ...body },
    }),
  read_task: ({ row }, _call, answer) => become(answer, 200, { data: row }),
  update_task: ({ row }, { body }, answer) => become(answer, 200, { data: { ...row, ...body } }),
  delete_task: (_ghost, _call, answer) => become(answer, 204, undefined),
  list_comments: ({ comments }, call, answer) => become(answer, 200, listOf(comments, call)),
  read_team: ({ row }, _call, answer) => become(answer, 200, { data: row }),
  delete_team: (_ghost, _call, answer) => become(answer, 204, undefined),
};

const KIND_OF = (op: string): Kind =>
  op.endsWith('team')
    ? 'team'
    : ['list_project_tasks', 'create_task'].includes(op) || op.endsWith('project')
      ? 'project'
      : 'task';

const still: readonly OperatorMutant[] = Object.entries(STILL).flatMap(([op, show]) => {
  const kind = KIND_OF(op);
  return (kind === 'task' ? [false, true] : [false]).map((cascaded) =>
    operator('still-there', 'deletion')(
      `${op}, ${cascaded ? 'of a deleted project' : 'deleted'}`,
      haunted((lab, ghosts, call, answer) => {
        if (!isOp(op)(call) || answer.status !== 404) return false;
        const ghost = ghostOf(lab, ghosts, call, kind, cascaded);
        return ghost !== undefined && show(ghost, call, answer, ghosts);
      }),
    ),
  );
});

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
    if (!isOp(op)(call)) return next(call);
    const known = await next(get(call, call.path));
    if (!known.ok || keyOf(call) === lab.keys.read) return next(call);
    const answer = await blank(lab, call, next);
    lab.hit();
    delete answer.headers['content-type'];
    become(answer, 204, undefined);
    return answer;
  }),
  operator('delete-refused', 'deletion')(op, (lab) => async (call, next) => {
    const answer = await next(call);
    if (!isOp(op)(call) || !answer.ok) return answer;
    lab.hit();
    return refuse(answer, 404);
  }),
]);

const ROOTS: Readonly<Record<Kind, string>> = { project: '/projects', task: '/tasks', team: '/teams' };

/** A deletion takes with it what it must leave: the newest other record of some family. */
const overreach: readonly OperatorMutant[] = Object.keys(DELETES).flatMap((op) =>
  (['project', 'task', 'team'] as const).map((victim) =>
    operator('deletes-more', 'deletion')(`${op} and another ${victim}`, (lab) => {
      const memory = lab.remember();
      return async (call, next) => {
        const twin = isOp(op)(call)
          ? memory(call)
              .all(victim)
              .findLast(({ row }) => row.id !== call.id && row.project_id !== call.id)
          : undefined;
        const answer = await next(call);
        if (!twin || !answer.ok || keyOf(call) === lab.keys.other) return answer;
        const strong = call.home ? `Bearer ${lab.keys.admin}` : call.authorization;
        const path = `${ROOTS[victim]}/${encodeURIComponent(twin.row.id)}`;
        lab.hit((await next(changed(call, { path, method: 'DELETE', authorization: strong }))).ok);
        return answer;
      };
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
      if (!isOp('list_members')(call) || !answer.ok || gone.size === 0) return answer;
      const rows = answer.json.items.filter(({ id }: Loose) => !gone.has(id));
      if (rows.length === answer.json.items.length) return answer;
      answer.json.meta.total -= answer.json.items.length - rows.length;
      answer.json.items = rows;
      lab.hit();
      return answer;
    };
  }),
  ...(['update_task', 'update_project'] as const).map((op) =>
    operator('deletes-more', 'deletion')(`delete_team and touches a ${op.slice(7)}`, (lab) => {
      const memory = lab.remember();
      return async (call, next) => {
        const answer = await next(call);
        if (!isOp('delete_team')(call) || !answer.ok || keyOf(call) === lab.keys.other) return answer;
        const kind = op.slice(7) as 'task' | 'project';
        const twin = memory(call).all(kind).at(-1);
        const body =
          kind === 'task' ? { status: twin?.row.status === 'done' ? 'todo' : 'done' } : { description: 'its team is gone' };
        if (!twin) return answer;
        const path = `${ROOTS[kind]}/${encodeURIComponent(twin.row.id)}`;
        lab.hit((await next(changed(call, { path, method: 'PATCH', body }))).ok);
        return answer;
      };
    }),
  ),
];

export const lifetimeMutants: readonly OperatorMutant[] = [...still, ...listed, ...made, ...overreach, ...afterTeam];
