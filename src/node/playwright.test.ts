// The Playwright door, by a suite that the real runner runs in a child: parallel worlds, the real address, the report of a failure.
import { execFile } from 'node:child_process';
import { beforeAll, expect, test } from 'vitest';
import { makeFileFolder } from '../test/temp-folder.ts';

interface Result {
  readonly status: string;
  readonly workerIndex: number;
  readonly errors: readonly { readonly message: string; readonly location?: { readonly file: string } }[];
  readonly attachments: readonly { readonly name: string; readonly contentType: string; readonly body?: string }[];
}
interface Suite {
  readonly suites?: readonly Suite[];
  readonly specs?: readonly { readonly title: string; readonly tests: readonly { readonly results: readonly Result[] }[] }[];
}

const resultsOf = ({ suites = [], specs = [] }: Suite): [string, Result][] => [
  ...specs.map(({ title, tests }): [string, Result] => [title, tests[0]!.results[0]!]),
  ...suites.flatMap(resultsOf),
];

const folder = makeFileFolder();
let results: Map<string, Result>;
beforeAll(async () => {
  const env = { ...process.env, WM_SUITE_OUTPUT: folder, FORCE_COLOR: '0' };
  const words = ['node_modules/@playwright/test/cli.js', 'test', '-c', 'src/test/suites/playwright/playwright.config.ts'];
  const out = await new Promise<string>((done) =>
    execFile(process.execPath, words, { env, maxBuffer: 2 ** 26 }, (_error, stdout) => done(stdout)),
  );
  results = new Map(resultsOf(JSON.parse(out) as Suite));
}, 120_000);

const FAILING = 'fails on purpose';
const ASKING_ELSEWHERE = 'asks another address, and fails';
const DISAGREEING = 'fails at the next step, though no assertion asks';

test('every test of the suite holds, in two workers, but those that are to fail', () => {
  const failed = [...results].filter(([, { status }]) => status !== 'passed');
  expect(failed.map(([title, { errors }]) => [title, errors.map(({ message }) => message)]).sort()).toEqual([
    [ASKING_ELSEWHERE, [expect.stringContaining('toHaveLength')]],
    [DISAGREEING, [expect.stringContaining('The screen does not agree with the service')]],
    [FAILING, [expect.stringContaining('expected a request with operation "updateTask", status 200, at least once')]],
  ]);
  expect(results.size).toBeGreaterThanOrEqual(9);
  expect(new Set([...results.values()].map(({ workerIndex }) => workerIndex)).size).toBeGreaterThanOrEqual(2);
});

test('a screen that disagrees fails at the line of the test', () => {
  expect(results.get(DISAGREEING)!.errors[0]!.location?.file).toMatch(/agreement\.spec\.ts$/);
});

const attachedText = (title: string): string => {
  const attached = results.get(title)!.attachments.find(({ name }) => name === 'wm-mock');
  expect(attached?.contentType).toBe('text/plain');
  return Buffer.from(attached!.body!, 'base64').toString();
};

test('a failed test without a request says where its page asked, without the query', () => {
  expect(attachedText(ASKING_ELSEWHERE)).toMatch(/^The pages asked elsewhere:\nhttps:\/\/app\.example\.test\/api\/tasks\n$/m);
});

test('a failed test has the journal with its reasons, the deliveries and the clock attached as text', () => {
  const text = attachedText(FAILING);
  expect(text).toContain('clock 2025-01-20T09:00:00.000Z (frozen)');
  expect(text).toMatch(/req_2 .* PATCH \/v1\/tasks\/task_dated → 403 {2}updateTask/);
  expect(text).toMatch(/^ +scope +403: .*needs a key of scope write/m);
  expect(text).toContain('warning   removed-parameter');
  expect(text).toContain('Deliveries: ');
});

test('a test that passes has nothing attached', () => {
  const passed = [...results.values()].filter(({ status }) => status === 'passed');
  for (const { attachments } of passed) expect(attachments).toEqual([]);
});

test('a screen that disagrees is attached beside what a reload shows, with the failure on its page', () => {
  const names = results.get(DISAGREEING)!.attachments.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['wm-mock: the screen', 'wm-mock: after a reload', 'wm-mock repro', 'wm-mock page']),
  );
});
