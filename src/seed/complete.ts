// From a correct seed file to a complete seed: what was left out is made, times become absolute, nesting becomes lists.
import { choose } from '../contract/choices.ts';
import { forwardNamed } from '../contract/forward.ts';
import { DEFAULT_PLAN } from '../contract/limits.ts';
import { LATEST, releaseNamed } from '../contract/releases.ts';
import { EVENT_NAMES, type EventName } from '../contract/resources.ts';
import { newKeyValue, newSecret } from '../world/ids.ts';
import { BLANKS, type Records, type Seed, type WorkspaceSeed } from '../world/records.ts';
import type { SeedFile, WorkspaceFile } from './format.ts';
import type { Generator } from './generate.ts';
import { fresh, hostOf, nameFromId, personName } from './made.ts';
import { Making } from './making.ts';
import type { TimeReader } from './times.ts';
import { completeWork } from './work.ts';

const completeUsers = (making: Making, { id: workspace, users = [] }: WorkspaceFile): Records['users'][] =>
  users.map((user) => {
    const id = making.id('users', user);
    const name = user.name ?? personName(making.random);
    const email = user.email ?? making.email(name, id, hostOf(workspace));
    const created_at = making.time(user.created_at) ?? making.start;
    return making.filled('users', user, { ...BLANKS.users, id, name, email, role: user.role ?? 'member', created_at });
  });

const completeKeys = (making: Making, { api_keys }: WorkspaceFile, owner: string): Records['keys'][] =>
  api_keys.map((key) =>
    making.filled('keys', key, {
      ...BLANKS.keys,
      id: making.id('keys', key),
      value: key.value ?? newKeyValue(making.random),
      name: key.name ?? `${nameFromId(key.scope ?? BLANKS.keys.scope)} key`,
      user_id: key.user_id ?? owner,
      created_at: making.time(key.created_at) ?? making.start,
    }),
  );

const completeTeams = (making: Making, { teams = [] }: WorkspaceFile, taken: Set<string>): Records['teams'][] =>
  teams.map((team) => {
    const updated = making.time(team.updated_at);
    const created_at = making.time(team.created_at) ?? (updated !== undefined && updated < making.start ? updated : making.start);
    return making.filled('teams', team, {
      ...BLANKS.teams,
      id: making.id('teams', team),
      name: team.name ?? fresh(taken, (suffix) => `Team${suffix}`, ' '),
      created_at,
      updated_at: updated ?? created_at,
    });
  });

const completeWebhooks = (making: Making, { webhooks = [] }: WorkspaceFile): Records['webhooks'][] =>
  webhooks.map((webhook) =>
    making.filled(
      'webhooks',
      { ...webhook, events: eventsOf(webhook.events) },
      {
        ...BLANKS.webhooks,
        id: making.id('webhooks', webhook),
        url: webhook.url,
        secret: webhook.secret ?? newSecret(making.random),
        created_at: making.time(webhook.created_at) ?? making.start,
      },
    ),
  );

const eventsOf = (events: string | readonly string[] = 'all'): readonly EventName[] => {
  const all = typeof events === 'string' || events.some((event) => event === 'all' || event === '*');
  return all ? EVENT_NAMES : (events as readonly EventName[]);
};

const completeWorkspace = (making: Making, file: WorkspaceFile, generated?: Generator): WorkspaceSeed => {
  const users = [...completeUsers(making, file), ...(generated?.users() ?? [])];
  const owner = users[0]!.id;
  const names = new Set((file.teams ?? []).flatMap(({ name }) => name ?? []));
  const teams = completeTeams(making, file, names);
  const work = completeWork(making, file, owner);
  const more = generated?.work(users, names);
  return {
    id: file.id,
    name: file.name ?? nameFromId(file.id),
    plan: file.requests_per_minute ?? file.plan ?? DEFAULT_PLAN,
    users,
    keys: completeKeys(making, file, owner),
    projects: more ? [...work.projects, ...more.projects] : work.projects,
    tasks: more ? [...work.tasks, ...more.tasks] : work.tasks,
    comments: more ? [...work.comments, ...more.comments] : work.comments,
    teams: more ? [...teams, ...more.teams] : teams,
    webhooks: completeWebhooks(making, file),
  };
};

const generatorOf = async (making: Making, file: WorkspaceFile): Promise<Generator | undefined> =>
  file.generate ? (await import('./generate.ts')).generator(making, file, file.generate) : undefined;

/** The seed that a correct file stands for. @param start where the file stops the clock; null: nowhere. */
export const complete = async (file: SeedFile, start: number | null, times: TimeReader, randomSeed: number): Promise<Seed> => {
  const making = new Making(file, times, randomSeed);
  const workspaces: WorkspaceSeed[] = [];
  for (const workspace of file.workspaces)
    workspaces.push(completeWorkspace(making, workspace, await generatorOf(making, workspace)));
  return whole(file, start, randomSeed, workspaces);
};

/** The same at once, of a file that has nothing generated. */
export const completeNow = (file: SeedFile, start: number | null, times: TimeReader, randomSeed: number): Seed => {
  const making = new Making(file, times, randomSeed);
  const workspaces = file.workspaces.map((workspace) => completeWorkspace(making, workspace));
  return whole(file, start, randomSeed, workspaces);
};

const whole = (file: SeedFile, start: number | null, randomSeed: number, workspaces: readonly WorkspaceSeed[]): Seed => {
  const progress = file.progress === undefined ? {} : { progress: file.progress };
  const release = releaseNamed(file.release ?? LATEST) ?? LATEST;
  const forward = forwardNamed(file.forward_compat);
  return { now: start, randomSeed, choices: choose(file.choices), release, forward, workspaces, ...progress };
};
