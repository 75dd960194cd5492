// The contract suite as vitest: one run, one test for each requirement.
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRegister } from './engine/register.ts';
import { knownAs, NOT_SELECTED, unjudged } from './engine/report.ts';
import { type ContractOptions, optionsFromEnvironment, type Report, runContract, terminal } from './run.ts';

let report: Report;
let options: ContractOptions;

beforeAll(async () => {
  const write = (line: string) => void process.stdout.write(`${line}\n`);
  options = optionsFromEnvironment(process.env);
  report = await runContract({ ...options, log: write, ...(process.env.GITHUB_ACTIONS === 'true' ? { annotate: write } : {}) });
});

afterAll(() => {
  if (report) process.stdout.write(terminal(report));
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
        if (!result) return skip(`not in v${report.release.judged}`);
        const { status, reason = '', consequence_of: root, evidence = [], script } = result;
        if (status === 'skipped' || status === 'blocked') skip(reason);
        if (status === 'deviation') await annotate(reason, 'warning');
        if (status === 'observed') await annotate(reason, 'notice');
        if (status !== 'failed') return;
        const known = knownAs(report, result);
        if (known) return skip(`known until ${known.expires}: ${known.reason} (${known.owner}): ${reason}`);
        const [first] = evidence;
        const sides = first?.expected === undefined ? [] : [`expected ${first.expected}, got ${first.got ?? ''}`];
        const calls = first?.exchanges.map(({ curl, status: answered, body }) => `${curl}\n→ ${answered} ${body}`) ?? [];
        const repeat = script ? [`repeat it: sh ${options.reportDir || '.'}/${script}`] : [];
        expect.fail([root ? `follows from ${root}: ${reason}` : reason, ...sides, ...repeat, ...calls].join('\n'));
      });
    }
  });
}

test.runIf(process.env.WM_REQUIRE_COMPLETE === '1')('nothing was skipped', () => {
  const selected = report.requirements.filter(({ reason }) => reason !== NOT_SELECTED);
  expect(selected.length).toBeGreaterThan(0);
  expect(unjudged(report).map(({ id }) => id)).toEqual([]);
});
