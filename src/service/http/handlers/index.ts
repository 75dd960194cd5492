// One handler for each row of the table of operations (spec: Endpoints), and the rules of bodies that need the world.
import { type FieldIssue, Problem } from '../../contract/errors.ts';
import type { Referred } from '../../contract/fields.ts';
import type { Body, OPERATIONS, Operation, OperationId, Output } from '../../contract/operations.ts';
import { listPage, type PageOf } from '../../lists/page.ts';
import type { ListQuery } from '../../lists/query.ts';
import { receiverProblem } from '../../validation/receiver-url.ts';
import type { Row } from '../../world/collection.ts';
import { BLANKS, FIELDS, NAMES, ofEach, type RecordName, type Records } from '../../world/records.ts';
import type { View } from '../../world/view.ts';
import {
  ALL_BY_AGE,
  applyPatch,
  removeRecords,
  showComment,
  showMember,
  showProfile,
  showProject,
  showTask,
  showTeam,
  showTeamDetail,
  showWebhook,
} from './edit-records.ts';

type OperationTable = typeof OPERATIONS;

type FoundRow<Id extends OperationId> = OperationTable[Id] extends { finds: infer N extends keyof Records }
  ? Row<Records[N]>
  : undefined;

interface HandlerInput<Id extends OperationId> {
  readonly found: FoundRow<Id>;
  readonly query: OperationTable[Id] extends { list: unknown } ? ListQuery : undefined;
  readonly body: Body<Id>;
}

/** The output of an operation, before it is put into its envelope. */
type HandlerOutput<Id extends OperationId> =
  Output<Id> extends { readonly items: readonly (infer T)[] }
    ? PageOf<T>
    : Output<Id> extends { readonly data: infer T }
      ? T
      : undefined;

export type Handler<Id extends OperationId> = (view: View, input: HandlerInput<Id>) => HandlerOutput<Id>;

const nameIsTaken = (view: View, name: string): boolean => {
  if (view.choices['team-name-comparison'] === 'exact') return view.findBy('teams', 'name', name).length > 0;
  const lower = name.toLowerCase();
  return view
    .list('teams', ALL_BY_AGE, [])
    .rows()
    .some(({ value }) => value.name.toLowerCase() === lower);
};

/** One handler an operation: leave one out and it does not compile. */
export const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
  listProjects: (view, { query }) => listPage(view, 'projects', showProject, query),
  createProject: (view, { body }) => showProject(view.create('projects', { ...body, owner_id: view.caller.user.id })),
  getProject: (_view, { found }) => showProject(found.value),
  updateProject: (view, { found, body }) => showProject(applyPatch(view, 'projects', found, body)),
  deleteProject: (view, { found }) => removeRecords(view, 'projects', [found]),

  listProjectTasks: (view, { found, query }) => listPage(view, 'tasks', showTask, query, { project_id: found.value.id }),
  listTasks: (view, { query }) => listPage(view, 'tasks', showTask, query),
  createTask: (view, { found, body }) => showTask(view.create('tasks', { ...body, project_id: found.value.id })),
  getTask: (_view, { found }) => showTask(found.value),
  updateTask: (view, { found, body }) => showTask(applyPatch(view, 'tasks', found, body)),
  deleteTask: (view, { found }) => removeRecords(view, 'tasks', [found]),
  listTaskComments: (view, { found, query }) => listPage(view, 'comments', showComment, query, { task_id: found.value.id }),

  getMe: (view) => showProfile(view.caller.user),
  listMembers: (view, { query }) => {
    const within = view.choices['invited-members'] === 'listed' ? {} : { state: 'joined' };
    return listPage(view, 'users', showMember, query, within);
  },

  listTeams: (view, { query }) => listPage(view, 'teams', showTeam, query),
  createTeam: (view, { body }) => {
    if (nameIsTaken(view, body.name)) {
      const fields = [{ field: 'name', issue: 'is already the name of a team in this workspace' }];
      const says = 'A team of this workspace already has this name.';
      throw new Problem(409, view.choices['conflict-code'], says, { fields, check: 'rules' });
    }
    return showTeam(view.create('teams', body));
  },
  getTeam: (view, { found }) => showTeamDetail(view)(found.value),
  deleteTeam: (view, { found }) => removeRecords(view, 'teams', [found]),

  createWebhook: (view, { body }) => {
    const every = view.terms.contract.events;
    const all = view.choices['webhook-events-absent'] === 'none' ? [] : every;
    const named = (body.events as readonly string[] | undefined)?.includes('*') ? every : body.events;
    const id = view.newId('webhooks');
    const secret = view.newSecret();
    const record = { ...BLANKS.webhooks, ...body, id, events: named ?? all, secret, created_at: view.now() };
    return showWebhook(view.insert('webhooks', record));
  },
};

const refersToRecord = (view: View, refers: Referred, id: string): boolean =>
  (refers === 'users' ? view.member(id) : view.find(refers, id)) !== undefined;

const referenceIssue = (view: View, refers: Referred, value: unknown): string | undefined => {
  const kind = refers.slice(0, -1);
  if (!Array.isArray(value))
    return refersToRecord(view, refers, value as string) ? undefined : `must be the id of a ${kind} of this workspace`;
  const unknown = new Set(value.filter((id) => !refersToRecord(view, refers, id)));
  if (unknown.size === 0) return undefined;
  return `must be ids of ${refers} of this workspace; unknown: ${[...unknown].slice(0, 5).join(', ')}`;
};

const REFERENCES = ofEach((name) => FIELDS[name].flatMap(({ name: field, refers }) => (refers ? [{ field, refers }] : [])));

/** The collection of the record that an operation shows, makes or changes: the last one that its path names. */
export const recordNameIn = ({ path }: Operation): RecordName | undefined =>
  path.split('/').findLast((part): part is RecordName => NAMES.includes(part as RecordName));

/** Rules about a body that need the world; they are shown only the fields that are sound in themselves. */
export const issuesInWorld = (view: View, row: Operation, body: Readonly<Record<string, unknown>>): readonly FieldIssue[] => {
  const name = recordNameIn(row)!;
  const issues = REFERENCES[name].map(({ field, refers }) => ({
    field,
    issue: body[field] == null ? undefined : referenceIssue(view, refers, body[field]),
  }));
  if (name === 'webhooks' && body.url !== undefined)
    issues.push({ field: 'url', issue: receiverProblem(body.url as string, view.choices['webhook-url']) });
  return issues.filter((one): one is FieldIssue => one.issue !== undefined);
};
