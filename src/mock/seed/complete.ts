// From a correct seed file to a complete seed: what was left out is made, times become absolute, nesting becomes lists.
import { DEFAULT_PLAN } from '../../service/contract/limits.ts';
import { EVENT_NAMES, type EventName } from '../../service/contract/resources.ts';
import { readTerms } from '../../service/contract/terms.ts';
import { newKeyValue, newSecret } from '../../service/world/random.ts';
import { BLANKS, type Records, type Seed, type WorkspaceSeed } from '../../service/world/records.ts';
import { completeWork } from './complete-work.ts';
import type { SeedFile, WorkspaceFile } from './format.ts';
import type { Generate } from './generate.ts';
import { hostOf, makeUnique, nameFromId, personName } from './missing-values.ts';
import type { PausableWork } from './pausable-work.ts';
import { createSources, SeedContext } from './seed-context.ts';
import type { SeedTimeReader } from './times.ts';

const completeUsers = (making: SeedContext, { id: workspace, users = [] }: WorkspaceFile): Records['users'][] =>
  users.map((user) => {
    const id = making.id('users', user);
    const name = user.name ?? personName(making.random);
    const email = user.email ?? making.email(name, id, hostOf(workspace));
    return making.record('users', { ...user, id }, { name, email, role: 'member' });
  });

const completeKeys = (making: SeedContext, { api_keys }: WorkspaceFile, owner: string): Records['keys'][] =>
  api_keys.map((key) =>
    making.record('keys', key, {
      value: key.value ?? newKeyValue(making.random),
      name: `${nameFromId(key.scope ?? BLANKS.keys.scope)} key`,
      user_id: owner,
    }),
  );

const completeTeams = (making: SeedContext, { teams = [] }: WorkspaceFile, taken: Set<string>): Records['teams'][] =>
  teams.map((team) => {
    const updated = making.time(team.updated_at);
    const created_at = making.time(team.created_at) ?? (updated !== undefined && updated < making.start ? updated : making.start);
    const name = team.name ?? makeUnique(taken, (suffix) => `Team${suffix}`, ' ');
    return making.record('teams', team, { name, created_at, updated_at: updated ?? created_at });
  });

const completeWebhooks = (making: SeedContext, { webhooks = [] }: WorkspaceFile): Records['webhooks'][] =>
  webhooks.map(({ events, ...webhook }) => {
    const { url, secret = newSecret(making.random) } = webhook;
    return making.record('webhooks', { ...webhook, events: eventsOf(events) }, { url, secret });
  });

const eventsOf = (events: string | readonly string[] = 'all'): readonly EventName[] => {
  const all = typeof events === 'string' || events.some((event) => event === 'all' || event === '*');
  return all ? EVENT_NAMES : (events as readonly EventName[]);
};

/** Long lists are not copied for nothing. */
const joined = <T>(own: readonly T[], more?: readonly T[]): readonly T[] => (more ? [...own, ...more] : own);

/** Every record that a correct file of a workspace stands for. @param first who owns what names nobody; left out: the file's first user */
export function* completeWorkspace(
  making: SeedContext,
  file: WorkspaceFile,
  { generate, first }: { readonly generate?: Generate | undefined; readonly first?: string } = {},
): PausableWork<WorkspaceSeed> {
  const generated = file.generate && generate?.(making, file.id, file.generate);
  const users = [...completeUsers(making, file), ...(generated?.users() ?? [])];
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
    projects: joined(work.projects, more?.projects),
    tasks: joined(work.tasks, more?.tasks),
    comments: joined(work.comments, more?.comments),
    teams: joined(teams, more?.teams),
    webhooks: completeWebhooks(making, file),
  };
}

/** The seed that a correct file stands for. @param start where the file stops the clock; null: nowhere. @param generate for files that ask for generated records */
export function* complete(
  file: SeedFile,
  start: number | null,
  times: SeedTimeReader,
  randomSeed: number,
  generate?: Generate,
): PausableWork<Seed> {
  const making = new SeedContext(times, createSources(file, randomSeed));
  const workspaces: WorkspaceSeed[] = [];
  for (const workspace of file.workspaces) workspaces.push(yield* completeWorkspace(making, workspace, { generate }));
  const progress = file.progress === undefined ? {} : { progress: file.progress };
  return { now: start, randomSeed, ...readTerms(file), workspaces, ...progress };
}
