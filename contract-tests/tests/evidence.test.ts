// The evidence of a failure: enough to believe it and to act on it, with every call and response.
import { expect, test } from 'vitest';
import { compact } from '../engine/compact.ts';
import type { Exchange } from '../engine/exchange.ts';
import { consequencesOf } from '../engine/judge.ts';
import { Recorder } from '../engine/recorder.ts';
import { Redactor } from '../engine/redact.ts';
import { rootFailures } from '../engine/report.ts';
import { exitStatus, terminal } from '../run.ts';
import { PART, type RunOptions, resultOf, runOn } from './runs.ts';

/** A server that responds to one POST in its own way. */
const postAs =
  (path: string, body: object): RunOptions['through'] =>
  (next) =>
  async (url, init) => {
    const made = await next(url, init);
    const is = init?.method === 'POST' && url.endsWith(path) && made.status === 201;
    return is ? Response.json(body, { status: 418, headers: made.headers }) : made;
  };

const response = (number: number): Exchange => ({ number, text: '' }) as Exchange;

test('a failure shows the expected value beside what came', async () => {
  const report = await runOn(['patch-unchecked'], { only: PART });
  const [first] = resultOf(report, 'WM-EP-079').evidence!;
  expect(first).toMatchObject({ expected: expect.stringMatching(/400|422/), got: expect.stringContaining('202') });
  expect(terminal(report)).toContain(`expected ${first!.expected}, got ${first!.got}`);
});

test('each exchange says which request of the run it was, and what the service calls it', async () => {
  let count = 0;
  const report = await runOn(['has-more-on-exact'], {
    only: PART,
    through: (next) => async (url, init) => {
      const made = await next(url, init);
      made.headers.set('x-request-id', `req-${++count}`);
      made.headers.set('date', 'Mon, 07 Jan 2030 09:00:00 GMT');
      return made;
    },
  });
  const [shown] = resultOf(report, 'WM-META-013').evidence![0]!.exchanges;
  expect(shown!.request_id).toBe(`req-${shown!.number}`);
  expect(report.service_date).toBe('Mon, 07 Jan 2030 09:00:00 GMT');
});

test('a failure on events shows the deliveries that came', async () => {
  const report = await runOn(['hook-two-keys'], { profile: 'full', allow: ['webhooks'], only: ['events/'] });
  const [delivery] = resultOf(report, 'WM-EVT-022').evidence![0]!.deliveries!;
  expect(delivery!.request).toBe('POST /all');
  expect(Object.keys(delivery!.headers)).toContain('x-service-signature');
  expect(JSON.parse(delivery!.body)).toMatchObject({ data: { extra: {} } });
});

test('a long text is cut inside its body, and meta stays', () => {
  const body = JSON.stringify({ items: [{ description: 'z'.repeat(10_000) }], meta: { total: 1 } });
  const short = JSON.parse(compact(body));
  expect(short).toMatchObject({ meta: { total: 1 } });
  expect(short.items[0].description).toMatch(/^z{300}… \(10000 characters\)$/);
  const item = { id: 'x'.repeat(30), title: 'y'.repeat(255), description: 'z'.repeat(2000) };
  const page = compact(JSON.stringify({ items: Array.from({ length: 100 }, () => item), meta: { total: 100 } }));
  expect(page.length).toBeLessThanOrEqual(30_000);
  expect(JSON.parse(page).meta).toEqual({ total: 100 });
});

test('a short body stands as it came', () => {
  for (const text of ['', '{ "a" :1}', 'no JSON', `{"title": "${'x'.repeat(255)}", "n": 1.0}`]) expect(compact(text)).toBe(text);
});

test('a violation that another explains is its consequence: by word, and by the document on the same response', () => {
  const record = new Recorder();
  record.must('WM-GEN-011', false, 'the document says otherwise', response(7));
  record.must('WM-TASK-012', false, 'created_at is missing', response(7));
  record.must('WM-SORT-001', false, { message: 'the order is wrong', because: 'WM-TASK-012' }, response(8));
  record.must('WM-SORT-002', false, { message: 'this is another matter', because: 'WM-ENV-001' }, response(8));
  expect([...consequencesOf(record.failures)]).toEqual([
    ['WM-GEN-011', 'WM-TASK-012'],
    ['WM-SORT-001', 'WM-TASK-012'],
  ]);
});

test('a violation that was also found by itself is no consequence', () => {
  const record = new Recorder();
  record.must('WM-TASK-012', false, 'created_at is missing', response(7));
  record.must('WM-GEN-011', false, 'the document says otherwise', response(7));
  record.must('WM-GEN-011', false, 'and here too', response(9));
  expect([...consequencesOf(record.failures)]).toEqual([]);
});

test('violations that explain each other both stay', () => {
  const record = new Recorder();
  record.must('WM-SORT-001', false, { message: 'a', because: 'WM-SORT-002' });
  record.must('WM-SORT-002', false, { message: 'b', because: 'WM-SORT-001' });
  expect([...consequencesOf(record.failures)]).toEqual([]);
});

test('consequences are folded under their root and change no exit status', async () => {
  const report = await runOn([], { through: postAs('/projects', { error: { code: 'teapot', message: 'no' } }) });
  expect(exitStatus(report)).toBe(1);
  const blocked = report.requirements.filter(({ status }) => status === 'blocked');
  expect(blocked.length).toBeGreaterThan(20);
  expect(blocked.filter(({ consequence_of }) => consequence_of === undefined)).toEqual([]);
  const roots = rootFailures(report);
  expect(roots.map(({ root }) => root.id)).toContain('WM-EP-002');
  const ids = roots.flatMap(({ root, consequences }) => [root, ...consequences].map(({ id }) => id));
  expect(new Set(report.failures)).toEqual(new Set(ids));
});

test('a root that a check was blocked by shows the call that stopped it', async () => {
  const report = await runOn([], { only: ['teams/'], through: postAs('/teams', {}) });
  const failed = report.requirements.filter(({ status }) => status === 'failed');
  expect(failed.length).toBeGreaterThan(0);
  const bare = failed.filter(({ evidence }) => !evidence?.some(({ exchanges }) => exchanges.length > 0));
  expect(bare.map(({ id }) => id)).toEqual([]);
});

test('a known value is hidden in whatever form it comes, and nothing else is changed', () => {
  const redactor = new Redactor();
  redactor.know('a "key" & more', '$KEY');
  redactor.knowHeader('X-Env', 'test');
  expect(redactor.clean('a "key" & more, a%20%22key%22%20%26%20more, {"k":"a \\"key\\" & more"}')).toBe(
    '$KEY, $KEY, {"k":"$KEY"}',
  );
  expect(redactor.clean('the latest test, "test"')).toBe('the latest $WM_HEADER_X_ENV, "$WM_HEADER_X_ENV"');
  expect(redactor.cleanAll({ passed: true, list: ['test', 1, null] })).toEqual({
    passed: true,
    list: ['$WM_HEADER_X_ENV', 1, null],
  });
  expect([...redactor.secrets()]).toEqual(['a "key" & more']);
});

test('coverage tells what of each operation was exercised, and how each part came out', async () => {
  const { coverage, requirements } = await runOn([]);
  const field = (operation: string, where: string, name: string) =>
    coverage.fields.find((one) => one.operation === operation && one.where === where && one.field === name)?.exercised;
  expect(field('create_task', 'request', 'title')).toBe(true);
  expect(field('list_tasks', 'request', 'filter[priority]')).toBe(true);
  expect(field('list_tasks', 'response', 'items[].priority')).toBe(true);
  expect(field('list_tasks', 'response', 'meta.next_cursor')).toBe(true);
  expect(coverage.fields.some(({ exercised }) => !exercised)).toBe(true);
  for (const section of coverage.sections) {
    const { part, unseen: _, ...numbers } = section;
    const total = Object.values(numbers).reduce((sum: number, one) => sum + Number(one), 0);
    expect(total).toBe(requirements.filter((result) => result.part === part).length);
  }
});
