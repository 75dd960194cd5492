// A random session as a check: ends at the first violation, and repeats it with fewer requests as long as it shows.
import type { Check } from '../engine/check.ts';
import type { WalkOptions } from '../engine/options.ts';
import type { Finding } from '../engine/recorder.ts';
import type { Walked } from '../engine/report.ts';
import type { Tools } from '../engine/tools.ts';
import { Walker } from './draw.ts';
import { needsOf, Session, type Step } from './step.ts';

/** Shrinking ends after as many requests as this times those of the session. */
const EFFORT = 6;
const MIN_REQUESTS = 60;
/** The law of the document says again, and worse, what another requirement says. */
const DOCUMENT = 'WM-GEN-011';

/** A session without some steps, and those that need them. */
const without = (session: readonly Step[], dropped: readonly Step[]): readonly Step[] => {
  const removed = new Set(dropped.map(({ id }) => id));
  return session.filter((step) => {
    if (!removed.has(step.id) && needsOf(step).some((id) => removed.has(id))) removed.add(step.id);
    return !removed.has(step.id);
  });
};

/** Smaller sessions that are likely to show the same: what the last step needs, then that with every write. */
const slicesOf = (session: readonly Step[]): readonly (readonly Step[])[] => {
  const kept = new Set<number>();
  for (const step of session.toReversed())
    if (kept.size === 0 || kept.has(step.id)) for (const id of [step.id, ...needsOf(step)]) kept.add(id);
  const needed = session.filter(({ id }) => kept.has(id));
  return [needed, session.filter((step) => step.method !== 'GET' || needed.includes(step)), session];
};

type Shows = (session: readonly Step[]) => Promise<readonly Step[] | undefined>;

/** Drops parts of a session, large ones first, until no step can be missed. @param shows the steps up to the violation, if it comes */
export const shrink = async (session: readonly Step[], shows: Shows): Promise<readonly Step[] | undefined> => {
  let best: readonly Step[] | undefined;
  for (const slice of slicesOf(session)) best ??= await shows(slice);
  if (!best) return undefined;
  for (let size = Math.ceil(best.length / 2); size >= 1; ) {
    const before = best.length;
    for (let end = best.length; end > 0; end = Math.min(end - size, best.length)) {
      const less = without(best, best.slice(Math.max(0, end - size), end));
      best = less.length > 0 ? ((await shows(less)) ?? best) : best;
    }
    if (size > 1 || best.length === before) size = Math.floor(size / 2);
  }
  return best;
};

/** The first violation of those that came at once which explains the others. */
const firstOf = (found: readonly Finding[]): Finding | undefined =>
  found.find(({ requirement }) => requirement !== DOCUMENT) ?? found[0];

class Walk {
  readonly #t: Tools;
  readonly #options: WalkOptions;
  readonly #isKnown: (finding: Finding) => boolean;
  #requests = 0;
  #tries = 0;

  constructor(t: Tools, options: WalkOptions, isKnown: (finding: Finding) => boolean) {
    this.#t = t;
    this.#options = options;
    // Findings of the first requests of a run break the walk no more.
    const early = new Set(t.record.failures.map(({ requirement }) => requirement));
    this.#isKnown = (finding) => early.has(finding.requirement) || isKnown(finding);
  }

  /** @param tell takes what has come of it, also where it breaks off: it can be repeated */
  async run(tell: (walked: Walked) => void): Promise<void> {
    const { steps, seed } = this.#options;
    const walker = new Walker(this.#t, seed);
    const session = new Session(this.#t, 'walk');
    const walked: Step[] = [];
    let shortest: readonly Step[] | undefined;
    try {
      for (let id = 0; id < steps; id++) {
        const step = walker.next(id);
        walked.push(step);
        const from = this.#t.record.findings.length;
        walker.learn(step, await session.send(step));
        const first = firstOf(this.#violations(from));
        if (!first) continue;
        await session.end();
        shortest = (await this.#shortest(walked, first, from)) ?? [];
        break;
      }
    } finally {
      tell({ seed, steps: walked.length, ...(shortest && { shortest: shortest.map(textOf) }) });
    }
  }

  #violations(from: number): readonly Finding[] {
    return this.#t.record.findings.slice(from).filter((finding) => finding.status === 'failed' && !this.#isKnown(finding));
  }

  /** The fewest steps that break the same clause. What other tries found is forgotten. */
  async #shortest(walked: readonly Step[], { requirement }: Finding, from: number): Promise<readonly Step[] | undefined> {
    const { record, parts } = this.#t;
    let found = record.takeBack(from);
    parts.tell(`${requirement} is violated after ${walked.length} requests; looking for the fewest that show it`);
    try {
      return await shrink(walked, async (session) => {
        if (this.#requests > Math.max(MIN_REQUESTS, EFFORT * walked.length)) return undefined;
        const shown = await this.#repeat(session, requirement);
        if (shown) found = shown.found;
        return shown?.session;
      });
    } finally {
      record.findings.push(...found);
    }
  }

  /** Sends a session with records of its own, up to where it breaks a clause. */
  async #repeat(session: readonly Step[], requirement: string) {
    const { record } = this.#t;
    const check = `walk/${++this.#tries}`;
    const from = record.findings.length;
    record.begin(check);
    const fresh = new Session(this.#t, check.replace('/', '-'));
    let shown: readonly Step[] | undefined;
    for (let i = 0; i < session.length && !shown; i++) {
      this.#requests++;
      await fresh.send(session[i]!);
      if (this.#violations(from).some((finding) => finding.requirement === requirement)) shown = session.slice(0, i + 1);
    }
    record.begin('walk');
    await fresh.end();
    const found = record.takeBack(from).filter(({ during }) => during === check);
    return shown && { session: shown, found };
  }
}

const textOf = ({ method, target, as, body }: Step): string =>
  [method, target, ...(body ? [JSON.stringify(body)] : []), `(${as})`].join(' ');

/** @param isKnown whether a violation is accepted, so that the walk continues @param tell takes what came of it */
export const walkCheck = (
  options: WalkOptions,
  isKnown: (finding: Finding) => boolean,
  tell: (walked: Walked) => void,
): Check => ({
  id: 'walk',
  says: 'A random session of valid requests',
  covers: [],
  profile: 'read-only',
  run: (t) => new Walk(t, options, isKnown).run(tell),
});
