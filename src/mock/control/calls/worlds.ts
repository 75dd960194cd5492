// The state as a whole: reset, snapshots, worlds, the state as a seed, the open points.
import { CHOICES, choiceProblems } from '../../../service/contract/choices.ts';
import { bytesOf } from '../../../service/world/bytes.ts';
import type { World } from '../../../service/world/world.ts';
import type { ToGenerate } from '../../seed/read.ts';
import { moreLine, SeedError } from '../../seed/seed-error.ts';
import { seedText } from '../../seed/write.ts';
import { type Call, type Calls, found, listed, refuse } from '../call.ts';
import type { Host } from '../host.ts';
import type { Instance } from '../instance.ts';
import { seedOf } from '../seed-of.ts';
import { emptyPast, planted, type Snapshot } from '../snapshot.ts';
import { rewoundOf, savedOf } from '../tape.ts';
import { otherwise } from './release.ts';

export const workingKeys = (world: World) =>
  world.store.keys
    .all()
    .filter(({ value }) => !value.revoked)
    .map(({ value: { id, value, scope, user_id }, workspace }) => ({ id, value, scope, workspace_id: workspace, user_id }));

const addressOf = (instance: Pick<Instance, 'id' | 'release' | 'about'>, request: Request) => {
  const { origin } = new URL(request.url);
  return {
    id: instance.id,
    ...instance.about,
    release: instance.release,
    base_url: `${origin}/worlds/${instance.id}/v1`,
    control_url: `${origin}/worlds/${instance.id}/_mock`,
  };
};

/** A fork keeps everything but the journal, which is its own. */
const originOf = (instance: Instance, from: string): Snapshot => {
  if (from === 'seed') return instance.origin;
  if (from === 'current') return instance.running.snapshot('without journal');
  return { ...found('snapshot', from, instance.snapshotOf(from)), ...emptyPast() };
};

/** What the record of an inline seed weighs at least, about. What the budget cannot hold is not made to begin with. */
const LEAST_RECORD = 500;

/** The same of each kind that is generated. */
const LEAST: Readonly<Record<keyof Parameters<ToGenerate>[0], number>> = {
  users: 480,
  projects: 620,
  tasks: 850,
  comments: 400,
  teams: 350,
};

const leastOf = (counts: Parameters<ToGenerate>[0]): number =>
  Object.entries(LEAST).reduce((sum, [kind, bytes]) => sum + bytes * counts[kind as keyof typeof LEAST], 0);

const plantedFrom = async (host: Host, seed: object | string): Promise<Snapshot> => {
  try {
    const read = await host.options.readSeed(seed, Math.floor(host.memory.limit / LEAST_RECORD), (counts) => {
      const least = leastOf(counts);
      host.memory.take('world', least);
      host.memory.add(-least);
    });
    const bytes = bytesOf(read.workspaces);
    host.memory.take('world', bytes);
    const origin = planted(read);
    origin.world.growth.add(bytes);
    return origin;
  } catch (error) {
    if (!(error instanceof SeedError)) throw error;
    const fields = error.problems.map(({ path, what, expected, got }) => ({
      field: path === '' ? 'seed' : `seed.${path}`,
      issue: `${what}, expected ${expected}, got ${got}`,
    }));
    return refuse([...fields, ...moreLine(error.more).map((issue) => ({ field: 'seed', issue }))]);
  }
};

/** What a new world begins as. @throws Problem 404 or 422 */
const originFor = async ({ host, instance, body }: Call<'createWorld'>): Promise<Snapshot> => {
  const { from, seed, at, before } = body;
  if (seed !== undefined && from !== undefined) refuse([{ field: 'from', issue: 'must not be given beside seed' }]);
  if (at !== undefined && (seed ?? from) !== undefined) refuse([{ field: 'at', issue: 'must not be given beside seed or from' }]);
  const origin =
    at !== undefined
      ? await rewoundOf(host.options.recording, instance, at, before)
      : seed === undefined
        ? originOf(instance, from ?? 'seed')
        : await plantedFrom(host, seed);
  return otherwise(origin, body);
};

const createWorld = async (call: Call<'createWorld'>) => {
  const { host, request } = call;
  const { id, mint_keys: mint = false, title } = call.body;
  const about = title === undefined ? {} : { title };
  const origin = await originFor(call);
  const { elsewhere } = host.options;
  if (elsewhere) {
    const { keys, token, ...made } = await elsewhere.open(id, origin, mint, about);
    return { ...addressOf({ ...made, about }, request), keys, token };
  }
  const made = host.open(id ?? host.freeId(), origin, mint);
  made.about = about;
  const keys = workingKeys(made.origin.world);
  return { ...addressOf(made, request), keys: mint ? keys.filter(({ value }) => host.mintedFor(value) === made) : keys };
};

const choicesShown = ({ choices }: World) => ({
  items: Object.entries(CHOICES).map(([name, row]) => ({ name, ...row, answer: choices[name as keyof typeof CHOICES] })),
  answers: choices,
});

/** Answers open points anew. @throws Problem 422 naming each unknown one. */
export const setChoices = (instance: Instance, answers: Readonly<Record<string, unknown>>) => {
  const wrong = Object.entries(answers).flatMap(([field, answer]) =>
    choiceProblems({ [field]: answer }).map((line) => {
      const issue = line.slice(field.length + 2).replace('expected', 'must be');
      return { field, issue };
    }),
  );
  if (wrong.length > 0) refuse(wrong);
  instance.world.choose(answers);
  const words = Object.entries(answers).map(([name, answer]) => `${name} = ${answer}`);
  instance.timeline.says('choice', words.join(', '));
  instance.feed.tell('state', () => ({ kind: 'choices', answers }));
  return choicesShown(instance.world);
};

const state = async ({ instance: { world }, query: { format = 'json' } }: Call<'state'>): Promise<Response> => {
  const text = await seedText(seedOf(world), format === 'yaml' ? 'yaml' : 'json');
  return new Response(text, { headers: { 'content-type': format === 'yaml' ? 'application/yaml' : 'application/json' } });
};

export const worldCalls = {
  health: ({ host: { memory } }) => ({ status: 'ok', memory: { limit: memory.limit, ...memory.read() } }),

  reset: ({ instance }) => {
    instance.reset();
    return { status: 'ok' };
  },

  state,
  repro: ({ host, instance }) => savedOf(host.options.recording, instance),
  listSnapshots: ({ instance, query }) => {
    const snapshots = instance.snapshots.map((id) => ({ id }));
    return listed(query, snapshots);
  },
  createSnapshot: ({ instance }) => ({ id: instance.snapshot() }),

  restoreSnapshot: ({ instance, variable }) => {
    found('snapshot', variable, instance.restore(variable));
    return { id: variable };
  },

  deleteSnapshot: ({ instance, variable }) => found('snapshot', variable, instance.forget(variable)),

  listWorlds: async ({ host, request, query }) =>
    listed(
      query,
      (await (host.options.elsewhere ?? host).list()).map((instance) => ({
        ...addressOf(instance, request),
        last_used_at: new Date(instance.lastUsed).toISOString(),
      })),
    ),

  createWorld,

  updateWorld: async ({ host, variable, body, request }) => {
    const { elsewhere } = host.options;
    if (elsewhere) return addressOf(found('world', variable, await elsewhere.note(variable, body)), request);
    const one = found('world', variable, host.get(variable));
    one.about = { ...one.about, ...body };
    return addressOf(one, request);
  },

  deleteWorld: async ({ host, variable }) => found('world', variable, await (host.options.elsewhere ?? host).remove(variable)),
  getChoices: ({ instance: { world } }) => choicesShown(world),
  setChoices: ({ instance, body }) => setChoices(instance, body),
} satisfies Calls;
