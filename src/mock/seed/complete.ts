// From a correct seed file to a complete seed: what was left out is made, times become absolute, nesting becomes lists.
import { choose } from '../../service/contract/choices.ts';
import { DEFAULT_PLAN } from '../../service/contract/limits.ts';
import { EVENT_NAMES, type EventName } from '../../service/contract/resources.ts';
import { readTerms } from '../../service/contract/terms.ts';
import { newKeyValue, newSecret } from '../../service/world/ids.ts';
import { BLANKS, type Records, type Seed, type WorkspaceSeed } from '../../service/world/records.ts';
import type { SeedFile, WorkspaceFile } from './format.ts';
import type { Generate, WorkRecords } from './generate.ts';
import type { PausableWork } from './pausable-work.ts';
import {
  createSeedContext,
  hostOf,
  idMaker,
  makeUnique,
  nameFromId,
  personName,
  randomFor,
  type SeedContext,
} from './seed-context.ts';
import type { SeedTimeReader } from './times.ts';

const completeUsers = (making: SeedContext, { id: workspace, users = [] }: WorkspaceFile): Records['users'][] =>
  users.map((user) => {
    const id = making.idOf('users', user);
    const name = user.name ?? personName(making.random);
    const email = user.email ?? making.createEmail(name, id, hostOf(workspace));
    return making.createRecord('users', user, { id, name, email, role: 'member' });
  });

const completeKeys = (making: SeedContext, { api_keys }: WorkspaceFile, owner: string): Records['keys'][] =>
  api_keys.map((key) =>
    making.createRecord('keys', key, {
      value: key.value ?? newKeyValue(making.random),
      name: `${nameFromId(key.scope ?? BLANKS.keys.scope)} key`,
      user_id: owner,
    }),
  );

const completeTeams = (making: SeedContext, { teams = [] }: WorkspaceFile, taken: Set<string>): Records['teams'][] =>
  teams.map((team) => {
    const name = team.name ?? makeUnique(taken, (suffix) => `Team${suffix}`, ' ');
    return making.createRecord('teams', team, { name, ...making.timesOf(team) });
  });

const completeWebhooks = (making: SeedContext, { webhooks = [] }: WorkspaceFile): Records['webhooks'][] =>
  webhooks.map(({ events, ...webhook }) => {
    const { url, secret = newSecret(making.random) } = webhook;
    return making.createRecord('webhooks', { ...webhook, events: eventsOf(events) }, { url, secret });
  });

const eventsOf = (events: string | readonly string[] = 'all'): readonly EventName[] => {
  const all = typeof events === 'string' || events.some((event) => event === 'all' || event === '*');
  return all ? EVENT_NAMES : (events as readonly EventName[]);
};

/** Three lists out of nested or loose records. @param owner the default owner */
const completeWork = (making: SeedContext, file: WorkspaceFile, owner: string): WorkRecords => {
  const { projects = [], tasks: looseTasks = [], comments: looseComments = [] } = file;
  /** The earliest moment of what each parent holds: no parent is younger. */
  const earliest = new Map<string, string>();
  const note = (parent: string, time: string) => {
    if (time < (earliest.get(parent) ?? making.start)) earliest.set(parent, time);
  };
  // Parents before children, for ids are made in this order; then children before parents, for the times of these follow.
  const projectIds = projects.map((project) => making.idOf('projects', project));
  const placed = [
    ...projects.flatMap(({ tasks = [] }, p) => tasks.map((task) => ({ task, project_id: projectIds[p]! }))),
    ...looseTasks.map((task) => ({ task, project_id: task.project_id })),
  ];
  const taskIds = placed.map(({ task }) => making.idOf('tasks', task));
  const comments = [
    ...placed.flatMap(({ task }, t) => (task.comments ?? []).map((comment) => ({ comment, task_id: taskIds[t]! }))),
    ...looseComments.map((comment) => ({ comment, task_id: comment.task_id })),
  ].map(({ comment, task_id }) => {
    const record = making.createRecord('comments', comment, { task_id, author_id: owner, body: comment.body });
    note(task_id, record.created_at);
    return record;
  });
  const tasks = placed.map(({ task, project_id }, t) => {
    const id = taskIds[t]!;
    const { title } = task;
    const { created_at, updated_at } = making.timesOf(task, earliest.get(id));
    note(project_id, created_at);
    // One of many: a copy with these members alone is made fast.
    return making.fillRecord('tasks', task, { ...BLANKS.tasks, id, project_id, title, created_at, updated_at });
  });
  const projectRecords = projects.map((project, p) => {
    const [id, name] = [projectIds[p]!, `Project ${p + 1}`];
    const times = making.timesOf(project, earliest.get(id));
    return making.createRecord('projects', project, { id, name, owner_id: owner, ...times });
  });
  return { projects: projectRecords, tasks, comments };
};

/** Long lists are not copied for nothing. */
const concatLists = <T>(own: readonly T[], more?: readonly T[]): readonly T[] => (more ? [...own, ...more] : own);

/** Every record of a correct workspace file. @param first the default owner; left out: the file's first user */
export function* completeWorkspace(
  making: SeedContext,
  file: WorkspaceFile,
  { generate, first }: { readonly generate?: Generate | undefined; readonly first?: string } = {},
): PausableWork<WorkspaceSeed> {
  const own = completeUsers(making, file);
  const generated = file.generate && generate?.(making, file.id, file.generate);
  const users = concatLists(own, generated?.users);
  const owner = first ?? users[0]!.id;
  const names = new Set((file.teams ?? []).flatMap(({ name }) => name ?? []));
  const teams = completeTeams(making, file, names);
  const work = completeWork(making, file, owner);
  const more = generated && (yield* generated.work(users, names));
  return {
    id: file.id,
    name: file.name ?? nameFromId(file.id),
    plan: file.requests_per_minute ?? file.plan ?? DEFAULT_PLAN,
    ...(file.window_ms === undefined ? {} : { window_ms: file.window_ms }),
    users,
    keys: completeKeys(making, file, owner),
    projects: concatLists(work.projects, more?.projects),
    tasks: concatLists(work.tasks, more?.tasks),
    comments: concatLists(work.comments, more?.comments),
    teams: concatLists(teams, more?.teams),
    webhooks: completeWebhooks(making, file),
  };
}

interface IdHolder {
  readonly id?: string;
  readonly tasks?: readonly IdHolder[];
  readonly comments?: readonly IdHolder[];
}

const addIds = (ids: Set<string>, records: readonly IdHolder[]): void => {
  for (const { id, tasks, comments } of records) {
    if (id !== undefined) ids.add(id);
    if (tasks) addIds(ids, tasks);
    if (comments) addIds(ids, comments);
  }
};

/** The seed of a correct file. @param start where the file stops the clock; null: nowhere. @param generate for files that ask for generated records */
export function* complete(
  file: SeedFile,
  start: number | null,
  times: SeedTimeReader,
  randomSeed: number,
  generate?: Generate,
): PausableWork<Seed> {
  const ids = new Set<string>();
  for (const lists of file.workspaces.map(Object.values)) for (const list of lists) if (Array.isArray(list)) addIds(ids, list);
  const making = createSeedContext(times, {
    random: randomFor(randomSeed, 'seed'),
    makeId: idMaker(ids, choose(file.choices)['id-style']),
    emails: new Set(file.workspaces.flatMap(({ users = [] }) => users.flatMap(({ email }) => email ?? []))),
    randomSeed,
  });
  const workspaces: WorkspaceSeed[] = [];
  for (const workspace of file.workspaces) workspaces.push(yield* completeWorkspace(making, workspace, { generate }));
  const progress = file.progress === undefined ? {} : { progress: file.progress };
  return { now: start, randomSeed, ...readTerms(file), workspaces, ...progress };
}
