// Recovers the choices of a service: the twin responds to each request under every option, and the responses are compared.
import { CHOICES, type ChoiceId, choose, DEFAULT_CHOICES } from '../../service/contract/choices.ts';
import { OPERATION_IDS, type Operation, operation } from '../../service/contract/operations.ts';
import { IssuedCursors } from './issued-cursors.ts';
import { KnownRecords } from './known-records.ts';
import { headerOf, type LooseRecord, type ReadExchange } from './read-exchange.ts';
import { matchOptions, type Signature, signatureOf } from './signature.ts';
import { respondWith, worldFor } from './twin-world.ts';

/** Points that no single response shows. */
const UNSEEN: readonly string[] = ['rate-window', 'rate-source', 'refused-requests', 'retry-after', 'internal-code'];
const POINTS = (Object.keys(CHOICES) as ChoiceId[]).filter((id) => CHOICES[id].part !== 'Events' && !UNSEEN.includes(id));
/** Points of responses to any operation; the table of operations lists the others. */
const ANYWHERE =
  'absent-values datetime-format owner-field id-style unknown-query page-and-offset check-order null-in-body'.split(' ');
const POINTS_OF_OPERATIONS = new Set<string>(OPERATION_IDS.flatMap((id) => operation(id).open));
const pointsTouching = (row: Operation | undefined): readonly ChoiceId[] =>
  POINTS.filter((id) => ANYWHERE.includes(id) || !POINTS_OF_OPERATIONS.has(id) || row?.open.includes(id));
const optionsOf = (point: ChoiceId): readonly string[] => Object.keys(CHOICES[point].options);

const MIN_SIGNS_BESIDE_WRITERS = 3;
/** Evaluations of one situation, and of a point that it does not concern. */
const [MAX_EVALUATIONS, MAX_SAME, MAX_SITUATIONS] = [5, 2, 5000];

/** Whether another writer's change in between would make the evidence wrong. */
const needsState = (point: ChoiceId, { status, moved, nulls }: Signature): boolean =>
  point === 'team-name-comparison' ||
  (point === 'null-due-date' && nulls === undefined) ||
  (point === 'repeated-ids' && status >= 400) ||
  (point === 'noop-patch' && moved === true);

const numberClass = (n: number): string => (n < 1 ? 'low' : n > 100 ? 'high' : 'number');
/** A value as far as rules depend on it; short words are themselves. */
const classOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return [new Set(value).size < value.length, ...new Set(value.map(classOf))];
  if (typeof value === 'number') return numberClass(value);
  if (typeof value !== 'string') return String(value);
  if (/^-?\d{1,9}$/.test(value)) return numberClass(Number(value));
  if (/^[a-z_.*-]{0,16}$/.test(value)) return value;
  const length = [80, 100, 150, 255, 1000, 10_000].findIndex((limit) => value.length <= limit);
  return [length, /[\ud800-\udfff]/.test(value), /^(https?:\/\/[^/]{0,20}|\d{4}-\d\d-\d\d(?=(T?)))/.exec(value)?.join()];
};

/** The options that every comparison left, and the number of comparisons. */
interface Evidence {
  readonly options: ReadonlySet<string>;
  readonly signs: number;
}

type Respond = (choices: Readonly<Record<string, string>>) => Signature;

interface PointComparison {
  readonly point: ChoiceId;
  /** Places of the options that match. */
  readonly matching: readonly number[];
  /** The response under each option. */
  readonly responses: readonly Signature[];
  readonly real: Signature;
  readonly respond: Respond;
}

export class Twin {
  readonly contradictions: string[] = [];
  readonly #known = new KnownRecords();
  readonly #cursors = new IssuedCursors();
  readonly #firm = new Map<ChoiceId, Evidence>();
  readonly #weak = new Map<ChoiceId, Evidence>();
  readonly #situations = new Map<string, { count: number; readonly same: Map<ChoiceId, number> }>();
  #chosen = DEFAULT_CHOICES;

  get choices(): Readonly<Record<string, string>> {
    const found = POINTS.flatMap((id) => {
      const weak = this.#weak.get(id);
      const isTrusted = !this.#known.drifted || (weak?.signs ?? 0) >= MIN_SIGNS_BESIDE_WRITERS;
      const [option, ...others] = (this.#firm.get(id) ?? (isTrusted ? weak : undefined))?.options ?? [];
      return option !== undefined && others.length === 0 ? [[id, option]] : [];
    });
    return Object.fromEntries(found);
  }

  follow(read: ReadExchange): void {
    if (read.isSound) {
      this.#compare(read);
      this.#known.learn(read);
      this.#cursors.note(read);
    } else if (read.traffic.method !== 'GET') this.#known.forget(read.as, read.variable);
  }

  #compare(read: ReadExchange): void {
    const { traffic, as, id, row, variable = '', parameters, sent, status } = read;
    const before = row?.finds && this.#known.get(as, row.finds, variable);
    const world = worldFor(read, this.#known, before);
    const target = this.#cursors.targetFor(read);
    if (!world || target === undefined) return;
    const path = target.replace(/\?.*/s, '');
    const changed = traffic.method === 'PATCH' ? before : undefined;
    const real = realSignature(read, path, changed);
    const values = [...parameters, ...Object.entries(sent)];
    const classes = values.map(([name, value]) => [name, name === 'cursor' ? '' : classOf(value)]);
    const respond: Respond = (choices) =>
      signatureOf(respondWith(world, { ...this.#chosen, ...choices }, read, target), path, changed);
    for (let isSettled = true; isSettled; ) {
      isSettled = false;
      let base = respond({});
      const key = JSON.stringify([id ?? path, traffic.method, as, status, classes, base, this.#firm.size]);
      const situation = this.#situations.get(key) ?? { count: 0, same: new Map<ChoiceId, number>() };
      if (situation.count >= MAX_EVALUATIONS || this.#situations.size >= MAX_SITUATIONS) return;
      situation.count += 1;
      this.#situations.set(key, situation);
      for (const point of pointsTouching(row)) {
        const same = situation.same.get(point) ?? 0;
        if (same >= MAX_SAME) continue;
        const options = optionsOf(point);
        const responses = options.map((option) => (this.#chosen[point] === option ? base : respond({ [point]: option })));
        const matching = matchOptions(responses, real);
        if (!matching) situation.same.set(point, same + 1);
        else if (matching.length > 0 && matching.length < options.length) {
          if (!this.#conclude({ point, matching, responses, real, respond })) continue;
          isSettled = true;
          base = respond({});
        }
      }
    }
  }

  /** @returns whether the twin now chooses another option */
  #conclude(found: PointComparison): boolean {
    const { point, matching, real } = found;
    const isWeak = needsState(point, real);
    const kept = isWeak ? this.#weak : this.#firm;
    const all = optionsOf(point);
    const before = kept.get(point) ?? { options: new Set(all), signs: 0 };
    const options = new Set(matching.map((i) => all[i]!).filter((option) => before.options.has(option)));
    if (options.size < before.options.size && this.#isExplainedOtherwise(found)) return false;
    kept.set(point, { options, signs: before.signs + 1 });
    const [first] = options;
    if (first === undefined && before.options.size > 0 && !isWeak)
      this.contradictions.push(`${point}: first like ${[...before.options].join(' or ')}, then like another option`);
    if (first === undefined || options.has(this.#chosen[point])) return false;
    this.#chosen = choose({ [point]: first }, this.#chosen);
    return true;
  }

  /** Whether an option that seems refuted gives the same response under another choice that is not settled yet. */
  #isExplainedOtherwise({ point, matching, responses, real, respond }: PointComparison): boolean {
    const reference = responses[matching[0]!]!;
    const refuted = optionsOf(point).filter((_, i) => !matching.includes(i));
    const open = POINTS.filter((other) => other !== point && this.#firm.get(other)?.options.size !== 1);
    return open.some((other) =>
      optionsOf(other).some(
        (choice) =>
          choice !== this.#chosen[other] &&
          refuted.some((option) => {
            const response = respond({ [point]: option, [other]: choice });
            return matchOptions([reference, response], real)?.includes(1) ?? true;
          }),
      ),
    );
  }
}

const realSignature = ({ status, got, at, traffic }: ReadExchange, path: string, changed: LooseRecord | undefined): Signature => {
  const headers = traffic.response?.headers ?? [];
  const seen = signatureOf({ status, header: (name) => headerOf(headers, name), body: got }, path, changed);
  // A clock of whole seconds may not have moved since.
  const isStill = seen.moved === false && at - Date.parse(String(changed?.updated_at)) < 2000;
  return isStill ? { ...seen, moved: undefined } : seen;
};
