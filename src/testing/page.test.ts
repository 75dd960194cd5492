// The page of a failed test: what stands out, what is shown when it is asked for, and steps in words.
import { expect, test } from 'vitest';
import { formatStep, formatWorldPage } from './page.ts';

const request = (n: number, status: number, fault: string | null = null) => ({
  id: `req_${n}`,
  at: '2025-01-20T09:00:00.000Z',
  method: 'GET',
  path: `/v1/tasks?n=${n}`,
  operation: 'listTasks',
  status,
  fault,
  warnings: [],
  request: { headers: { accept: '*/*' }, body: null },
  response: { headers: { date: 'now' }, body: { n } },
  why: [
    { check: 'key', found: 'key <k>', part: 'Authentication' },
    { check: 'limit', found: 'request 1', part: 'Limits' },
  ],
});
const delivery = (id: string, state: string) => ({
  id,
  url: 'http://x',
  state,
  next_attempt_at: null,
  event: { id: 'evt_1', event: 'task.created' },
  attempts: [1, 2].map((n) => ({ n, at: '2025-01-20T09:00:00.000Z', trigger: 'event', outcome: 'response', status: 200 + n })),
});
const happened = (n: number, more: object = {}) => ({
  id: `t${n}`,
  n,
  kind: 'edit',
  at: '2025-01-20T09:00:00.000Z',
  title: `entry ${n}`,
  causes: [],
  effects: [],
  ...more,
});

const pageOf = (more: object = {}, failed?: string) =>
  formatWorldPage(
    {
      id: 'w1',
      clock: { now: '2025-01-20T09:00:00.000Z', mode: 'frozen' },
      faults: { list: () => [{ id: 'fault_1' }] },
      requests: [],
      deliveries: [],
      timeline: [],
      ...more,
    } as never,
    { title: 'it <works>', file: 'a.wm.json', repro: { release: '1.3' } as never, state: '{"seed":1}', failed },
  );

test('says why the test failed, what it is of, how to see it again, and that there is none of a kind', () => {
  expect(pageOf({}, 'got <b>')).toMatch(/<h1>.*<\/h1>\n<pre>got &#60;b&#62;<\/pre>\n<p>world w1/);
  const html = pageOf();
  expect(html).toContain('<title>it &#60;works&#62;</title>');
  expect(html).toContain('<h1>it &#60;works&#62;</h1>\n<p>world w1');
  expect(html).toContain(
    '<p>world w1 · clock 2025-01-20T09:00:00.000Z (frozen) · release 1.3 · 0 requests · 0 refused, hit by a fault or aborted · 0 events · 1 fault</p>',
  );
  expect(html).toContain('Repeat it, and see the dashboard as it was then: <code>npx wm-mock replay a.wm.json --open</code>');
  for (const title of ['Requests, and why each got its response', 'Events and their attempts', 'Timeline'])
    expect(html).toContain(`<h2>${title}</h2><p>None.</p>`);
  expect(html).toContain('<h2>Faults</h2><pre>{\n  &#34;id&#34;: &#34;fault_1&#34;\n}</pre>');
  expect(html).toContain(
    '<h2>What there is</h2>\n<details><summary>The state as a seed</summary><pre>{&#34;seed&#34;:1}</pre></details>',
  );
});

test('opens the requests that failed, and folds the others with their bodies and responses', () => {
  const html = pageOf({ requests: [request(1, 200), request(2, 400), request(3, 0), request(4, 200, 'fault_1')] });
  const parts = html
    .split('<details')
    .slice(1)
    .filter((part) => part.includes('<code class='));
  expect(parts.map((part) => [part.startsWith(' open>'), /<code class="(\w+)">(req_\d)/.exec(part)!.slice(1)])).toEqual([
    [false, ['same', 'req_1']],
    [true, ['breaks', 'req_2']],
    [true, ['breaks', 'req_3']],
    [true, ['breaks', 'req_4']],
  ]);
  expect(html).toContain('3 refused');
  expect(html).toContain('<span>key       key &#60;k&#62;  (Authentication)</span><span>limit     request 1  (Limits)</span>');
  expect(html).toContain('<details><summary>request</summary><pre');
  expect(html).toContain('</pre></details><details><summary>response</summary>');
  expect(html).toContain('&#34;date&#34;: &#34;now&#34;');
  expect(html.match(/<b class="breaks">\w+/g)).toEqual(['limit', 'key', 'key'].map((check) => `<b class="breaks">${check}`));
});

test('tells of events with their attempts', () => {
  const html = pageOf({ deliveries: [delivery('dlv_1', 'delivered'), delivery('dlv_2', 'retrying')] });
  expect(html).toContain('<code class="same">dlv_1  task.created');
  expect(html).toContain('<code class="flaky">dlv_2  task.created');
  expect(html).toContain('event  201</span><span>attempt 2  2025-01-20T09:00:00.000Z  event  202</span>');
  expect(html).toContain('<summary>event</summary>');
  expect(html).toContain('&#34;id&#34;: &#34;evt_1&#34;');
});

test('shows the newest five hundred of a kind, and counts the others', () => {
  const timeline = Array.from({ length: 502 }, (_, i) => happened(i + 1));
  expect(pageOf({ timeline })).toContain('<h2>Timeline</h2><p>2 earlier ones are left out.</p><div id="t3">');
  expect(pageOf({ timeline: timeline.slice(0, 500) })).toContain('<h2>Timeline</h2><div id="t1">');
});

test('links an entry of the timeline to its causes and to what followed', () => {
  const html = pageOf({ timeline: [happened(1), happened(2, { step: 7, causes: [1, 3], effects: [4, 5] })] });
  expect(html).toContain(
    '<div id="t1"><code>no. 1  09:00:00.000  edit  entry 1</code></div>\n<div id="t2"><code>no. 2  09:00:00.000  edit  entry 2</code>, step 7 of the repro file, from <a href="#t1">no. 1</a>, <a href="#t3">no. 3</a>, to <a href="#t4">no. 4</a>, <a href="#t5">no. 5</a></div>',
  );
});

test('a step in words', () => {
  const words = [
    { kind: 'control', method: 'POST', path: '/_mock/data/tasks', body: '{"a":1}' },
    { kind: 'request', method: 'GET', path: '/v1/tasks' },
    { kind: 'receiver', attempt: 2, delivery: 'dlv_1' },
    { kind: 'clock', wait: 1 },
    { kind: 'gone', request: 3 },
  ].map((step) => formatStep(step as never));
  expect(words).toEqual([
    'POST /_mock/data/tasks {"a":1}',
    'GET /v1/tasks',
    'attempt 2, of the delivery dlv_1',
    'time passes',
    'the sender of step 3 left',
  ]);
});
