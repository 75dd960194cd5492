// Which exchanges of a run show a violation again on a clean workspace: those of the finding, and all that they build on.
import { type Exchange, objectIn, textsIn } from './exchange.ts';
import { decoded } from './paths.ts';
import type { Finding } from './recorder.ts';
import { type Step, type Trail, wrote } from './trail.ts';

export interface Reproduction {
  readonly steps: readonly Step[];
  /** Numbers of the steps that show the violation. */
  readonly shown: ReadonlySet<number>;
}

/** Requirements on what is counted: each request of their check counts. */
const ON_COUNTS = /^WM-RATE-/;

/** A check that wrote no more is repeated as a whole: its writes, also refused ones, may have touched what they do not name. */
const FEW_WRITES = 20;

/** Shorter ids are words of a message too. */
const TELLING = 6;

const valuesIn = (query: string): string[] =>
  query.split('&').map((pair) => decoded(pair.slice(pair.indexOf('=') + 1).replaceAll('+', ' ')));

/** Ids and cursors of earlier responses that a request names. */
const namedBy = (step: Step, trail: Trail): string[] =>
  [...step.path.split('/').map(decoded), ...valuesIn(step.query), ...textsIn(step.body ?? '')].filter(
    (value) => (trail.origin(value)?.step.number ?? step.number) < step.number,
  );

const changes = (step: Step, id: string): boolean =>
  wrote(step) && step.method !== 'POST' && decoded(step.path.split('/').pop() ?? '') === id;

/** The project whose tasks a list shows. */
const listedProject = (step: Step): string | undefined => {
  if (step.operation === 'list_project_tasks') return decoded(step.path.split('/')[2] ?? '');
  const filter = new URLSearchParams(step.query).get('filter[project_id]');
  return step.operation === 'list_tasks' && filter !== null ? filter : undefined;
};

class Gathering {
  readonly #trail: Trail;
  readonly #last: number;
  readonly #steps = new Map<number, Step>();
  readonly #ids = new Set<string>();
  readonly #open: string[] = [];

  constructor(trail: Trail, last: number) {
    this.#trail = trail;
    this.#last = last;
  }

  /** The exchanges up to the last, in order. */
  get earlier(): readonly Step[] {
    return this.#trail.steps.filter(({ number }) => number <= this.#last);
  }

  add(step: Step): void {
    if (this.#steps.has(step.number)) return;
    this.#steps.set(step.number, step);
    for (const id of namedBy(step, this.#trail)) this.want(id);
    const made = this.#trail.madeBy(step);
    if (made !== undefined) this.want(made);
  }

  /** Something that must be there as it was: what made it, and what changed it. */
  want(id: string): void {
    if (this.#ids.has(id)) return;
    this.#ids.add(id);
    this.#open.push(id);
  }

  /** All of it, in order. */
  steps(): readonly Step[] {
    for (let id = this.#open.pop(); id !== undefined; id = this.#open.pop()) {
      const origin = this.#trail.origin(id);
      if (!origin || origin.step.number > this.#last) continue;
      this.add(origin.step);
      for (const step of this.earlier) if (changes(step, id)) this.add(step);
    }
    return [...this.#steps.values()].sort((a, b) => a.number - b.number);
  }
}

/** Ids of the run that a response, a delivery or a message shows. */
const shownBy = (finding: Finding, trail: Trail): string[] => {
  const texts = [finding.message, finding.expected ?? '', finding.got ?? ''].join('\n');
  const shownIds = [...trail.made].filter((id) => id.length >= TELLING && texts.includes(id));
  const bodies = [...finding.exchanges.map((x: Exchange) => x.text), ...(finding.deliveries ?? []).map(({ body }) => body)];
  const made = new Set(trail.made);
  return [...shownIds, ...bodies.flatMap(textsIn).filter((value) => made.has(value))];
};

/** The requests that a finding without responses is about: the writes of its check, or else its last request. */
const writesOf = (finding: Finding, trail: Trail): Step[] => {
  const own = trail.steps.filter(({ check, number }) => check === finding.during && number <= finding.until);
  const writes = own.filter(({ method }) => method !== 'GET');
  return writes.length > 0 ? writes : own.slice(-1);
};

/** The list before a list: what a target keeps of one may show in the next. */
const listBefore = (step: Step, trail: Trail): Step | undefined =>
  step.method === 'GET' && step.query !== ''
    ? trail.steps.findLast(({ number, method, path }) => number < step.number && method === 'GET' && path === step.path)
    : undefined;

/** Undefined when no request belongs to the finding. @param also numbers of further requests that tell of it */
export const reproductionOf = (finding: Finding, trail: Trail, also: Iterable<number>): Reproduction | undefined => {
  const chosen = [...new Set([...also, ...finding.numbers])].flatMap((number) => trail.step(number) ?? []);
  const shown = chosen.length > 0 ? chosen : writesOf(finding, trail);
  if (shown.length === 0 && finding.deliveries === undefined) return undefined;
  const gathering = new Gathering(trail, chosen.length > 0 ? Math.max(...chosen.map(({ number }) => number)) : finding.until);
  if (finding.deliveries)
    for (const step of gathering.earlier) if (step.operation === 'create_webhook' && wrote(step)) gathering.add(step);
  for (const step of shown) {
    gathering.add(step);
    const project = listedProject(step);
    const { name } = objectIn(step.body);
    for (const other of gathering.earlier) {
      const inProject =
        project !== undefined && other.operation === 'create_task' && decoded(other.path.split('/')[2] ?? '') === project;
      const sameName =
        name !== undefined && other.path === step.path && step.method === 'POST' && objectIn(other.body).name === name;
      if (inProject || (wrote(other) && sameName)) gathering.add(other);
    }
  }
  const before = chosen.length > 0 ? listBefore(chosen.at(-1)!, trail) : undefined;
  if (before) gathering.add(before);
  for (const id of shownBy(finding, trail)) gathering.want(id);
  const own = gathering.earlier.filter(({ check }) => check === finding.during);
  const writes = own.filter(({ method }) => method !== 'GET');
  const isShrunk = finding.during.startsWith('walk/');
  const whole = isShrunk || ON_COUNTS.test(finding.requirement) ? own : writes.length <= FEW_WRITES ? writes : [];
  for (const step of whole) gathering.add(step);
  if (finding.deliveries) for (const step of writesOf(finding, trail)) gathering.add(step);
  return { steps: gathering.steps(), shown: new Set(shown.map(({ number }) => number)) };
};
