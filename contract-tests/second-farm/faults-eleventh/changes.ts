// Faults of the eleventh set: what is stored, changed and removed.

import type { Task } from '../../judge/reference/model.ts';
import { around, clause, type Fault, memory } from '../faults/fault.ts';

const created = clause(155, 'body: title (required), description, assignee_id, due_date, priority, status');
const unchanged = clause(157, 'omitted fields unchanged');
const combination = clause(157, 'any combination of the create fields');
const text = clause(50, 'plain text');
const title = clause(49, '1 to 255 characters');
const due = clause(52, 'string (ISO 8601 datetime)');
const stamps = clause(39, 'changes when the project is updated');
const cascade = clause(147, 'its tasks, comments and attachments are deleted immediately');
const unique = clause(78, 'unique within the workspace');
const count = clause(80, 'integer');
const members = clause(81, 'array of `{ id, name, role }`');
const grouping = clause(177, 'only the team grouping is removed');
const wrong = clause(284, 'malformed request or missing or wrongly typed parameters');

const midnight = (at: number) => at % 86_400_000 === 0;

export const faults: readonly Fault[] = [
  title('title-zero-is-missing', 'a title "0" counts as missing', (service) =>
    around(service, 'checkValue', (was, rule, value, call, act) =>
      rule.name === 'title' && value === '0'
        ? { field: 'title', issue: 'is required', kind: 'structure' as const }
        : was(rule, value, call, act),
    ),
  ),
  text('description-null-word', 'the description "null" is stored as none', (service) =>
    around(service, 'take', (was, rule, value, call, act) =>
      rule.name === 'description' && value === 'null' ? null : was(rule, value, call, act),
    ),
  ),
  text('emptied-description-stays', 'an empty description leaves the description that was there', (service) =>
    around(service, 'readFields', (was, call, resource, act) => {
      const fields = was(call, resource, act);
      if (act === 'change' && fields.description === '') delete fields.description;
      return fields;
    }),
  ),
  text('percent-decoded', 'percent signs with two digits behind them are decoded in descriptions', (service) =>
    around(service, 'takeText', (was, rule, value, call, act) => {
      const kept = was(rule, value, call, act);
      return rule.name === 'description' ? kept.replace(/%20/g, ' ') : kept;
    }),
  ),
  text('escaped-on-change', 'ampersands are escaped when a title is changed', (service) =>
    around(service, 'takeText', (was, rule, value, call, act) => {
      const kept = was(rule, value, call, act);
      return act === 'change' && rule.name === 'title' ? kept.replaceAll('&', '&amp;') : kept;
    }),
  ),
  due('midnight-ends-the-day', 'a due date at midnight becomes the end of that day', (service) =>
    around(service, 'moment', (was, value, act) => {
      const at = was(value, act);
      return at !== undefined && midnight(at) ? at + 86_399_000 : at;
    }),
  ),
  due('half-hours-lost', 'the half hour of an offset is lost', (service) =>
    around(service, 'moment', (was, value, act) => was(value.replace(/([+-]\d\d):30$/, '$1:00'), act)),
  ),
  unchanged('assignee-starts-work', 'assigning a task of the backlog sets its status to todo', (service) =>
    around(service, 'assignTask', (was, task, values, call) => {
      const starts = task.status === 'backlog' && typeof values.assignee_id === 'string' && values.status === undefined;
      return was(task, starts ? { ...values, status: 'todo' } : values, call);
    }),
  ),
  unchanged('done-clears-priority', 'a task that is done falls back to priority medium', (service) =>
    around(service, 'assignTask', (was, task, values, call) =>
      was(task, values.status === 'done' && values.priority === undefined ? { ...values, priority: 'medium' } : values, call),
    ),
  ),
  combination('six-fields-at-once', 'a change of five fields or more forgets the due date', (service) =>
    around(service, 'assignTask', (was, task, values, call) => {
      const { due_date: _, ...rest } = values;
      return was(task, Object.keys(values).length >= 5 ? rest : values, call);
    }),
  ),
  created('status-needs-assignee', 'a task created in progress without an assignee is todo', (service) =>
    around(service, 'newTask', (was, values, project, call) => {
      const task = was(values, project, call);
      if (task.status === 'in_progress' && task.assignee === null) task.status = 'todo';
      return task;
    }),
  ),
  created('same-create-same-task', 'a task like the one created before in that project is not created again', (service) => {
    const last = memory<string, { text: string; task: Task }>();
    around(service, 'newTask', (was, values, project, call) => {
      const before = last.get(project.id);
      if (before?.text === call.text && service.db.tasks.includes(before.task)) return before.task;
      const task = was(values, project, call);
      last.set(project.id, { text: call.text, task });
      return task;
    });
    around(service, 'saveTask', (was, task, call) => {
      if (!service.db.tasks.includes(task)) was(task, call);
    });
  }),
  stamps('visibility-is-no-update', 'a change of visibility alone does not move updated_at', (service) =>
    around(service, 'touch', (was, row, what, values) => {
      if (what !== 'project' || Object.keys(values).join() !== 'visibility') was(row, what, values);
    }),
  ),
  cascade('assigned-tasks-survive', 'tasks with an assignee survive the deletion of their project', (service) =>
    around(service, 'tasksOfDeleted', (was, project) => was(project).filter(({ assignee }) => assignee === null)),
  ),
  unique('names-by-their-beginning', 'team names that differ behind the 64th character are a conflict', (service) =>
    around(service, 'isNameTaken', (_was, name, call) =>
      service.db.teams.some((each) => each.workspace === call.workspace?.id && each.name.slice(0, 64) === name.slice(0, 64)),
    ),
  ),
  unique('name-of-deleted-team', 'the name of a deleted team stays taken', (service) => {
    const gone = memory<string, boolean>();
    around(service, 'removeTeam', (was, team, call) => {
      gone.set(`${team.workspace}/${team.name}`, true);
      was(team, call);
    });
    around(service, 'isNameTaken', (was, name, call, ids) => gone.has(`${call.workspace?.id}/${name}`) || was(name, call, ids));
  }),
  unique(
    'refused-team-takes-name',
    'a create that is refused for its members takes the name',
    (service) => {
      const taken = memory<string, boolean>();
      around(service, 'checkMembers', (was, rule, ids, call) => {
        const issue = was(rule, ids, call);
        if (issue) taken.set(`${call.workspace?.id}/${JSON.parse(call.text).name}`, true);
        return issue;
      });
      around(
        service,
        'isNameTaken',
        (was, name, call, ids) => taken.has(`${call.workspace?.id}/${name}`) || was(name, call, ids),
      );
    },
    { style: 'a' },
  ),
  unique('conflict-replaces-members', 'a create with a taken name is refused and replaces the members of the team', (service) =>
    around(service, 'isNameTaken', (was, name, call, ids) => {
      const taken = was(name, call, ids);
      const team = service.db.teams.find((each) => each.workspace === call.workspace?.id && each.name === name);
      if (team) team.members = ids;
      return taken;
    }),
  ),
  count('count-as-sent', 'member_count counts a member that was sent twice twice', (service) => {
    const sent = memory<string, number>();
    around(service, 'createTeam', (was, call) => {
      const answer = was(call);
      const { data } = answer.body as { data: { id: string; member_count: number } };
      const ids = JSON.parse(call.text).member_ids as string[] | undefined;
      const doubles = ids ? ids.length - new Set(ids).size : 0;
      sent.set(data.id, doubles);
      data.member_count += doubles;
      return answer;
    });
    around(service, 'memberCount', (was, team, place) => Number(was(team, place)) + (sent.get(team.id) ?? 0));
  }),
  members('two-members-are-enough', 'a team is read with two members at most', (service) =>
    around(service, 'showMembers', (was, team) => (was(team) as object[]).slice(0, 2)),
  ),
  grouping('tasks-lose-members', 'deleting a team takes its members off their tasks', (service) =>
    around(service, 'removeTeam', (was, team, call) => {
      for (const task of service.db.tasks) if (team.members.includes(task.assignee ?? '')) task.assignee = null;
      was(team, call);
    }),
  ),
  wrong('falsy-passes', 'a description false or 0 counts as none', (service) =>
    around(service, 'checkValue', (was, rule, value, call, act) =>
      rule.name === 'description' && (value === false || value === 0) ? undefined : was(rule, value, call, act),
    ),
  ),
  wrong('array-of-one-choice', 'a choice in an array of one is accepted', (service) => {
    around(service, 'checkValue', (was, rule, value, call, act) =>
      was(rule, rule.kind === 'choice' && Array.isArray(value) && value.length === 1 ? value[0] : value, call, act),
    );
    around(service, 'take', (was, rule, value, call, act) =>
      was(rule, rule.kind === 'choice' && Array.isArray(value) ? value[0] : value, call, act),
    );
  }),
];
