// The contract suite as vitest: one run, one test for each requirement.
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRegister } from './engine/register.ts';
import { optionsFromEnvironment, type Report, runContract, terminal } from './run.ts';

let report: Report;

beforeAll(async () => {
  const write = (line: string) => void process.stdout.write(`${line}\n`);
  report = await runContract({
    ...optionsFromEnvironment(process.env),
    log: write,
    ...(process.env.GITHUB_ACTIONS === 'true' ? { annotate: write } : {}),
  });
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
        const result = report.requirements.find((candidate) => candidate.id === id)!;
        if (result.status === 'skipped' || result.status === 'blocked') skip(result.reason);
        if (result.status === 'deviation') await annotate(result.reason ?? '', 'warning');
        if (result.status === 'observed') await annotate(result.reason ?? '', 'notice');
        if (result.status !== 'failed') return;
        const curl =
          result.evidence?.[0]?.exchanges.map((exchange) => `${exchange.curl}\n→ ${exchange.status} ${exchange.body}`) ?? [];
        expect.fail([result.reason, ...curl].join('\n'));
      });
    }
  });
}

test.runIf(process.env.WM_REQUIRE_COMPLETE === '1')('nothing was skipped', () => {
  expect(report.requirements.filter(({ status }) => status === 'skipped' || status === 'blocked').map(({ id }) => id)).toEqual(
    [],
  );
});
