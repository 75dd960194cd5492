// Faults of caches and replicas that know of a change too late.
import { around, clause, type Fault, isOn, memory } from '../faults/fault.ts';
import { cached } from '../faults-third/tools.ts';

const teams = clause(174, '`200` list of teams');
const single = clause(156, '`200` `data` = task');
const project = clause(143, '`200` `data` = project');
const own = clause(13, "only sees that workspace's resources", { needs: 'second workspace' });
const members = clause(81, 'in the single-team read response, instead of member_count');
const comments = clause(158, 'the task and all its comments are permanently deleted', { needs: 'comments' });
const inside = clause(153, '`200` list of tasks');

export const faults: readonly Fault[] = [
  teams('new-team-late-in-list', 'a team is listed two seconds after its creation', (s) =>
    around(s, 'teamRows', (was, call) => was(call).filter(({ created }) => created <= s.now() - 2000)),
  ),
  single('new-task-late', 'GET of a task gives 404 for 300 ms after its creation', (s) =>
    around(s, 'readTask', (was, call) => {
      if (s.taskOf(call).created > s.now() - 300) throw s.notFound(call, 'task');
      return was(call);
    }),
  ),
  project('project-kept-per-key', 'a project is kept for ten seconds for each key, and only changes by that key end it', (s) =>
    cached(
      s,
      10_000,
      (call) => (isOn(call, 'readProject') ? `${call.key?.value}|${call.path}` : undefined),
      (call) => (call.method === 'GET' ? undefined : `${call.key?.value}|`),
    ),
  ),
  own('filtered-projects-kept-for-all', 'projects of one visibility are kept for three seconds, for all workspaces', (s) =>
    cached(s, 3000, (call) => (isOn(call, 'listProjects') && call.search.includes('visibility') ? call.search : undefined)),
  ),
  members('members-kept-by-name', 'members of a team are kept by its name, also when another team gets the name', (s) => {
    const kept = memory<string, unknown>();
    around(s, 'showMembers', (was, team) => {
      const name = `${team.workspace} ${team.name}`;
      if (!kept.has(name)) kept.set(name, was(team));
      return kept.get(name);
    });
  }),
  comments(
    'comments-outlive-task',
    'comments that were read are answered for 30 seconds, also when the task is deleted',
    (s) => cached(s, 30_000, (call) => (isOn(call, 'listComments') ? call.path + call.search : undefined)),
    { style: 'a' },
  ),
  inside('project-tasks-kept-through-patch', 'the tasks of a project are kept until one is created or deleted', (s) =>
    cached(
      s,
      10_000,
      (call) => (isOn(call, 'listProjectTasks') ? call.path + call.search : undefined),
      (call) => (call.method === 'POST' || call.method === 'DELETE' ? '' : undefined),
    ),
  ),
];
