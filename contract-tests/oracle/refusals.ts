// Holds a refusal against what must be refused: its status, its code, and the fields that it names.
import { claim } from '../engine/claims.ts';
import { type Exchange, errorOf, faultyFields, isRecord, namesField, succeeded } from '../engine/exchange.ts';
import { differs, type Judge, NOTHING, sayThat } from './judge.ts';
import { sentBody } from './model.ts';

export interface Refusal {
  readonly requirement: string;
  readonly statuses: readonly number[];
  /** The fault of the request. */
  readonly why: string;
  /** It is a validation error, whichever field it names. */
  readonly invalid?: true;
  /** Each is named in details.fields of a 400 or 422. */
  readonly fields?: readonly string[];
  /** The clause that is shown when all of them are named. */
  readonly also?: readonly string[];
  /** One of several faults may be the one that a target overlooks: a single request tells. */
  readonly several?: boolean;
  /** All of them are of one kind, and are reported together. */
  readonly alike?: boolean;
}

const judgeCode = (judge: Judge, x: Exchange): void => {
  const { code } = errorOf(x);
  if (typeof code === 'string')
    judge.must('WM-ERR-009', code === 'validation_error', differs('code', 'validation_error', code), x);
};

/** A validation error has its code and lists each failing field. @returns whether all are named */
const judgeFields = (judge: Judge, x: Exchange, fields: readonly string[], several: boolean): boolean => {
  judgeCode(judge, x);
  const { details } = errorOf(x);
  if (!(details === undefined || isRecord(details))) return false;
  const list = isRecord(details) ? details.fields : undefined;
  const listed = Array.isArray(list) && list.length > 0;
  const at = ['body', 'error', 'details', 'fields', '*', 'field'] as const;
  const say = sayThat('a validation error has no details.fields', claim(x, at, 'present'));
  if (!judge.must('WM-ERR-004', listed, say, x)) return false;
  if (!(list as unknown[]).every((entry) => isRecord(entry) && typeof entry.field === 'string')) return false;
  const missing = fields.filter((field) => !namesField(x, field));
  // With several faults the one that is not named may have been overlooked: a request of its own tells.
  if (several && missing.length > 0) return false;
  // Whether a URL can be reached is the service's to say.
  const plain = x.operation?.shape !== 'webhook';
  // A part that may be left out, and was, is right as well.
  const rules = x.method === 'POST' && x.operation ? judge.rules.create[x.operation.shape as 'task'] : undefined;
  const optional = (name: string) => rules?.some((rule) => rule.name === name && !rule.required) === true;
  const right = faultyFields(x).filter((name) => (name in sentBody(x) || optional(name)) && !fields.includes(name));
  const says = sayThat(
    `details.fields names ${right.join(', ')}, which is right`,
    ...right.map((name) => claim(x, at, 'lacks', name)),
  );
  if (plain) judge.must('WM-ERR-038', right.length === 0, says, x);
  return judge.must(
    'WM-ERR-006',
    missing.length === 0,
    () => ({
      message: `details.fields does not name ${missing.join(', ')}`,
      expected: fields.join(', '),
      got: faultyFields(x).join(', '),
      claims: missing.map((name) => claim(x, at, 'some', `(^|[./[\\]])${name}($|[./[\\]])`)),
    }),
    x,
  );
};

/** @returns false when the response is not what it must be */
export const judgeRefusal = (judge: Judge, x: Exchange, expected: Refusal): boolean => {
  const { requirement, statuses, why, fields, several, also, invalid } = expected;
  const what = `${x.method} ${x.path}${x.query ? `?${x.query}` : ''}`;
  const sides = { expected: statuses.join(' or '), got: String(x.status) };
  if (succeeded(x)) {
    if (several) return false;
    return judge.must(requirement, false, () => ({ message: `${what} is accepted with ${why}`, ...sides }), x);
  }
  const wholly = statuses.length === 1 && statuses[0] === 422;
  const say = () => ({ message: `${what} with ${why} returns ${x.status}`, ...sides });
  const lenient = wholly && x.status === 400;
  if (!judge.must(lenient ? 'WM-ERR-013' : requirement, statuses.includes(x.status), say, x)) return false;
  if (wholly) judge.must('WM-ERR-013', true, NOTHING);
  if (invalid) judgeCode(judge, x);
  if (fields && [400, 422].includes(x.status) && judgeFields(judge, x, fields, several === true)) {
    if (several) judge.must('WM-ERR-028', true, NOTHING);
    for (const id of ['WM-GEN-015', ...(also ?? [])]) judge.must(id, true, NOTHING);
  }
  return true;
};

/** Bodies with several faults that were accepted, or not told of all of them: when each was refused alone, it is the several that are overlooked. */
export class Several {
  readonly #judge: Judge;
  #open: { readonly x: Exchange; readonly left: Set<string> } | undefined;

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  /** @param good whether the response is what it must be */
  observe(x: Exchange, { fields = [], several, alike }: Refusal, good: boolean): void {
    const open = this.#open;
    if (several) {
      const missing = succeeded(x) ? fields : fields.filter((field) => !namesField(x, field));
      const owed = succeeded(x) || (alike === true && [400, 422].includes(x.status) && faultyFields(x).length > 0);
      this.#open = missing.length > 0 && owed ? { x, left: new Set(missing) } : undefined;
      return;
    }
    const [field] = fields;
    if (!open || field === undefined || !good || open.x.operation?.id !== x.operation?.id || !open.left.delete(field)) return;
    if (open.left.size > 0) return;
    this.#open = undefined;
    const accepted = sayThat('several faults in one body are accepted, though none is alone');
    const few = sayThat(`of several faults details.fields names only ${faultyFields(open.x).join(', ')}`);
    if (succeeded(open.x)) this.#judge.must('WM-ERR-028', false, accepted, open.x);
    else this.#judge.must('WM-ERR-006', false, few, open.x, x);
  }
}
