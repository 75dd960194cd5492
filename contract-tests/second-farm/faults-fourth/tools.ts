// Tools for the faults of this folder.

import type { Answer, Call, Fields, Operation, Place, Problem, Project, Row, Task, Team } from '../../judge/reference/model.ts';
import type { ListName, Query } from '../../judge/reference/service/lists.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around } from '../faults/fault.ts';

/** The JSON object of a request; empty when there is none. */
export const sent = (call: Call): Fields => {
  try {
    return Object(JSON.parse(call.text));
  } catch {
    return {};
  }
};

/** Refuses some requests that are in order. */
export const refuses = (
  service: Service,
  operations: readonly Operation[],
  when: (call: Call) => boolean,
  problem: (call: Call) => Problem,
): void =>
  around(service, 'perform', (was, call, operation) => {
    if (operations.includes(operation) && when(call)) throw problem(call);
    return was(call, operation);
  });

/** Does something behind requests that succeeded. */
export const onSuccess = (
  service: Service,
  operations: readonly Operation[],
  effect: (call: Call, answer: Answer) => void,
): void =>
  around(service, 'perform', (was, call, operation) => {
    const answer = was(call, operation);
    if (operations.includes(operation)) effect(call, answer);
    return answer;
  });

export const showsTask = (service: Service, places: readonly Place[], change: (fields: Fields, task: Task) => Fields): void =>
  around(service, 'showTask', (was, task, place) => (places.includes(place) ? change(was(task, place), task) : was(task, place)));

export const showsProject = (
  service: Service,
  places: readonly Place[],
  change: (fields: Fields, project: Project) => Fields,
): void =>
  around(service, 'showProject', (was, project, place) =>
    places.includes(place) ? change(was(project, place), project) : was(project, place),
  );

export const showsTeam = (service: Service, places: readonly Place[], change: (fields: Fields, team: Team) => Fields): void =>
  around(service, 'showTeam', (was, team, place) => (places.includes(place) ? change(was(team, place), team) : was(team, place)));

/** Keeps some of the tasks of projects only. */
export const projectTasksWhere = (service: Service, keep: (task: Task, call: Call) => boolean): void =>
  around(service, 'projectTaskRows', (was, call, project) => was(call, project).filter((row) => keep(row as Task, call)));

/** Decides anew whether a row fits a filter on a field. */
export const fits = (
  service: Service,
  field: string,
  change: (fits: boolean, value: string, row: Task, query: Query) => boolean,
): void =>
  around(service, 'matches', (was, filter, row, query) =>
    filter.field === field ? change(was(filter, row, query), filter.value, row as Task, query) : was(filter, row, query),
  );

/** Changes the metadata of some lists. */
export const metaOf = (service: Service, names: readonly ListName[], change: (meta: Fields, query: Query) => Fields): void =>
  around(service, 'meta', (was, total, items, more, query) =>
    names.includes(query.listing.name) ? change(was(total, items, more, query), query) : was(total, items, more, query),
  );

/** Changes the total of some lists. */
export const totals = (
  service: Service,
  names: readonly ListName[],
  change: (total: number, query: Query, rest: readonly Row[]) => number,
): void =>
  around(service, 'total', (was, matching, rest, query) =>
    names.includes(query.listing.name) ? change(was(matching, rest, query), query, rest) : was(matching, rest, query),
  );

/** Changes the error object of some problems. */
export const errorOf = (service: Service, change: (error: Fields, problem: Problem) => Fields): void =>
  around(service, 'errorBody', (was, problem) => ({ error: change((was(problem) as { error: Fields }).error, problem) }));

/** Changes problems that name failing fields. */
export const refusedWith = (service: Service, change: (problem: Problem, call: Call) => Problem | undefined): void =>
  around(service, 'invalid', (was, status, issues, call) => {
    const problem = was(status, issues, call);
    return change(problem, call) ?? problem;
  });

export const LISTS: readonly ListName[] = ['project', 'task', 'team', 'comment', 'member'];
