// The first place where a replay differs from the recording, with both sides.
import type { PlainResponse } from '../../service/http/respond.ts';
import { isClosed } from '../../service/http/respond-with-fault.ts';
import { parseJson } from '../../service/validation/json-text.ts';
import { SIGNATURE_HEADER, sha256 } from '../../service/webhooks/sign.ts';
import type { Expected, Step } from './steps.ts';

export const unsigned = (text: string): string =>
  text.replace(new RegExp(`(${SIGNATURE_HEADER}"?: ?"?)[^"\\n]+`, 'gi'), '$1[signature]');

/** A request to a receiver, as compared. @param signed whether its signature can be the same */
export const sentText = (
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  signed: boolean,
): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = `${lines.sort().join('\n')}\n\n${body}`;
  return signed ? text : unsigned(text);
};

/** A response as it is compared. @param response absent: the connection was closed */
export const responseParts = async (response?: Response): Promise<PlainResponse> => {
  if (!response || isClosed(response)) return { status: 0, headers: {}, text: '' };
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.clone().text() };
};

export interface ReplayDifference {
  readonly step: Step;
  /** `status`, `header date`, a JSON pointer such as `/items/0/title`, `byte 17`, or what did not happen. */
  readonly where: string;
  readonly expected: unknown;
  readonly got: unknown;
}

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** @returns the pointer of the first place where two values differ, and both sides */
const inJson = (expected: unknown, got: unknown, pointer = ''): Omit<ReplayDifference, 'step'> | undefined => {
  if (!isContainer(expected) || !isContainer(got) || Array.isArray(expected) !== Array.isArray(got))
    return Object.is(expected, got) ? undefined : { where: pointer || '/', expected, got };
  for (const name of new Set([...Object.keys(expected), ...Object.keys(got)])) {
    const inner = inJson(expected[name], got[name], `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    if (inner) return inner;
  }
  return undefined;
};

const AROUND = 40;

const inText = (expected: string, got: string): Omit<ReplayDifference, 'step'> => {
  const [was, is] = [parseJson(expected), parseJson(got)];
  const pointed = isContainer(was) && isContainer(is) ? inJson(was, is) : undefined;
  if (pointed) return pointed;
  let at = 0;
  while (at < expected.length && expected[at] === got[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - AROUND), at + AROUND);
  const where = `byte ${new TextEncoder().encode(expected.slice(0, at)).length}`;
  return { where, expected: around(expected), got: around(got) };
};

/** @param signed whether signatures are compared */
export const differenceOf = async (
  step: Step,
  expect: Partial<Expected>,
  { text = '', status, headers = {} }: Partial<PlainResponse>,
  signed: boolean,
): Promise<ReplayDifference | undefined> => {
  const body = signed ? text : unsigned(text);
  if (expect.status !== undefined && expect.status !== status)
    return { step, where: 'status', expected: expect.status, got: status };
  const named = expect.headers ? [...Object.keys(expect.headers), ...Object.keys(headers)] : [];
  for (const name of new Set(named)) {
    const [was, is] = [expect.headers?.[name], headers[name]];
    if (was !== is) return { step, where: `header ${name}`, expected: was, got: is };
  }
  if (expect.sha256 === undefined ? body === expect.body : (await sha256(body)) === expect.sha256) return undefined;
  if (expect.body === undefined)
    return { step, where: 'body', expected: `sha256 ${expect.sha256}`, got: `sha256 ${await sha256(body)}` };
  return { step, ...inText(expect.body, body) };
};
