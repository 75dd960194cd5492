// Validates a repro file before it is replayed: each relevant member, up to the first invalid one.
import { isObject } from '../../service/contract/schema.ts';
import { check, type Validate } from '../../service/validation/check.ts';
import { type JsonText, readJson, readJsonText, TEXT_FAULTS } from '../../service/validation/json-text.ts';
import { type Path, pathText } from '../../service/validation/show.ts';
import { sha256 } from '../../service/webhooks/sign.ts';
import type { Expected, REPRO, Repro, Step } from './steps.ts';
import * as generated from './validators.generated.ts';

const reproValidators = generated as unknown as Readonly<Record<keyof typeof REPRO, Validate>>;

const faultIn = (what: keyof typeof REPRO, value: unknown, at: Path = []): string | undefined => {
  const faults = check(reproValidators[what], value);
  const fault = faults.find((one) => one.what !== 'missing') ?? faults[0];
  return fault && `${pathText([...at, ...fault.path])}: expected ${fault.expected}, got ${fault.got}`;
};

const shapeOf = ({ kind }: Step): keyof typeof REPRO => (kind === 'control' ? 'request' : kind);

/** Rules that no schema holds. */
const faultOfStep = (step: Step, at: string, before: number): string | undefined => {
  if (step.n <= before) return `${at}.n: expected more than ${before}, got ${step.n}`;
  if (step.kind === 'gone' && step.request >= step.n) return `${at}.request: expected a step before it, got ${step.request}`;
  if (step.kind === 'gone' || step.kind === 'clock' || step.kind === 'receiver') return undefined;
  const { expect, unanswered } = step;
  if (!expect && unanswered !== true)
    return `${at}.expect: expected what was answered, or \`"unanswered": true\` beside it, got nothing`;
  const isBare = expect && expect.sha256 === undefined && expect.body === undefined;
  return isBare ? `${at}.expect: expected sha256, body, or both, got neither` : undefined;
};

/** @returns the first mistake in a file, in words */
export const faultOf = (file: unknown): string | undefined => {
  const fault = faultIn('file', file);
  if (fault !== undefined) return fault;
  const { seed, steps } = file as Repro;
  if (!isObject(readJson(seed.text))) return 'seed.text: expected a seed as JSON';
  let before = 0;
  for (const [i, step] of steps.entries()) {
    const wrong = faultIn(shapeOf(step), step, ['steps', i]) ?? faultOfStep(step, `steps[${i}]`, before);
    if (wrong !== undefined) return wrong;
    before = step.n;
  }
  return undefined;
};

/** @returns the first body that does not match its hash */
const faultOfHashes = async (steps: readonly Step[]): Promise<string | undefined> => {
  for (const [i, step] of steps.entries()) {
    const { body, sha256: hash } = ('expect' in step && step.expect) || ({} as Partial<Expected>);
    if (body !== undefined && hash !== undefined && (await sha256(body)) !== hash)
      return `steps[${i}].expect: the body is none that has this sha256: one of them was edited. Leave sha256 out, and the body is compared`;
  }
  return undefined;
};

/** @param file a repro file, or its text @throws Error naming the first mistake in it */
export const readRepro = async (file: Repro | string): Promise<Repro> => {
  const { value, fault: mistake }: JsonText = typeof file === 'string' ? readJsonText(file) : { value: file };
  const repro = value as Repro | undefined;
  const fault = mistake
    ? `it ${TEXT_FAULTS[mistake]}`
    : repro?.version !== 1
      ? `its version is ${JSON.stringify(repro?.version)}, and 1 is known`
      : (faultOf(repro) ?? (await faultOfHashes(repro.steps)));
  if (fault === undefined) return repro as Repro;
  const says = `replay: expected a repro file, as mock.save() writes it: ${fault}. Save it anew, or mend that. docs/replay.md of wm-mock says more.`;
  throw new Error(says);
};
