// A call of the control API that a program makes: checked by the same schemas, refused in words that name its function.

import { Problem } from '../../service/contract/errors.ts';
import { isObject } from '../../service/contract/schema.ts';
import { refuse } from './call.ts';
import { fieldsOf, findingsOf, type GivenKind } from './checks.ts';

/** A value as JSON would carry it: without the fields that are undefined. */
const given = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, inner]) => (inner === undefined ? [] : [[name, given(inner)] as const])),
      )
    : value;

/** @returns the value without its undefined fields. @throws Problem 422 naming each field that does not fit. */
export const checked = <T>(name: GivenKind, value: T): T => {
  const read = given(value);
  const findings = findingsOf(name, read);
  if (findings.length > 0) refuse(fieldsOf(findings));
  return read as T;
};

const worded = (name: string, error: unknown): unknown => {
  if (!(error instanceof Problem) || error.fields.length === 0) return error;
  const { status, code, fields } = error;
  const said = fields.map(({ field, issue }) => (field === 'body' ? `what it is given ${issue}` : `${field}: ${issue}`));
  return new Problem(status, code, `${name} is refused: ${said.join('; ')}. The types of wm-mock say what it takes.`, { fields });
};

/** What a call answers, or is to answer. @throws Problem 422 that names the function which refuses, and each field. */
export const byProgram = <T>(name: string, call: () => T): T => {
  try {
    const answer = call();
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error) => {
      throw worded(name, error);
    }) as T;
  } catch (error) {
    throw worded(name, error);
  }
};
