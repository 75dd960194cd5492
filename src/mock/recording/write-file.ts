// Turns a recording into a repro file: related worlds, secrets masked, responses hashed.
import type { PlainResponse } from '../../service/http/respond.ts';
import { sha256 } from '../../service/webhooks/sign.ts';
import type { World } from '../../service/world/world.ts';
import { type Snapshot, seedOf } from '../control/snapshot.ts';
import { seedText } from '../seed/write.ts';
import { sentText, unsigned } from './compare.ts';
import type { RecordedStep, WorldRecording, WorldStart } from './recorded-step.ts';
import { maskOf } from './secrets.ts';
import { writeStart } from './start.ts';
import type { Expected, Repro, Step } from './steps.ts';

export interface Saving {
  readonly version: string;
  readonly title?: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  /** The world as it is now. */
  readonly world: World;
  /** Keeps keys and secrets: the file does not leave this process. */
  readonly unmasked?: boolean;
}

/** Longer bodies are kept only as their hash, characters. */
const MAX_BODY_CHARACTERS = 20_000;

/** The start of its file: the origin alone where a seed makes that. */
const startingState = ({ root, origins, start }: WorldRecording): { readonly origin: Snapshot; readonly start?: WorldStart } => {
  const origin = start?.origin ?? origins.get(root)!;
  if (start) return { origin, start };
  if (!origin.webhooks) return { origin };
  const fresh = { snapshots: new Map(), taken: 0, attempted: [], dropped: 0, attempts: 0, waits: 0, pending: undefined };
  return { origin, start: { origin, now: undefined, ...fresh } };
};

/** The number of a wait in a world that starts later: one that was pending then is its first. */
const waitSince = (wait: number, start: WorldStart | undefined): number => {
  if (!start) return wait;
  return wait === start.pending ? 1 : wait - start.waits + (start.pending === undefined ? 0 : 1);
};

const UNMASKED = { mask: (text: string) => text, signed: true };

export const writeFile = async (kept: WorldRecording, saving: Saving): Promise<Repro> => {
  const { root, steps: recorded, numbers: places, dropped } = kept;
  const { start, origin } = startingState(kept);
  const { controlToken, ...options } = saving.options;
  const token = typeof controlToken === 'string' ? [controlToken] : [];
  const { mask, signed } = saving.unmasked ? UNMASKED : await maskOf(kept, saving.world, token);
  const masked = <T>(value: T): T => JSON.parse(mask(JSON.stringify(value))) as T;
  /** @param isWhole the worlds that a step has made are known by its response */
  const expected = async ({ status, headers, text }: PlainResponse, isWhole: boolean): Promise<Expected> => {
    const body = signed ? mask(text) : unsigned(mask(text));
    const sha = await sha256(body);
    return { status, headers: masked(headers), sha256: sha, ...((isWhole || body.length <= MAX_BODY_CHARACTERS) && { body }) };
  };
  const step = async ({ n, at, world, turn, input, late, response, made }: RecordedStep, before = 0): Promise<Step> => {
    const place = {
      n: places.get(n)!,
      at: new Date(at).toISOString(),
      ...(world !== root && { world }),
      ...(turn === before && { joined: true as const }),
      ...(late && { late: true as const }),
    };
    const from = world === root ? start : undefined;
    if (input.kind === 'clock') return { ...place, kind: 'clock', wait: waitSince(input.wait, from) };
    if (input.kind === 'gone') return { ...place, ...input, request: places.get(input.request)! };
    if (input.kind === 'receiver') {
      const { outcome, sent, ...of } = input;
      const attempt = of.attempt - (from?.attempts ?? 0);
      const body = sentText(masked(sent), signed);
      return {
        ...place,
        ...of,
        attempt,
        ...(outcome && { outcome: masked(outcome) }),
        expect: { sha256: await sha256(body), body },
      };
    }
    const { kind, method, path, headers, body } = input;
    const read = !body ? {} : 'text' in body ? { body: mask(body.text) } : { unread: body.fault };
    const expect = response ? { expect: await expected(response, made !== undefined) } : { unanswered: true as const };
    return { ...place, kind, method, path: mask(path), headers: masked(headers), ...read, ...expect };
  };
  const steps: Step[] = [];
  for (const [i, one] of recorded.entries()) steps.push(await step(one, recorded[i - 1]?.turn));
  return {
    version: 1,
    wm_mock: saving.version,
    ...(saving.title !== undefined && { title: saving.title }),
    ...(kept.world !== root && { world: kept.world }),
    release: origin.world.release,
    signed,
    ...(start && { start: masked(writeStart(start)) }),
    ...(dropped !== undefined && { dropped }),
    seed: { format: 'json', text: mask(await seedText(seedOf(origin.world), 'json')) },
    options: { ...options, ...(typeof controlToken === 'string' && { controlToken: mask(controlToken) }) },
    steps,
  };
};
