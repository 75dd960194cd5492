// Forms after they were sent: what a refused one shows again, and the notes that the others leave.
import type { Problem } from '../service/contract/errors.ts';

export interface RefusedForm {
  readonly action: string;
  readonly form: URLSearchParams;
  readonly problem: Problem;
}

/** The state of a form after it was refused, or a fresh one. @param action sent as `do` */
export const makeFormState = (action: string, failure: RefusedForm | undefined) => {
  const mine = failure?.action === action ? failure : undefined;
  return {
    action,
    failed: mine !== undefined,
    values: (field: string): readonly string[] | undefined => mine?.form.getAll(field),
    issue: (name: string): string | undefined =>
      mine?.problem.fields.find(({ field }) => field.startsWith(name) && /^($|[.[])/.test(field.slice(name.length)))?.issue,
  };
};
export type FormState = ReturnType<typeof makeFormState>;

/** Reads some fields; an empty text for one that was not sent. */
export const readTexts = <N extends string>(form: URLSearchParams, ...names: readonly N[]): Readonly<Record<N, string>> =>
  Object.fromEntries(names.map((name) => [name, form.get(name) ?? ''])) as Record<N, string>;

/** A picker of times, to the second. */
export const TIME_INPUT = { type: 'datetime-local', step: '1' } as const;
/** A value as a field of a type shows it. */
export const shownTime = (type = '', value = ''): string => (type === TIME_INPUT.type ? value.slice(0, 19) : value);
/** A picked time is meant in UTC; its seconds are optional. */
export const addUtcZone = (time: string): string =>
  time.replace(/^(\d{4,}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/, (_, minute, seconds = ':00') => `${minute}${seconds}Z`);

export interface Done {
  /** The next address, made by `context.href`; absent: the page of the form. */
  readonly to?: string;
  readonly says?: string;
  /** Ids of the deliveries that it caused. */
  readonly deliveries?: readonly string[];
  /** A value that is shown this once and never again, such as a new key. */
  readonly once?: { readonly label: string; readonly value: string };
}

const MAX_NOTES = 50;

export class Notes {
  readonly #kept = new Map<string, Done>();
  #made = 0;

  /** Keeps a note. @returns the address at which it is shown. */
  leave(done: Done, to: string): string {
    if (done.says === undefined) return to;
    this.#made += 1;
    const id = String(this.#made);
    this.#kept.set(id, done);
    if (this.#kept.size > MAX_NOTES) this.#kept.delete(this.#kept.keys().next().value!);
    const [address = '', hash] = to.split('#', 2);
    return `${address}${address.includes('?') ? '&' : '?'}note=${id}${hash === undefined ? '' : `#${hash}`}`;
  }

  take(id: string | null): Done | undefined {
    if (id === null) return undefined;
    const note = this.#kept.get(id);
    this.#kept.delete(id);
    return note;
  }
}
