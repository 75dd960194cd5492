// Findings about each requirement, assertion by assertion.
import type { Claim, Sides } from './claims.ts';
import { compact } from './compact.ts';
import { type Exchange, textsIn } from './exchange.ts';
import type { Message } from './receiver.ts';

export type Status = 'passed' | 'failed' | 'skipped' | 'observed' | 'blocked';

/** The fault, for people; a text alone is the message. */
export interface Told {
  readonly message: string;
  /** The value of the specification, and the one that came instead. */
  readonly expected?: string | undefined;
  readonly got?: string | undefined;
  /** The compared sides, when it is one member; else what must hold, as data. */
  readonly sides?: Sides | undefined;
  readonly claims?: readonly Claim[] | undefined;
  /** The requirement whose violation explains this one, if that is violated. */
  readonly because?: string | undefined;
  /** The deliveries that show it; absent: all that came during the check. */
  readonly deliveries?: readonly Message[] | undefined;
}

export interface Finding extends Told {
  readonly requirement: string;
  readonly check: string;
  /** The check that was running, when the finding is that of a law. */
  readonly during: string;
  readonly status: Status;
  readonly exchanges: readonly Exchange[];
  /** Numbers of the exchanges. */
  readonly numbers: readonly number[];
  /** Number of the last exchange before it was found. */
  readonly until: number;
}

/** This many findings of a requirement keep their responses, which may be large; the others keep the numbers of them. */
const KEEPING = 10;
/** This many deliveries of a check are shown. */
const DELIVERIES = 20;
/** Shorter texts of a delivery are words of a message too. */
const TELLING = 12;
/** Limits of the findings of a requirement and of the length of their messages, which a target may vary each time. */
const FINDINGS = 500;
const MESSAGE = 2000;
/** Longer bodies are kept as they are shown. */
const BODY = 200_000;
/** Requirements on events and deliveries. */
const ON_EVENTS = /^WM-(EVT|DLV)-/;

/** A text of its own: a part of a long one would keep all of it in memory. */
const own = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text));

const short = (text: string): string =>
  text.length > MESSAGE ? `${own(text.slice(0, MESSAGE))}… (${text.length} characters)` : text;

const shortened = (told: string | Told): Told => {
  if (typeof told === 'string') return { message: short(told) };
  const { message, expected, got } = told;
  return {
    ...told,
    message: short(message),
    ...(expected === undefined ? {} : { expected: short(expected) }),
    ...(got === undefined ? {} : { got: short(got) }),
  };
};

const keyOf = ({ requirement, check, status, message }: Finding): string => [requirement, check, status, message].join('|');

export class Recorder {
  /** Judgements that did not pass, in the order in which they were found. */
  readonly findings: Finding[] = [];
  /** Requirements of the check at hand that have been judged. */
  judged = new Set<string>();
  check = 'preflight';
  /** Deliveries that have come so far. */
  incoming: () => readonly Message[] = () => [];
  /** Number of the last exchange. */
  exchanged: () => number = () => 0;
  /** How a body is shown. */
  shown: (body: string) => string = compact;
  readonly #applies: (requirement: string) => boolean;
  readonly #passed = new Map<string, Set<string>>();
  readonly #seen = new Set<string>();
  readonly #kept = new Map<string, number>();
  readonly #counts = new Map<string, number>();
  readonly #light = new WeakMap<Exchange, Exchange>();
  readonly #spent = new Map<string, number>();
  #running = 'preflight';
  #began = 0;
  #before = 0;

  /** @param applies whether the release that is judged by has a requirement; others are passed over. */
  constructor(applies: (requirement: string) => boolean = () => true) {
    this.#applies = applies;
  }

  /** The check that is running. */
  get running(): string {
    return this.#running;
  }

  /** Milliseconds that each check took. */
  get spent(): ReadonlyMap<string, number> {
    return this.#spent;
  }

  begin(check: string): void {
    this.check = check;
    this.#running = check;
    this.judged = new Set();
    this.#before = this.incoming().length;
    this.#began = performance.now();
  }

  end(): void {
    this.#spent.set(this.#running, (this.#spent.get(this.#running) ?? 0) + performance.now() - this.#began);
  }

  must(requirement: string, ok: boolean, told: string | Told, ...exchanges: readonly Exchange[]): boolean {
    return this.#judge(requirement, ok, 'failed', told, exchanges);
  }

  note(requirement: string, told: string | Told, ...exchanges: readonly Exchange[]): void {
    this.#judge(requirement, false, 'observed', told, exchanges);
  }

  skip(requirement: string, check: string, status: 'skipped' | 'blocked', reason: string): void {
    const bare = { exchanges: [], numbers: [], until: this.exchanged() };
    this.#add({ requirement, check, during: check, status, message: reason, ...bare });
  }

  passedChecks(requirement: string): readonly string[] {
    return [...(this.#passed.get(requirement) ?? [])];
  }

  get failures(): readonly Finding[] {
    return this.findings.filter((finding) => finding.status === 'failed');
  }

  /** Forgets the violations found since there were this many findings. @returns them */
  takeBack(count: number): readonly Finding[] {
    const late = this.findings.splice(count);
    const failed = late.filter(({ status }) => status === 'failed');
    this.findings.push(...late.filter(({ status }) => status !== 'failed'));
    for (const finding of failed) {
      this.#seen.delete(keyOf(finding));
      for (const counts of [this.#kept, this.#counts]) counts.delete(finding.requirement);
    }
    return failed;
  }

  #judge(requirement: string, ok: boolean, status: Status, told: string | Told, exchanges: readonly Exchange[]): boolean {
    this.judged.add(requirement);
    if (ok) this.#pass(requirement);
    else {
      const numbers = exchanges.map(({ number }) => number);
      const where = { check: this.check, during: this.#running, until: this.exchanged() };
      const whole = { ...shortened(told), ...this.#came(requirement, told) };
      this.#add({ ...whole, requirement, status, ...where, exchanges, numbers });
    }
    return ok;
  }

  /** The deliveries that a finding on events is about: those that its message names, else those of its check, else the last. */
  #came(requirement: string, told: string | Told): { deliveries?: readonly Message[] } {
    if (!ON_EVENTS.test(requirement) || (typeof told !== 'string' && told.deliveries)) return {};
    const all = this.incoming();
    const message = typeof told === 'string' ? told : told.message;
    const named = all.filter(({ body }) => textsIn(body).some((text) => text.length >= TELLING && message.includes(text)));
    const here = all.slice(this.#before);
    const messages = [named, here, all].find((some) => some.length > 0) ?? [];
    return messages.length > 0 ? { deliveries: messages.slice(-DELIVERIES) } : {};
  }

  #pass(requirement: string): void {
    if (!this.#applies(requirement)) return;
    const checks = this.#passed.get(requirement) ?? new Set();
    checks.add(this.check);
    this.#passed.set(requirement, checks);
  }

  #add(finding: Finding): void {
    if (!this.#applies(finding.requirement)) return;
    const key = keyOf(finding);
    const count = this.#counts.get(finding.requirement) ?? 0;
    if (this.#seen.has(key) || count >= FINDINGS) return;
    this.#seen.add(key);
    this.#counts.set(finding.requirement, count + 1);
    this.findings.push(this.#slim(finding));
  }

  #slim(finding: Finding): Finding {
    const shown = finding.status === 'failed';
    const kept = this.#kept.get(finding.requirement) ?? 0;
    if (shown) this.#kept.set(finding.requirement, kept + 1);
    if (shown && kept < KEEPING) return { ...finding, exchanges: finding.exchanges.map((x) => this.#lightened(x)) };
    const { deliveries: _, ...slim } = finding;
    return { ...slim, exchanges: [] };
  }
  /** An exchange without more of its body than is shown. */
  #lightened(x: Exchange): Exchange {
    if (x.text.length <= BODY) return x;
    const light = this.#light.get(x) ?? { ...x, text: own(this.shown(x.text)), json: undefined };
    this.#light.set(x, light);
    return light;
  }
}
