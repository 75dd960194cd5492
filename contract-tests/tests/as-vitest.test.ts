// `wm-mock/contract`: what its tests say to the reporters of a project.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, expect, test } from 'vitest';
import { runOn } from './runs.ts';

const ROOT = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(ROOT, 'tests/as-vitest-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Told {
  readonly title: string;
  readonly status: 'passed' | 'failed' | 'pending' | 'skipped';
  readonly failureMessages: readonly string[];
}

/** Every test of a run on a server with these faults, by its title. */
const results = async (faults: string): Promise<ReadonlyMap<string, Told>> => {
  const config = join(folder, 'vitest.config.mjs');
  writeFileSync(config, `export default { test: { root: ${JSON.stringify(ROOT)}, include: ['tests/as-vitest.suite.ts'] } };`);
  const words = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    config,
    '--reporter=json',
    `--outputFile=${folder}/out.json`,
  ];
  const env = { ...process.env, FAULTS: faults, VITEST: '', GITHUB_ACTIONS: '' };
  await new Promise((done) => execFile(process.execPath, words, { cwd: join(ROOT, '..'), env }, done));
  const { testResults } = JSON.parse(readFileSync(join(folder, 'out.json'), 'utf8'));
  return new Map(testResults[0].assertionResults.map((one: Told) => [one.title, one]));
};

test('a violation fails the test of its requirement, with both sides and the calls, and nothing else fails', async () => {
  const all = [...(await results('patch-unchecked')).values()];
  const failed = all.filter(({ status }) => status === 'failed');
  const ofDocument = failed.filter(({ title }) => title.startsWith('describes'));
  expect(ofDocument.map(({ title }) => title)).toEqual([
    'describes GET /projects/{project_id}/tasks',
    'describes GET /tasks',
    'describes POST /projects/{project_id}/tasks',
    'describes GET /tasks/{task_id}',
    'describes PATCH /tasks/{task_id}',
  ]);
  expect(ofDocument[3]!.failureMessages.join()).toContain('response data.due_date');
  expect(all.filter(({ status }) => status === 'passed').length).toBeGreaterThan(300);
  const violations = failed.filter(({ title }) => !title.startsWith('describes'));
  const { failures } = await runOn(['patch-unchecked']);
  expect(violations.map(({ title }) => title.split(' ')[0]).sort()).toEqual([...failures].sort());
  for (const { failureMessages } of violations)
    expect(failureMessages.join()).toMatch(/specification, line \d+[\s\S]*curl [\s\S]*→ \d{3} /);
});
