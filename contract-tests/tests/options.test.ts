// The options that the environment gives a run.
import { expect, test } from 'vitest';
import { optionsFromEnvironment } from '../run.ts';

const env = { WM_BASE_URL: 'http://127.0.0.1/v1' };

test('each variable sets its option', () => {
  expect(
    optionsFromEnvironment({
      ...env,
      WM_ONLY: 'WM-LIST-008, lists/',
      WM_RERUN_FAILED: '1',
      WM_BASELINE: 'known.yaml',
      WM_WRITE_BASELINE: 'next.yaml',
      WM_BAIL: '1',
      WM_KEEP: 'true',
      WM_THOROUGH: '1',
      WM_TIMEOUT: '5000',
      WM_HEADERS: 'X-Gateway: a, b: c\r\nX-Empty:\n',
      GITHUB_STEP_SUMMARY: 'summary.md',
    }),
  ).toMatchObject({
    only: ['WM-LIST-008', 'lists/'],
    rerunFailed: true,
    baselineFile: 'known.yaml',
    writeBaseline: 'next.yaml',
    bail: true,
    keep: true,
    thorough: true,
    timeoutMs: 5000,
    headers: { 'X-Gateway': 'a, b: c', 'X-Empty': '' },
    summaryFile: 'summary.md',
  });
});

test('an option that is not given is off', () => {
  const off = optionsFromEnvironment({ ...env, WM_BAIL: '0', WM_KEEP: 'false', WM_THOROUGH: 'no', WM_ONLY: ' ' });
  expect([off.bail, off.keep, off.thorough, off.rerunFailed, off.requireComplete]).toEqual([false, false, false, false, false]);
  expect([off.only, off.headers, off.timeoutMs, off.baselineFile]).toEqual([undefined, undefined, undefined, undefined]);
});

test.each([
  ['no colon', 'X-Gateway secret', 'expected "Name: value" in line 1'],
  ['a key of the API', 'Authorization: Bearer secret', 'Authorization is a header of the API itself'],
])('a header line with %s is refused, and its value is not said', (_what, WM_HEADERS, message) => {
  const read = () => optionsFromEnvironment({ ...env, WM_HEADERS });
  expect(read).toThrow(message);
  expect(read).not.toThrow('secret');
});

test.each([
  ['WM_API_KEY_READ', 'wm_secret—read', 'WM_API_KEY_READ: character 10 of the value, U+2014, cannot be sent in a header'],
  ['WM_API_KEY_ADMIN', 'wm\nsecret', 'WM_API_KEY_ADMIN: character 3 of the value, U+000A,'],
  ['WM_MOCK_CONTROL_TOKEN', '“secret”', 'WM_MOCK_CONTROL_TOKEN: character 1 of the value, U+201C,'],
  ['WM_HEADERS', 'X-A: “secret”', 'WM_HEADERS: X-A: character 1 of the value, U+201C,'],
  ['WM_HEADERS', 'X-A: secret 🦔', 'WM_HEADERS: X-A: character 8 of the value, U+1F994,'],
])('%s with a sign that no header carries is refused by its name, and its value is not said', (name, value, message) => {
  const read = () => optionsFromEnvironment({ ...env, [name]: value });
  expect(read).toThrow(message);
  expect(read).not.toThrow('secret');
});

test('a timeout is a positive whole number', () => {
  expect(() => optionsFromEnvironment({ ...env, WM_TIMEOUT: '5s' })).toThrow('WM_TIMEOUT: expected a positive whole number');
});
