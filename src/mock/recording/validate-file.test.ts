// A file that was edited, or is none, is refused by the place of the first fault, before anything of it is played.
import { expect, test } from 'vitest';
import { replay } from '../../replay.ts';
import { sha256 } from '../../service/webhooks/sign.ts';
import type { Repro, Step } from './steps.ts';
import { faultOf } from './validate-file.ts';

const AT = '2026-04-01T08:00:00.000Z';
const HASH = 'a'.repeat(64);
const ANSWER = { status: 200, headers: { date: 'x' }, sha256: HASH };
const REQUEST = { n: 1, at: AT, kind: 'request', method: 'GET', path: '/v1/tasks', headers: {}, expect: ANSWER };
const CALL = { ...REQUEST, kind: 'control', method: 'POST', path: '/_mock/reset' };
const SENT = { sha256: HASH, body: '' };
const RECEIVER = { n: 1, at: AT, kind: 'receiver', attempt: 1, delivery: 'dlv_1', outcome: {}, expect: SENT };
const CLOCK = { n: 1, at: AT, kind: 'clock', wait: 1 };
const GONE = { n: 2, at: AT, kind: 'gone', request: 1 };

const FILE = { version: 1, wm_mock: '', release: '1.3', signed: true, seed: { format: 'json', text: '{}' }, options: {} };
const fileOf = (steps: readonly unknown[], more: object = {}): Repro => ({ ...FILE, steps, ...more }) as Repro;
const faultAt = (steps: readonly unknown[], more: object = {}) => faultOf(fileOf(steps, more) as never);

test.each([
  ['a request', [REQUEST]],
  ['a request of the control API, in a world', [{ ...REQUEST, kind: 'control', world: 'one', body: '{}' }]],
  ['a request whose body was not read', [{ ...REQUEST, unread: 'too large' }]],
  ['a request whose connection was closed', [{ ...REQUEST, expect: { ...ANSWER, status: 0 } }]],
  ['a request that nothing had answered', [{ ...REQUEST, expect: undefined, unanswered: true }]],
  ['a body in place of its hash', [{ ...REQUEST, expect: { status: 200, headers: {}, body: '' } }]],
  ['a call', [CALL]],
  ['a receiver, whether it has answered or not', [RECEIVER, { ...RECEIVER, n: 2, outcome: undefined }]],
  ['a moment, and who left', [CLOCK, GONE]],
  ['a time with an offset', [{ ...CLOCK, at: '2026-04-01T08:00:00+02:00' }]],
  ['nothing', []],
])('%s is right', (_, steps) => {
  expect(faultAt(steps)).toBeUndefined();
});

const EXPECTED = 'what was answered, or `"unanswered": true` beside it';
const KINDS = 'request, control, clock, receiver, gone';

test.each([
  [[REQUEST, null], 'steps[1]: expected an object, got null'],
  [[[]], 'steps[0]: expected an object, got []'],
  [['text'], 'steps[0]: expected an object, got "text"'],
  [[{ ...REQUEST, kind: 'jump' }], `steps[0].kind: expected one of ${KINDS}, got "jump"`],
  [[{ ...CLOCK, n: 0 }], 'steps[0].n: expected an integer from 1, got 0'],
  [[{ ...CLOCK, n: 1.5 }], 'steps[0].n: expected an integer from 1, got 1.5'],
  [[CLOCK, { ...CLOCK, n: 1 }], 'steps[1].n: expected more than 1, got 1'],
  [[{ ...CLOCK, at: 'yesterday' }], 'steps[0].at: expected an ISO 8601 time, got "yesterday"'],
  [[{ ...CLOCK, at: '2026-04-01' }], 'steps[0].at: expected an ISO 8601 time, got "2026-04-01"'],
  [[{ ...CLOCK, at: '2026-04-01T08:00:00' }], 'steps[0].at: expected an ISO 8601 time, got "2026-04-01T08:00:00"'],
  [[{ ...CLOCK, at: '2026-14-01T08:00:00Z' }], 'steps[0].at: expected an ISO 8601 time, got "2026-14-01T08:00:00Z"'],
  [[{ ...CLOCK, at: 5 }], 'steps[0].at: expected an ISO 8601 time, got 5'],
  [[{ ...CLOCK, world: 5 }], 'steps[0].world: expected a text, got 5'],
  [[{ ...CLOCK, wait: undefined }], 'steps[0].wait: expected an integer, got nothing'],
  [[{ ...REQUEST, method: 'G E' }], 'steps[0].method: expected a method, got "G E"'],
  [[{ ...REQUEST, path: 'http://evil.com/x' }], 'steps[0].path: expected a path, which begins with /, got "http://evil.com/x"'],
  [[{ ...REQUEST, headers: { a: 1 } }], 'steps[0].headers.a: expected a text, got 1'],
  [[{ ...REQUEST, headers: ['a'] }], 'steps[0].headers: expected an object, got ["a"]'],
  [[{ ...REQUEST, body: {} }], 'steps[0].body: expected a text, got {}'],
  [[{ ...REQUEST, unread: 'no' }], 'steps[0].unread: expected one of too large, not UTF-8, too many, got "no"'],
  [[{ ...REQUEST, expect: undefined }], `steps[0].expect: expected ${EXPECTED}, got nothing`],
  [[{ ...CALL, expect: null }], 'steps[0].expect: expected an object, got null'],
  [[{ ...REQUEST, expect: { ...ANSWER, status: '200' } }], 'steps[0].expect.status: expected a status, or 0, got "200"'],
  [[{ ...REQUEST, expect: { ...ANSWER, headers: null } }], 'steps[0].expect.headers: expected an object, got null'],
  [
    [{ ...REQUEST, expect: { ...ANSWER, sha256: `${HASH}a` } }],
    `steps[0].expect.sha256: expected 64 hexadecimal digits, got "${HASH.slice(0, 59)}…"`,
  ],
  [
    [{ ...REQUEST, expect: { ...ANSWER, sha256: `x${HASH}` } }],
    `steps[0].expect.sha256: expected 64 hexadecimal digits, got "x${HASH.slice(0, 58)}…"`,
  ],
  [[{ ...REQUEST, expect: { ...ANSWER, body: 1 } }], 'steps[0].expect.body: expected a text, got 1'],
  [[{ ...REQUEST, expect: { status: 200, headers: {} } }], 'steps[0].expect: expected sha256, body, or both, got neither'],
  [[{ ...CALL, method: undefined }], 'steps[0].method: expected a string, got nothing'],
  [[{ ...CALL, kind: 'edit' }], `steps[0].kind: expected one of ${KINDS}, got "edit"`],
  [[{ ...RECEIVER, attempt: -1 }], 'steps[0].attempt: expected an integer from 1, got -1'],
  [[{ ...RECEIVER, delivery: 1 }], 'steps[0].delivery: expected a text, got 1'],
  [[{ ...RECEIVER, outcome: 'x' }], 'steps[0].outcome: expected an object, got "x"'],
  [[{ ...RECEIVER, expect: undefined }], 'steps[0].expect: expected an object, got nothing'],
  [[{ ...RECEIVER, expect: { sha256: '' } }], 'steps[0].expect.sha256: expected 64 hexadecimal digits, got ""'],
  [[{ ...GONE, request: 2 }], 'steps[0].request: expected a step before it, got 2'],
  [[{ ...GONE, request: 'x' }], 'steps[0].request: expected an integer from 1, got "x"'],
])('steps %j are refused', (steps, fault) => {
  expect(faultAt(steps)).toBe(fault);
});

test.each([
  [{ release: '9.9' }, 'release: expected one of 1.0, 1.1, 1.2, 1.3, got "9.9"'],
  [{ options: null }, 'options: expected an object, got null'],
  [{ seed: undefined }, 'seed: expected an object, got nothing'],
  [{ seed: { text: 5 } }, 'seed.text: expected a seed as JSON, got 5'],
  [{ seed: { text: 'workspaces: []' } }, 'seed.text: expected a seed as JSON'],
  [{ seed: { text: '[]' } }, 'seed.text: expected a seed as JSON'],
  [{ steps: {} }, 'steps: expected an array, got {}'],
])('a file with %j is refused', (more, fault) => {
  expect(faultAt([], more)).toBe(fault);
});

test('a body beside a hash that is another is refused before anything is played; without the hash it is compared', async () => {
  const text = '{"workspaces":[{"id":"w","users":[{"id":"u"}],"api_keys":[{}]}]}';
  const played = async (step: Step) => replay(fileOf([step], { seed: { format: 'json', text } }));
  const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  // A mock of the seed {} cannot begin.
  const call = async (body: string, more: object) =>
    ({
      ...CALL,
      method: 'GET',
      path: '/_mock/snapshots',
      headers: { host: 'wm-mock.test' },
      expect: { status: 200, headers: HEADERS, sha256: await sha256('{"items":[]}'), body, ...more },
    }) as unknown as Step;
  await expect(replay(fileOf([await call('{"items":[1]}', {})]))).rejects.toThrow(
    'replay: expected a repro file, as mock.save() writes it: steps[0].expect: the body is none that has this sha256: one of them was edited. Leave sha256 out, and the body is compared. Save it anew, or mend that. docs/replay.md of wm-mock says more.',
  );
  await expect(replay(fileOf([REQUEST]))).rejects.toThrow(/^seed: workspaces: missing/);
  await expect(replay(fileOf([CLOCK]))).rejects.toThrow(/^seed: workspaces: missing/);
  await expect(replay(fileOf([{ ...CLOCK, wait: 'x' }]))).rejects.toThrow('steps[0].wait: expected an integer from 1');
  expect((await played(await call('{"items":[]}', {}))).difference).toBeUndefined();
  expect((await played(await call('{"items":[]}', { sha256: undefined }))).difference).toBeUndefined();
  expect((await played(await call('{"items":[1]}', { sha256: undefined }))).difference).toMatchObject({
    expected: 1,
    got: undefined,
  });
});
