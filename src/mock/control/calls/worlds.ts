// The state as a whole: reset, snapshots, worlds, the state as a seed, the open points.
import { CHOICES, choiceProblems } from '../../../service/contract/choices.ts';
import { bytesOf } from '../../../service/world/growth.ts';
import type { World } from '../../../service/world/world.ts';
import type { ToGenerate } from '../../seed/read.ts';
import { moreLine, SeedError } from '../../seed/seed-error.ts';
import { seedText } from '../../seed/write.ts';
import { type Call, type Calls, findOr404, pageOfRows, refuse } from '../call.ts';
import type { Host } from '../host.ts';
import type { Instance } from '../instance.ts';
import { rewindWorld, saveRecording } from '../recorder.ts';
import { emptyPast, plantSeed, type Snapshot, seedOf } from '../snapshot.ts';
import { withRelease } from './release.ts';

export const workingKeys = (world: World) =>
  world.store.keys
    .all()
    .filter(({ value }) => !value.revoked)
    .map(({ value: { id, value, scope, user_id }, workspace }) => ({ id, value, scope, workspace_id: workspace, user_id }));

/** Keys of the seed that still work: the value of a later one is shown only once. */
export const seedKeys = ({ origin, world }: Pick<Instance, 'origin' | 'world'>) =>
  workingKeys(origin.world).filter(({ id }) => world.store.keys.get(id)?.value.revoked === false);

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

/** A fork has a journal of its own. */
const originOf = (instance: Instance, from: string): Snapshot => {
  if (from === 'seed') return instance.origin;
  if (from === 'current') return instance.running.snapshot('without journal');
  return { ...findOr404('snapshot', from, instance.snapshots.get(from)), ...emptyPast() };
};

/** Bytes of the smallest records: seeds beyond the memory limit are refused before they are made. */
const MIN_RECORD_BYTES = 500;

const MIN_GENERATED_BYTES: Parameters<ToGenerate>[0] = { users: 480, projects: 620, tasks: 850, comments: 400, teams: 350 };

const plantInline = async (host: Host, seed: object | string): Promise<Snapshot> => {
  try {
    const read = await host.options.readSeed(seed, Math.floor(host.memory.limit / MIN_RECORD_BYTES), (counts) => {
      const kinds = Object.keys(MIN_GENERATED_BYTES) as (keyof typeof counts)[];
      const least = kinds.reduce((sum, kind) => sum + MIN_GENERATED_BYTES[kind] * counts[kind], 0);
      host.memory.take('world', least);
      host.memory.add(-least);
    });
    const bytes = bytesOf(read.workspaces);
    host.memory.take('world', bytes);
    const origin = plantSeed(read);
    origin.world.growth.add(bytes);
    return origin;
  } catch (error) {
    if (!(error instanceof SeedError)) throw error;
    const fields = error.problems.map(({ path, line, column, what, expected, got }) => ({
      field: path === '' ? 'seed' : `seed.${path}`,
      issue: `${what}, expected ${expected}, got ${got}${line === undefined ? '' : ` at line ${line}, column ${column}`}`,
    }));
    return refuse([...fields, ...moreLine(error.more).map((issue) => ({ field: 'seed', issue }))]);
  }
};

/** A promise where a seed is read or a recording replayed. @throws Problem 404, 422 */
const originFor = ({ host, instance, body }: Call<'createWorld'>): Snapshot | Promise<Snapshot> => {
  const { from, seed, at, before } = body;
  if (seed !== undefined && from !== undefined) refuse([{ field: 'from', issue: 'must not be given beside seed' }]);
  if (at !== undefined && (seed ?? from) !== undefined) refuse([{ field: 'at', issue: 'must not be given beside seed or from' }]);
  if (at !== undefined) return rewindWorld(host.options.recording, instance, at, before);
  return seed === undefined ? originOf(instance, from ?? 'seed') : plantInline(host, seed);
};

const applyToResult = <T, R>(value: T | Promise<T>, apply: (value: T) => R): R | Promise<R> =>
  value instanceof Promise ? value.then(apply) : apply(value);

const openNewWorld = (call: Call<'createWorld'>, origin: Snapshot) => {
  const { host, request } = call;
  const { id, mint_keys: mint = false, title } = call.body;
  const about = title === undefined ? {} : { title };
  const { elsewhere } = host.options;
  if (elsewhere)
    return elsewhere
      .open(id, origin, mint, about)
      .then(({ keys, token, ...made }) => ({ ...addressOf({ ...made, about }, request), keys, token }));
  const made = host.open(id ?? host.freeId(), origin, mint);
  made.about = about;
  return Object.defineProperty(addressOf(made, request), 'keys', {
    enumerable: true,
    // A getter: forks of a program never read it.
    get: () => workingKeys(made.origin.world).filter(({ value }) => !mint || host.mintedFor(value) === made),
  });
};

const reset = ({ host, instance, body: { seed: given }, seed }: Call<'reset'>) => {
  const origin = seed ? plantSeed(seed) : given === undefined ? undefined : plantInline(host, given);
  return applyToResult(origin, (to) => {
    instance.reset(to);
    return { status: 'ok' };
  });
};

const choicesShown = ({ choices }: World) => ({
  items: Object.entries(CHOICES).map(([name, row]) => ({ name, ...row, answer: choices[name as keyof typeof CHOICES] })),
  answers: choices,
});

export const worldCalls = {
  health: ({ host: { memory } }) => ({ status: 'ok', memory: { limit: memory.limit, ...memory.read() } }),
  reset,
  state: async ({ instance: { world }, query }) => {
    const format = query.format === 'yaml' ? 'yaml' : 'json';
    return new Response(await seedText(seedOf(world), format), { headers: { 'content-type': `application/${format}` } });
  },
  repro: ({ host, instance }) => saveRecording(host.options.recording, instance),
  listSnapshots: ({ instance: { snapshots }, query }) =>
    pageOfRows(
      query,
      Array.from(snapshots.keys(), (id) => ({ id })),
    ),
  createSnapshot: ({ instance }) => ({ id: instance.snapshot() }),

  restoreSnapshot: ({ instance, variable }) => {
    findOr404('snapshot', variable, instance.restore(variable));
    return { id: variable };
  },

  deleteSnapshot: ({ instance, variable }) => findOr404('snapshot', variable, instance.snapshots.delete(variable)),

  listWorlds: async ({ host, request, query }) =>
    pageOfRows(
      query,
      (await (host.options.elsewhere ?? host).list()).map((instance) => ({
        ...addressOf(instance, request),
        last_used_at: new Date(instance.lastUsed).toISOString(),
      })),
    ),

  createWorld: (call) => applyToResult(originFor(call), (origin) => openNewWorld(call, withRelease(origin, call.body))),

  updateWorld: async ({ host, variable, body, request }) => {
    const { elsewhere } = host.options;
    if (elsewhere) return addressOf(findOr404('world', variable, await elsewhere.note(variable, body)), request);
    const one = findOr404('world', variable, host.get(variable));
    one.about = { ...one.about, ...body };
    return addressOf(one, request);
  },

  deleteWorld: async ({ host, variable }) =>
    findOr404('world', variable, await (host.options.elsewhere ?? host).remove(variable)),
  getChoices: ({ instance: { world } }) => choicesShown(world),
  setChoices: ({ instance: { world, timeline, feed }, body: choices }) => {
    const chosen = Object.entries(choices);
    const wrong = chosen.flatMap(([field, value]) => {
      const [problem] = choiceProblems({ [field]: value });
      return problem ? [{ field, issue: problem.slice(field.length + 2).replace('expected', 'must be') }] : [];
    });
    if (wrong.length > 0) refuse(wrong);
    world.choose(choices);
    timeline.note('choice', chosen.map(([name, value]) => `${name} = ${value}`).join(', '));
    feed.tell('state', () => ({ kind: 'choices', answers: choices }));
    return choicesShown(world);
  },
} satisfies Calls;
