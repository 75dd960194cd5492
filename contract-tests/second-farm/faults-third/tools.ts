// Tools for the faults of this folder, and for those of the fourth set.

import type { Answer, Call, Fields, Operation, Project, Task } from '../../judge/reference/model.ts';
import type { ListName } from '../../judge/reference/service/lists.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, memory } from '../faults/fault.ts';

/** Keeps the answers to reads for so many milliseconds. `forgets` says which names a call wipes out, by their beginning. */
export const cached = (
  service: Service,
  ms: number,
  nameOf: (call: Call) => string | undefined,
  forgets: (call: Call) => string | undefined = () => undefined,
): void => {
  const held = memory<string, { readonly at: number; readonly answer: Answer }>();
  around(service, 'perform', (was, call, operation) => {
    const name = call.method === 'GET' ? nameOf(call) : undefined;
    const known = name === undefined ? undefined : held.get(name);
    if (known && service.now() - known.at < ms) return known.answer;
    const answer = was(call, operation);
    const gone = forgets(call);
    if (gone !== undefined) for (const each of [...held.keys()]) if (each.startsWith(gone)) held.delete(each);
    if (name !== undefined) held.set(name, { at: service.now(), answer });
    return answer;
  });
};

/** The query of a call without some parameters, as part of a name. */
export const queryWithout = (call: Call, drop: (name: string) => boolean): string =>
  [...call.query].filter(([name]) => !drop(name)).join('&');

/** Changes the answers of success of some operations. */
export const answers = (
  service: Service,
  operations: readonly Operation[],
  change: (answer: Answer, call: Call) => Answer,
): void =>
  around(service, 'perform', (was, call, operation) => {
    const answer = was(call, operation);
    return operations.includes(operation) ? change(answer, call) : answer;
  });

/** Changes the `data` of some operations. */
export const dataOf = (service: Service, operations: readonly Operation[], change: (data: Fields, call: Call) => unknown): void =>
  answers(service, operations, (answer, call) => ({
    ...answer,
    body: { data: change((answer.body as { data: Fields }).data, call) },
  }));

/** Changes the rows of some lists. */
export const rowsOf = (
  service: Service,
  names: readonly ListName[],
  change: (fields: Fields, index: number, all: readonly Fields[], call: Call) => Fields,
): void =>
  around(service, 'page', (was, items, meta, query) =>
    was(
      names.includes(query.listing.name) ? items.map((each, index) => change(each, index, items, query.call)) : items,
      meta,
      query,
    ),
  );

/** Every task as it was when it was made. */
export const tasksAtFirst = (service: Service): Map<string, Task> => {
  const first = memory<string, Task>();
  for (const task of service.db.tasks) first.set(task.id, { ...task });
  around(service, 'saveTask', (was, task, call) => {
    first.set(task.id, { ...task });
    was(task, call);
  });
  return first;
};

/** Every project as it was when it was made. */
export const projectsAtFirst = (service: Service): Map<string, Project> => {
  const first = memory<string, Project>();
  for (const project of service.db.projects) first.set(project.id, { ...project });
  around(service, 'saveProject', (was, project, call) => {
    first.set(project.id, { ...project });
    was(project, call);
  });
  return first;
};

/** What a client can set of a task. */
export const settable = ({ title, description, assignee, due, priority, status }: Task): Partial<Task> => ({
  title,
  description,
  assignee,
  due,
  priority,
  status,
});

/** Changes a task after a PATCH. */
export const onPatch = (service: Service, change: (task: Task, sent: Fields, before: Task, call: Call) => void): void =>
  around(service, 'assignTask', (was, task, sent, call) => {
    const before = { ...task };
    const changed = was(task, sent, call);
    change(task, sent, before, call);
    return changed;
  });

/** Changes texts on their way into the store. */
export const takenText = (
  service: Service,
  change: (text: string) => string,
  when: (field: string, call: Call) => boolean = () => true,
): void =>
  around(service, 'takeText', (was, each, value, call, act) => {
    const text = was(each, value, call, act);
    return each.kind === 'text' && when(each.name, call) ? change(text) : text;
  });
