// What a form shows after it was refused: what was typed, and what is wrong with each field.
import type { Problem } from '../service/contract/errors.ts';

/** A post that was refused, to be shown again with what was typed. */
export interface RefusedForm {
  readonly action: string;
  readonly form: URLSearchParams;
  readonly problem: Problem;
}

export interface FormState {
  /** The name of the action, sent as `do`. */
  readonly action: string;
  /** What was typed or chosen in a field, when it was refused. */
  values(field: string): readonly string[] | undefined;
  /** What is wrong with a field. */
  issue(field: string): string | undefined;
  readonly failed: boolean;
}

/** The state of an action's form after a post, or untouched. */
export const makeFormState = (action: string, failure: RefusedForm | undefined): FormState => {
  const mine = failure?.action === action ? failure : undefined;
  return {
    action,
    failed: mine !== undefined,
    values: (field) => mine?.form.getAll(field),
    issue: (field) =>
      mine?.problem.fields.find(
        (one) => one.field === field || one.field.startsWith(`${field}[`) || one.field.startsWith(`${field}.`),
      )?.issue,
  };
};

/** What was typed into some fields; an empty text for what was not sent. */
export const readTexts = <N extends string>(form: URLSearchParams, ...names: readonly N[]): Readonly<Record<N, string>> =>
  Object.fromEntries(names.map((name) => [name, form.get(name) ?? ''])) as Record<N, string>;
