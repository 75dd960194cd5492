// The report of `wm-mock client` as a person reads it in a terminal.
import { expect, test } from 'vitest';
import type { ClientFinding, ClientReport } from './client-report.ts';
import { formatReport } from './report-text.ts';

const finding: ClientFinding = {
  id: 'f1',
  duty: 'WM-CLI-RETRY',
  says: 'It sent the request again at once.',
  conditions: [],
  tests: ['shows the board', 'shows a task'],
  failure: 'expected 1, got 2',
  code: 'src/api.ts:7',
  requests: [
    { method: 'GET', path: '/tasks', status: 429 },
    { method: 'GET', path: '/tasks', status: 0 },
  ],
  repeat: 'wm-mock client --rerun f1 -- npm test',
  flaky: false,
  accepted: false,
  plan: {},
  isFailure: true,
};
const duty = { id: 'WM-CLI-RETRY', title: 'Waits after 429', phase: 'conduct' as const, when: 'A response has 429.' };
const report: ClientReport = {
  version: 1,
  command: 'npm test',
  verdict: 'broken',
  seconds: 61,
  runs: 2,
  duties: [{ ...duty, spec: { quote: 'Wait.', line: 9 }, status: 'broken', seen: 1, findings: ['f1'] }],
  advice: [],
  findings: [finding],
  unsteady: [],
  coverage: { operations: ['listTasks'], of: 19 },
};

test('a finding says its duty, tests, requests, sentence, code, the command that repeats it, and the failure', () => {
  expect(formatReport(report)).toContain(`Waits after 429
  It sent the request again at once.  [f1]
  test      shows the board
            shows a task
  requests  GET /tasks 429, then GET /tasks no response
  spec      "Wait." (line 9)
  code      src/api.ts:7
  repeat    wm-mock client --rerun f1 -- npm test
    expected 1, got 2`);
});
