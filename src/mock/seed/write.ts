// The way back: a seed as a seed file, with absolute times and every id; reading it gives an equal seed.
import { groupBy } from '../../service/contract/keyed.ts';
import { writeTerms } from '../../service/contract/terms.ts';
import {
  BLANKS,
  type CommentRecord,
  type ProjectRecord,
  type RecordName,
  type Records,
  type Seed,
  type TaskRecord,
  type WorkspaceSeed,
} from '../../service/world/records.ts';
import type { SeedFile, WorkspaceFile } from './format.ts';

/** A record without what reading puts back: null where it starts with null, and an update that never was. */
const writeRecord = <N extends RecordName>(name: N, record: Records[N], left?: keyof Records[N]): Records[N] => {
  const { created_at, updated_at } = record as { readonly created_at: string; readonly updated_at?: string };
  const blank = BLANKS[name] as Readonly<Record<string, unknown>>;
  const isLeft = (field: string, value: unknown) =>
    field === left || (value === null && blank[field] === null) || (field === 'updated_at' && updated_at === created_at);
  return Object.fromEntries(Object.entries(record).filter(([field, value]) => !isLeft(field, value))) as unknown as Records[N];
};
const writeList = <N extends string, T, W>(name: N, records: readonly T[], write: (record: T) => W) =>
  (records.length === 0 ? {} : { [name]: records.map(write) }) as unknown as { readonly [K in N]?: readonly W[] };

/** Whether children, read parent by parent, come in the order that they have. */
const followParents = (parents: readonly { readonly id: string }[], owners: readonly string[]): boolean => {
  const order = new Map(parents.map(({ id }, i) => [id, i]));
  return owners.every((owner, i) => i === 0 || order.get(owners[i - 1]!)! <= order.get(owner)!);
};

/** Nested where nesting keeps the order of the lists, which breaks ties; loose where it does not. */
const writeWork = ({ projects, tasks, comments }: WorkspaceSeed): Pick<WorkspaceFile, 'projects' | 'tasks' | 'comments'> => {
  const projectOf = ({ project_id }: TaskRecord) => project_id;
  const taskOf = ({ task_id }: CommentRecord) => task_id;
  const [tasksNest, commentsNest] = [followParents(projects, tasks.map(projectOf)), followParents(tasks, comments.map(taskOf))];
  const tasksOf = groupBy(tasksNest ? tasks : [], projectOf);
  const commentsOf = groupBy(commentsNest ? comments : [], taskOf);
  const writeTask = (task: TaskRecord, left?: 'project_id') => ({
    ...writeRecord('tasks', task, left),
    ...writeList('comments', commentsOf.get(task.id) ?? [], (comment) => writeRecord('comments', comment, 'task_id')),
  });
  const writeProject = (project: ProjectRecord) => ({
    ...writeRecord('projects', project),
    ...writeList('tasks', tasksOf.get(project.id) ?? [], (task) => writeTask(task, 'project_id')),
  });
  return {
    ...writeList('projects', projects, writeProject),
    ...writeList('tasks', tasksNest ? [] : tasks, (task) => writeTask(task)),
    ...writeList('comments', commentsNest ? [] : comments, (comment) => writeRecord('comments', comment)),
  };
};

const writeWorkspace = (workspace: WorkspaceSeed): WorkspaceFile => {
  const { id, name, plan, window_ms, users, keys, teams, webhooks } = workspace;
  return {
    id,
    name,
    ...(typeof plan === 'number' ? { requests_per_minute: plan } : { plan }),
    ...(window_ms === undefined ? {} : { window_ms }),
    users: users.map((user) => writeRecord('users', user, user.state === 'joined' ? 'state' : undefined)),
    api_keys: keys.map((key) => writeRecord('keys', key, key.revoked ? undefined : 'revoked')),
    ...writeWork(workspace),
    ...writeList('teams', teams, (team) => writeRecord('teams', team)),
    ...writeList('webhooks', webhooks, (webhook) => writeRecord('webhooks', webhook)),
  };
};

/** The seed file of a seed. Choices at open points are written where they are not the defaults. */
export const writeSeed = (seed: Seed): SeedFile => ({
  ...(seed.now === null ? {} : { now: new Date(seed.now).toISOString() }),
  random_seed: seed.randomSeed,
  ...writeTerms(seed),
  workspaces: seed.workspaces.map(writeWorkspace),
  ...(seed.progress === undefined ? {} : { progress: seed.progress }),
});

/** Longer seeds are written as JSON, which is YAML too and is read at once. */
const MAX_YAML_CHARS = 1_000_000;
/** Signs that UTF-8 cannot hold or an editor may change, and lines whose blanks a block would lose. */
const FRAGILE = /[^\P{C}\n]|^\s|\s$|[^\S\n]\n|\n[^\S\n]/u;

export const seedText = async (seed: Seed, language: 'yaml' | 'json'): Promise<string> => {
  const file = writeSeed(seed);
  const json = `${JSON.stringify(file, null, 2)}\n`;
  if (language === 'json' || json.length > MAX_YAML_CHARS) return json;
  const { Document, visit } = await import('yaml');
  const document = new Document(file, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && FRAGILE.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0, doubleQuotedAsJSON: true });
};
