// The way back: a seed as a seed file, with absolute times and every id; reading it gives an equal seed.
import { writeTerms } from '../../service/contract/terms.ts';
import {
  BLANKS,
  type CommentRecord,
  type KeyRecord,
  type ProjectRecord,
  type RecordName,
  type Records,
  type Seed,
  type TaskRecord,
  type UserRecord,
  type WorkspaceSeed,
} from '../../service/world/records.ts';
import type { SeedFile, WorkspaceFile } from './format.ts';

/** A record without what reading puts back: null where it starts with null, and an update that never was. */
const written = <N extends RecordName>(name: N, record: Records[N]): Records[N] => {
  const { created_at, updated_at } = record as { readonly created_at: string; readonly updated_at?: string };
  const blank = BLANKS[name] as Readonly<Record<string, unknown>>;
  const said = Object.entries(record).filter(
    ([field, value]) => !(value === null && blank[field] === null) && !(field === 'updated_at' && updated_at === created_at),
  );
  return Object.fromEntries(said) as unknown as Records[N];
};
const without = <T extends object, K extends keyof T>(record: T, name: K): Omit<T, K> => {
  const { [name]: _, ...rest } = record;
  return rest;
};
/** A list under its name, or nothing when it is empty. */
const listed = <N extends string, T>(name: N, list: readonly T[]) =>
  (list.length === 0 ? {} : { [name]: list }) as { readonly [K in N]?: readonly T[] };

/** Whether children, read parent by parent, come in the order that they have. */
const followParents = (parents: readonly { readonly id: string }[], owners: readonly string[]): boolean => {
  const order = new Map(parents.map(({ id }, i) => [id, i]));
  return owners.every((owner, i) => i === 0 || order.get(owners[i - 1]!)! <= order.get(owner)!);
};

const groups = <T>(records: readonly T[], ownerOf: (record: T) => string): ReadonlyMap<string, readonly T[]> => {
  const found = new Map<string, T[]>();
  for (const record of records) {
    const group = found.get(ownerOf(record));
    if (group) group.push(record);
    else found.set(ownerOf(record), [record]);
  }
  return found;
};

const writeUser = (user: UserRecord) => {
  const { state, ...rest } = written('users', user);
  return state === 'joined' ? rest : { ...rest, state };
};

const writeKey = (key: KeyRecord) => {
  const said = written('keys', key);
  return key.revoked ? said : without(said, 'revoked');
};

type WorkPart = Pick<WorkspaceFile, 'projects' | 'tasks' | 'comments'>;

/** Nested where nesting keeps the order of the lists, which breaks ties; loose where it does not. */
const writeWork = ({ projects, tasks, comments }: WorkspaceSeed): WorkPart => {
  const projectOf = ({ project_id }: TaskRecord) => project_id;
  const taskOf = ({ task_id }: CommentRecord) => task_id;
  const nestTasks = followParents(projects, tasks.map(projectOf));
  const nestComments = followParents(tasks, comments.map(taskOf));
  const commentsOf = nestComments ? groups(comments, taskOf) : new Map<string, CommentRecord[]>();
  const tasksOf = nestTasks ? groups(tasks, projectOf) : new Map<string, TaskRecord[]>();
  const writeTask = (task: TaskRecord) => {
    const own = (commentsOf.get(task.id) ?? []).map((comment) => without(written('comments', comment), 'task_id'));
    return { ...written('tasks', task), ...listed('comments', own) };
  };
  const writeProject = (project: ProjectRecord) => {
    const own = (tasksOf.get(project.id) ?? []).map((task) => without(writeTask(task), 'project_id'));
    return { ...written('projects', project), ...listed('tasks', own) };
  };
  return {
    ...listed('projects', projects.map(writeProject)),
    ...(nestTasks ? {} : listed('tasks', tasks.map(writeTask))),
    ...(nestComments
      ? {}
      : listed(
          'comments',
          comments.map((comment) => written('comments', comment)),
        )),
  };
};

const writeWorkspace = (workspace: WorkspaceSeed): WorkspaceFile => {
  const { id, name, plan, window_ms, users, keys, teams, webhooks } = workspace;
  return {
    id,
    name,
    ...(typeof plan === 'number' ? { requests_per_minute: plan } : { plan }),
    ...(window_ms === undefined ? {} : { window_ms }),
    users: users.map(writeUser),
    api_keys: keys.map(writeKey),
    ...writeWork(workspace),
    ...listed(
      'teams',
      teams.map((team) => written('teams', team)),
    ),
    ...listed(
      'webhooks',
      webhooks.map((webhook) => written('webhooks', webhook)),
    ),
  };
};

/** The seed file that stands for a seed. Answers to open points are written where they are not ours. */
export const writeSeed = (seed: Seed): SeedFile => {
  return {
    ...(seed.now === null ? {} : { now: new Date(seed.now).toISOString() }),
    random_seed: seed.randomSeed,
    ...writeTerms(seed),
    workspaces: seed.workspaces.map(writeWorkspace),
    ...(seed.progress === undefined ? {} : { progress: seed.progress }),
  };
};

/** The same as text. */
export const seedText = async (seed: Seed, language: 'yaml' | 'json'): Promise<string> => {
  const file = writeSeed(seed);
  if (language === 'json') return `${JSON.stringify(file, null, 2)}\n`;
  const { stringify } = await import('yaml');
  return stringify(file, { aliasDuplicateObjects: false, lineWidth: 0 });
};
