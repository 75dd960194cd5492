// Turns a recording into a repro file: related worlds, secrets masked, responses hashed.
import type { PlainResponse } from '../../service/http/respond.ts';
import { sha256 } from '../../service/webhooks/sign.ts';
import type { World } from '../../service/world/world.ts';
import { seedOf } from '../control/snapshot.ts';
import { seedText } from '../seed/write.ts';
import { sentText, unsigned } from './compare.ts';
import { maskOf } from './secrets.ts';
import type { Expected, Repro, Step } from './steps.ts';
import type { RecordedStep, WorldRecording } from './world-recorder.ts';

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

const UNMASKED = { mask: (text: string) => text, signed: true };

export const writeFile = async (kept: WorldRecording, saving: Saving): Promise<Repro> => {
  const { root, origins, steps: recorded } = kept;
  const origin = origins.get(root)!;
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
  const places = new Map(recorded.map(({ n }, i) => [n, i + 1]));
  const step = async ({ n, at, world, turn, input, late, response, made }: RecordedStep, before = 0): Promise<Step> => {
    const place = {
      n: places.get(n)!,
      at: new Date(at).toISOString(),
      ...(world !== root && { world }),
      ...(turn === before && { joined: true as const }),
      ...(late && { late: true as const }),
    };
    if (input.kind === 'clock') return { ...place, ...input };
    if (input.kind === 'gone') return { ...place, ...input, request: places.get(input.request)! };
    if (input.kind === 'receiver') {
      const { outcome, sent, ...attempt } = input;
      const body = sentText(masked(sent), signed);
      return { ...place, ...attempt, ...(outcome && { outcome: masked(outcome) }), expect: { sha256: await sha256(body), body } };
    }
    const { path, headers, body, ...call } = input;
    const read = !body ? {} : 'text' in body ? { body: mask(body.text) } : { unread: body.fault };
    const expect = response ? { expect: await expected(response, made !== undefined) } : { unanswered: true as const };
    return { ...place, ...call, path: mask(path), headers: masked(headers), ...read, ...expect };
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
    seed: { format: 'json', text: mask(await seedText(seedOf(origin.world), 'json')) },
    options: { ...options, ...(typeof controlToken === 'string' && { controlToken: mask(controlToken) }) },
    steps,
  };
};
