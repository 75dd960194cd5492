// Parts of the specification that a run exercised: operation by status, field by field, and how its sections came out.
import type { ContractDocument } from './document.ts';
import { type Exchange, isRecord, jsonIn, succeeded } from './exchange.ts';
import { operationsOf } from './operations.ts';
import type { Requirement } from './register.ts';
import type { Release } from './releases.ts';
import type { CoverageCell, CoverageField, CoverageSection, RequirementResult } from './report.ts';

/** Members deeper than this are part of the one above. */
const DEEPEST = 4;
const NO_CHECK = 'no check of the suite calls this operation';
/** A target may name its members again in each response. */
const MAX_FIELDS = 20_000;

const membersOf = (value: unknown, at = '', depth = 0): string[] => {
  if (depth > DEEPEST) return [];
  if (Array.isArray(value)) return value.flatMap((item) => membersOf(item, `${at}[]`, depth + (Array.isArray(item) ? 1 : 0)));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = at === '' ? name : `${at}.${name}`;
    return [path, ...membersOf(inner, path, depth + 1)];
  });
};

const sentIn = (x: Exchange): string[] => {
  const query = x.query === '' ? [] : [...new URLSearchParams(x.query).keys()];
  return [...query, ...membersOf(jsonIn(x.requestBody))];
};

/** The exchanges that were seen, as far as coverage is concerned. */
export class Coverage {
  readonly #seen = new Set<string>();
  readonly #fields = new Set<string>();

  notice(x: Exchange): void {
    if (!x.operation) return;
    this.#seen.add(`${x.operation.id} ${x.status}`);
    for (const field of sentIn(x)) this.#fields.add(`${x.operation.id} request ${field}`);
    if (!succeeded(x) || this.#fields.size > MAX_FIELDS) return;
    for (const field of new Set(membersOf(x.json))) this.#fields.add(`${x.operation.id} response ${field}`);
  }

  /** Which documented responses of each operation were seen. */
  operations(document: ContractDocument | undefined, release: Release): CoverageCell[] {
    const unchecked = (document?.unchecked ?? []).flatMap(({ operation, statuses }) =>
      (statuses.length > 0 ? statuses : [200]).map((status) => ({ operation, status, exercised: false, reason: NO_CHECK })),
    );
    const checked = operationsOf(release).flatMap((operation) => {
      const stated = document?.statuses(operation.id) ?? [operation.success ?? 200, 401, 403, 404, 400];
      const mine = [...this.#seen].filter((cell) => cell.startsWith(`${operation.id} `));
      return [...new Set([...stated, ...mine.map((cell) => Number(cell.split(' ')[1]))])]
        .sort((a, b) => a - b)
        .map((status) => {
          const exercised = this.#seen.has(`${operation.id} ${status}`);
          const reason = exercised ? undefined : (unreachable(status) ?? 'no check of this run provokes it');
          return { operation: operation.id, status, exercised, ...(reason ? { reason } : {}) };
        });
    });
    return [...checked, ...unchecked];
  }

  /** Which documented fields were sent and seen. */
  fields(document: ContractDocument | undefined): CoverageField[] {
    return (document?.fields ?? []).map((field) => ({
      ...field,
      exercised: this.#fields.has(`${field.operation} ${field.where} ${field.field}`),
    }));
  }
}

const unreachable = (status: number): string | undefined => {
  if (status === 500) return 'a 500 cannot be provoked';
  if (status === 429) return 'only the quota probe, on one operation';
  return undefined;
};

/** How the requirements of each part of the specification ended. */
export const sectionsOf = (register: readonly Requirement[], results: readonly RequirementResult[]): CoverageSection[] =>
  [...new Set(register.map(({ part }) => part))].map((part) => {
    const of = (status: RequirementResult['status']) =>
      results.filter((result) => result.part === part && result.status === status).length;
    return {
      part,
      passed: of('passed'),
      failed: of('failed'),
      observed: of('observed'),
      blocked: of('blocked'),
      skipped: of('skipped'),
      unseen: register.filter((row) => row.part === part && row.unseen !== undefined).length,
    };
  });
