// `wm-mock/contract`: the suite as vitest tests in a project of one's own: one run, one test for each requirement.
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDocument } from './engine/document.ts';
import { operationsOf } from './engine/operations.ts';
import type { ContractOptions } from './engine/options.ts';
import { latestRelease, readRegister, readShippedDocument } from './engine/register.ts';
import type { Release } from './engine/releases.ts';
import { knownAs, NOT_SELECTED, type Report, type RequirementResult, unexplainedOperations, unjudged } from './engine/report.ts';
import { forTerminal } from './report/escape.ts';
import { optionsFromEnvironment, runContract, terminal } from './run.ts';

export type { ContractOptions } from './engine/options.ts';

type Given = Partial<ContractOptions>;

/** Given options win over the environment, which gives them by the variables of `wm-mock contract`. */
const optionsOf = (given: Given): ContractOptions => {
  const { baseUrl: WM_BASE_URL, keys } = given;
  const fromEnvironment = optionsFromEnvironment({ ...process.env, ...(WM_BASE_URL && { WM_BASE_URL }) });
  const log = (line: string) => void process.stdout.write(`${line}\n`);
  const github = process.env.GITHUB_ACTIONS === 'true' ? { annotate: log } : {};
  return { log, ...github, ...fromEnvironment, ...given, keys: { ...fromEnvironment.keys, ...keys } };
};

/** The text of a failed test: the sides, the script that repeats it, and each call with its response. */
const violation = (
  { reason = '', consequence_of: root, evidence = [], script, line, quote }: RequirementResult,
  folder: string,
) => {
  const [first] = evidence;
  return [
    root ? `follows from ${root}: ${reason}` : reason,
    ...(first?.expected === undefined ? [] : [`expected ${first.expected}, got ${first.got ?? ''}`]),
    ...(line === undefined ? [] : [`specification, line ${line}: ${quote ?? ''}`]),
    ...(script ? [`repeat it: sh ${folder}/${script}`] : []),
    ...(first?.exchanges.flatMap(({ curl, status, body }) => [curl, `→ ${status} ${body}`]) ?? []),
  ]
    .map(forTerminal)
    .join('\n');
};

/**
 * Registers a test for each requirement; one run before them all asks the target. What cannot be seen there is skipped with its reason.
 * @param given options that win over the environment, or what gives them once the tests begin
 */
export const contract = (given: Given | (() => Given | Promise<Given>) = {}): void => {
  let report: Report;
  let options: ContractOptions;

  beforeAll(async () => {
    options = optionsOf(typeof given === 'function' ? await given() : given);
    report = await runContract(options);
  }, 3_600_000);

  afterAll(() => {
    if (report) options.log?.(terminal(report));
  });

  test('the run can be made', () => {
    expect(report.error).toBeUndefined();
  });

  const seeable = readRegister().filter(({ unseen }) => unseen === undefined);
  for (const part of new Set(seeable.map((requirement) => requirement.part))) {
    describe(part, () => {
      for (const { id, says } of seeable.filter((requirement) => requirement.part === part)) {
        test(`${id} ${says}`, async ({ skip, annotate }) => {
          const result = report.requirements.find((candidate) => candidate.id === id);
          if (!result) return skip(report.error ? 'the run could not be made' : `not in v${report.release.judged}`);
          const { status, reason = '' } = result;
          if (status === 'skipped' || status === 'blocked') skip(reason);
          if (status === 'observed') await annotate(reason, 'notice');
          if (status !== 'failed') return;
          const known = knownAs(report, result);
          if (known) return skip(`known until ${known.expires}: ${known.reason} (${known.owner}): ${reason}`);
          expect.fail(violation(result, options.reportDir || '.'));
        });
      }
    });
  }

  test('nothing was skipped', ({ skip }) => {
    if (!options.requireComplete) skip('only with requireComplete');
    expect(report.requirements.some(({ reason }) => reason !== NOT_SELECTED)).toBe(true);
    expect(unjudged(report).map(({ id }) => id)).toEqual([]);
    expect(unexplainedOperations(report)).toEqual([]);
  });
};

/**
 * Registers a test for each operation: the OpenAPI 3.1 document of a service describes it, with every field and every success that the
 * specification gives it. No service is asked.
 */
export const contractDocument = (document: object, release: Release = latestRelease()): void => {
  const wanted = readDocument(readShippedDocument(release), release)!;
  describe('the OpenAPI document', () => {
    for (const { id, method, path } of operationsOf(release)) {
      test(`describes ${method} ${path}`, () => {
        const { fields, statuses } = readDocument(document, release)!;
        const has = new Set(fields.map(({ operation, where, field }) => `${operation} ${where} ${field}`));
        const lacks = wanted.fields.filter(
          ({ operation, where, field }) => operation === id && !has.has(`${operation} ${where} ${field}`),
        );
        expect(lacks.map(({ where, field }) => `${where} ${field}`)).toEqual([]);
        expect(statuses(id).some((status) => status >= 200 && status < 300)).toBe(true);
      });
    }
  });
};
