// Faults of changes: falsy values, serializers and objects that were not refreshed.

import { Problem } from '../../judge/reference/model.ts';
import { around, clause, type Fault, memory } from '../faults/fault.ts';
import { sent, showsProject, showsTask } from '../faults-fourth/tools.ts';
import { onPatch } from '../faults-third/tools.ts';

const subset = clause(144, 'any subset of name, description, visibility; omitted fields unchanged');
const project = clause(144, '`data` = updated project');
const combination = clause(157, 'any combination of the create fields; omitted fields unchanged');
const settable = clause(116, 'The status can be set by `PATCH /tasks/{task_id}`.');
const low = clause(53, '`low`, `medium`, `high`, `urgent`; default `medium`');
const mark = clause(39, 'changes when the project is updated');
const created = clause(55, '| created_at | string (datetime) | no (server-set) |');
const rules = clause(289, 'well-formed request failing semantic rules');

export const faults: readonly Fault[] = [
  subset('visibility-alone-clears-description', 'PATCH with nothing but a visibility clears the description', (s) =>
    around(s, 'assignProject', (was, row, values, call) => {
      const changed = was(row, values, call);
      if (Object.keys(values).join() === 'visibility') row.description = null;
      return changed;
    }),
  ),
  subset('patch-empty-description-ignored', 'an empty description in PATCH is taken for none sent', (s) =>
    around(s, 'assignProject', (was, row, values, call) => {
      const { description, ...rest } = values;
      return was(row, description === '' ? rest : values, call);
    }),
  ),
  subset('rename-to-itself-409', 'PATCH with the name that the project has gives 409', (s) =>
    around(s, 'assignProject', (was, row, values, call) => {
      if (values.name === row.name) throw new Problem(409, s.style.conflictCode, 'The name is taken.');
      return was(row, values, call);
    }),
  ),
  combination('status-lost-beside-priority', 'PATCH with a priority and a status sets the priority alone', (s) =>
    onPatch(s, (row, values, before) => {
      if (values.priority !== undefined && values.status !== undefined) row.status = before.status;
    }),
  ),
  settable('patch-backlog-ignored', 'PATCH cannot set the first status, whose number is 0', (s) =>
    onPatch(s, (row, values, before) => {
      if (values.status === 'backlog') row.status = before.status;
    }),
  ),
  low('low-becomes-default', 'the first priority, whose number is 0, becomes the default in a new task', (s) =>
    around(s, 'newTask', (was, values, inside, call) =>
      was(values.priority === 'low' ? { ...values, priority: undefined } : values, inside, call),
    ),
  ),
  mark('project-mark-by-minute', 'updated_at of a project that is changed is cut to the minute', (s) =>
    around(s, 'touch', (was, row, what, values) => {
      was(row, what, values);
      if (what === 'project') row.updated -= row.updated % 60_000;
    }),
  ),
  mark('read-moves-project-mark', 'reading a project moves its updated_at', (s) =>
    around(s, 'readProject', (was, call) => {
      s.projectOf(call).updated = s.now();
      return was(call);
    }),
  ),
  created('patch-moves-task-created', 'PATCH moves the created_at of a task, a timestamp column that follows updates', (s) =>
    onPatch(s, (row) => {
      row.created = s.now();
    }),
  ),
  combination('patch-answer-assignee-object', 'the answer to PATCH has the assignee as an object', (s) =>
    showsTask(s, ['changed'], (fields) => (fields.assignee_id ? { ...fields, assignee_id: { id: fields.assignee_id } } : fields)),
  ),
  project('patch-answer-old-mark', 'the answer to PATCH has the updated_at from before', (s) => {
    const before = memory<string, unknown>();
    around(s, 'assignProject', (was, row, values, call) => {
      before.set(row.id, s.stamp(row.updated, 'project.updated_at'));
      return was(row, values, call);
    });
    showsProject(s, ['changed'], (fields, row) => ({ ...fields, updated_at: before.get(row.id) }));
  }),
  rules('refused-patch-half-saved', 'a PATCH of a project that is refused for another field has set the name', (s) =>
    around(s, 'readFields', (was, call, resource, act) => {
      try {
        return was(call, resource, act);
      } catch (error) {
        const { name } = sent(call);
        if (resource === 'project' && act === 'change' && typeof name === 'string' && name.length > 0 && name.length <= 150)
          s.projectOf(call).name = name;
        throw error;
      }
    }),
  ),
];
