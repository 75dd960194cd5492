// From what was recorded to a repro file: the worlds that belong together, secrets masked, responses hashed.
import { seedOf } from '../control/seed-of.ts';
import { seedText } from '../seed/write.ts';
import type { World } from '../world/world.ts';
import { type Expected, masking, type Repro, type Step, secretsIn, sentText, sha256, unsigned } from './file.ts';
import { type Kept, madeBy, type Responded, type Taken } from './taken.ts';

export interface Saving {
  readonly version: string;
  readonly title?: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  /** The world as it is now. */
  readonly world: World;
  /** Keys and secrets stay: it is not to leave this process. */
  readonly unmasked?: boolean;
}

/** Longer bodies are kept as their hash alone, characters. */
const MOST_SHOWN = 20_000;

/** Strings that a person has given for a secret, at any depth. */
const given = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isSecret = name === 'secret' || (name === 'value' && 'scope' in value);
    return typeof inner === 'string' ? (isSecret ? [inner] : []) : given(inner);
  });
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const secretsOf = ({ what }: Taken): string[] => {
  if (what.kind === 'call') return given(what.given);
  if (!('headers' in what)) return [];
  return [...secretsIn(Object.entries(what.headers)), ...(what.body && 'text' in what.body ? given(parsed(what.body.text)) : [])];
};

const valuesIn = ({ store }: World) => ({
  keys: store.keys.all().map(({ value }) => value.value),
  secrets: store.webhooks.all().map(({ value }) => value.secret),
});

/** Hides what a person has given. Keys that the mock has made itself follow from its seed, and stay. */
const maskOf = ({ root, origins, taken }: Kept, { world, options, unmasked }: Saving) => {
  const before = valuesIn(origins.get(root)!.world);
  const known = new Set(before.keys);
  const now = [world, ...[...origins.values()].map((one) => one.world)].flatMap((one) => valuesIn(one).keys);
  const made = new Set(now.filter((key) => !known.has(key)));
  const token = typeof options.controlToken === 'string' ? [options.controlToken] : [];
  const secrets = [...before.keys, ...before.secrets, ...token, ...taken.flatMap(secretsOf)];
  const mask = masking(unmasked ? [] : secrets.filter((one) => !made.has(one)));
  return { mask, signed: mask(before.secrets.join()) === before.secrets.join() };
};

/** A recorded world as a file. */
export const writtenOf = async (kept: Kept, saving: Saving): Promise<Repro> => {
  const { root, origins, taken } = kept;
  const origin = origins.get(root)!;
  const { mask, signed } = maskOf(kept, saving);
  const masked = <T>(value: T): T => JSON.parse(mask(JSON.stringify(value))) as T;
  /** @param isWhole the worlds that a step has made are known by its response */
  const expected = async ({ status, headers, text }: Responded, isWhole: boolean): Promise<Expected> => {
    const body = (signed ? (one: string) => one : unsigned)(mask(text));
    const sha = await sha256(body);
    return { status, headers: masked(headers), sha256: sha, ...((isWhole || body.length <= MOST_SHOWN) && { body }) };
  };
  const places = new Map(taken.map(({ n }, i) => [n, i + 1]));
  const step = async (one: Taken, i: number): Promise<Step> => {
    const { n, at, world, turn, what, late, responded } = one;
    const place = {
      n: places.get(n)!,
      at: new Date(at).toISOString(),
      ...(world !== root && { world }),
      ...(turn === taken[i - 1]?.turn && { joined: true as const }),
      ...(late && { late: true as const }),
    };
    const expect = responded ? { expect: await expected(responded, madeBy(one) !== undefined) } : {};
    if (what.kind === 'clock') return { ...place, kind: 'clock', wait: what.wait };
    if (what.kind === 'gone') return { ...place, kind: 'gone', request: places.get(what.request)! };
    if (what.kind === 'call') return { ...place, kind: 'control', call: what.call, given: masked(what.given), ...expect };
    if (what.kind === 'receiver') {
      const { attempt, delivery, outcome, sent } = what;
      const body = sentText(masked(sent), signed);
      const ended = outcome ? { outcome: masked(outcome) } : {};
      return { ...place, kind: 'receiver', attempt, delivery, ...ended, expect: { sha256: await sha256(body), body } };
    }
    const { kind, method, path, headers, body } = what;
    const read = !body ? {} : 'text' in body ? { body: mask(body.text) } : { unread: body.fault };
    return { ...place, kind, method, path: mask(path), headers: masked(headers), ...read, ...expect };
  };
  const steps: Step[] = [];
  for (const [i, one] of taken.entries()) steps.push(await step(one, i));
  const { controlToken, ...options } = saving.options;
  return {
    version: 1,
    wm_mock: saving.version,
    ...(saving.title !== undefined && { title: saving.title }),
    ...(kept.world !== root && { world: kept.world }),
    release: origin.world.release,
    signed,
    seed: { format: 'json', text: mask(await seedText(seedOf(origin.world), 'json')) },
    options: { ...options, ...(typeof controlToken === 'string' && { controlToken: mask(controlToken) }) },
    steps,
  };
};
