// Tools for the faults of this folder.

import {
  type Answer,
  type Call,
  type Fields,
  type Operation,
  Problem,
  type Project,
  type Task,
  type Team,
} from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, isOn } from '../faults/fault.ts';

/** Changes bodies before they are checked. */
export const bodies = (service: Service, operations: readonly Operation[], change: (body: Fields) => Fields): void =>
  around(service, 'readBody', (was, call) => (isOn(call, ...operations) ? change(was(call)) : was(call)));

/** Changes one field of bodies, where it is sent, before it is checked; undefined leaves it out. */
export const coerces = (
  service: Service,
  operations: readonly Operation[],
  field: string,
  change: (value: unknown) => unknown,
): void => bodies(service, operations, (body) => (Object.hasOwn(body, field) ? { ...body, [field]: change(body[field]) } : body));

/** Changes what is answered to some errors. */
export const failsWith = (service: Service, change: (answer: Answer, problem: Problem, call: Call) => unknown): void =>
  around(service, 'fail', (was, error, call) => {
    const answer = was(error, call);
    return error instanceof Problem ? { ...answer, body: change(answer, error, call) } : answer;
  });

export const errorIn = (answer: Answer): Fields => (answer.body as { error: Fields }).error;

/** The records that were deleted while the server ran. */
export const deleted = (service: Service) => {
  const gone = { projects: [] as Project[], tasks: [] as Task[], teams: [] as Team[] };
  around(service, 'removeProject', (was, project, call) => {
    gone.projects.push(project);
    was(project, call);
  });
  around(service, 'removeTask', (was, task, because) => {
    gone.tasks.push(task);
    was(task, because);
  });
  around(service, 'removeTeam', (was, team, call) => {
    gone.teams.push(team);
    was(team, call);
  });
  return gone;
};

/** Changes how a time is written. */
export const written = (service: Service, what: string, change: (text: string) => string | number): void =>
  around(service, 'stamp', (was, at, which) => (which === what ? change(String(was(at, which))) : was(at, which)));

/** Changes the text of a due date before it is read. */
export const dueText = (service: Service, change: (text: string) => string, only?: 'create' | 'change'): void =>
  around(service, 'moment', (was, text, act) => was(!only || only === act ? change(text) : text, act));

export const hasFilter = (call: Call, field: string): boolean => call.query.has(`filter[${field}]`);
