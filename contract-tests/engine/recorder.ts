// What was found out about each requirement, assertion by assertion.
import type { Exchange } from './exchange.ts';

export type Status = 'passed' | 'failed' | 'skipped' | 'observed' | 'deviation' | 'blocked';

export interface Finding {
  readonly requirement: string;
  readonly check: string;
  readonly status: Status;
  readonly message: string;
  readonly exchanges: readonly Exchange[];
}

export class Recorder {
  /** Failures and deviations in the order in which they were found. */
  readonly findings: Finding[] = [];
  /** Requirements of the check at hand that have been judged. */
  judged = new Set<string>();
  check = 'preflight';
  readonly #applies: (requirement: string) => boolean;
  readonly #passed = new Map<string, Set<string>>();
  readonly #seen = new Set<string>();

  /** @param applies whether the release that is judged by has a requirement; others are passed over. */
  constructor(applies: (requirement: string) => boolean = () => true) {
    this.#applies = applies;
  }

  must(requirement: string, ok: boolean, message: string, ...exchanges: readonly Exchange[]): boolean {
    this.judged.add(requirement);
    if (ok) this.#pass(requirement);
    else this.#add({ requirement, check: this.check, status: 'failed', message, exchanges });
    return ok;
  }

  /** For what is arguable: a breach is reported and does not make the target non-conforming. */
  should(requirement: string, ok: boolean, message: string, ...exchanges: readonly Exchange[]): boolean {
    this.judged.add(requirement);
    if (ok) this.#pass(requirement);
    else this.#add({ requirement, check: this.check, status: 'deviation', message, exchanges });
    return ok;
  }

  note(requirement: string, message: string, ...exchanges: readonly Exchange[]): void {
    this.judged.add(requirement);
    this.#add({ requirement, check: this.check, status: 'observed', message, exchanges });
  }

  skip(requirement: string, check: string, status: 'skipped' | 'blocked', reason: string): void {
    this.#add({ requirement, check, status, message: reason, exchanges: [] });
  }

  passedChecks(requirement: string): readonly string[] {
    return [...(this.#passed.get(requirement) ?? [])];
  }

  get failed(): boolean {
    return this.findings.some((finding) => finding.status === 'failed');
  }

  #pass(requirement: string): void {
    if (!this.#applies(requirement)) return;
    const checks = this.#passed.get(requirement) ?? new Set();
    checks.add(this.check);
    this.#passed.set(requirement, checks);
  }

  #add(finding: Finding): void {
    if (!this.#applies(finding.requirement)) return;
    const key = [finding.requirement, finding.check, finding.status, finding.message].join('|');
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.findings.push(finding);
  }
}
