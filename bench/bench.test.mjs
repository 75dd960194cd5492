// What can be wrong with the benchmark without a server: counting, ratios, bars, the report. `node --test bench/`
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { judge } from './bars.mjs';
import { movedSince } from './last.mjs';
import { measureLoad, summarize } from './load.mjs';
import { report } from './report.mjs';
import { ofNeighbours, ratio } from './statistics.mjs';

const verdicts = (result) => new Map(judge(result).map(({ what, verdict }) => [what, verdict]));
const start = (ofHello) => verdicts({ start: { ofHello } }).get('start ÷ a Hono hello-world');

test('a gated bar is far off beyond its gate alone, and when it was not measured', () => {
  assert.deepEqual([1.2, 1.4, 1.5, undefined].map(start), ['met', 'missed', 'far off', 'far off']);
  const beside = (ofLimit) =>
    verdicts({ load: { list: { 'wm-mock 100k': { ofLimit } } } }).get('list: 100k tasks beside limit (c)');
  assert.deepEqual([0.9, 0.7, 0.5].map(beside), ['met', 'missed', 'far off']);
  assert.equal(verdicts({}).get('dashboard: the largest page'), 'not measured');
});

test('what moved since the last run is named, and what both runs have alike is not', () => {
  const row = (what, value) => ({ what, value, unit: '×' });
  const moved = movedSince({ same: 1, slower: 1, faster: 2, gone: 1 }, [
    row('same', 1.1),
    row('slower', 1.5),
    row('faster', 1),
    row('gone', undefined),
  ]);
  assert.deepEqual(
    moved.map((line) => line.split(':')[0]),
    ['slower', 'faster', 'gone'],
  );
});

test('ratios are of the best rounds: a machine that slows down in between changes nothing', () => {
  assert.equal(ratio([900, 10, 20], [5, 10, 150]), 2);
  assert.equal(ofNeighbours([10, 20, 300], [5, 10, 100]), 2);
  const slices = (micros) => micros.map((one) => ({ perSecond: 1e6 / one, micros: one, p50: one / 100 + 1 }));
  const of = (name, more, micros) => ({ name: 'list', server: { name, ...more }, slices: slices(micros) });
  const found = summarize([
    of('limit (c)', { kind: 'limit' }, [40, 80, 400]),
    of('wm-mock 1k', { kind: 'mock', size: '1k' }, [50, 100, 500]),
    of('wm-mock 100k', { kind: 'mock', size: '100k' }, [80, 160, 800]),
  ]);
  const { ofLimit, growth, p50Growth } = found.list['wm-mock 100k'];
  assert.deepEqual([ofLimit, growth, p50Growth], [0.5, 1.6, 1.2]);
  const rows = [{ what: 'a bar', bar: 1, value: 2, unit: '×', verdict: 'missed' }];
  const service = { pages: {}, hurting: {}, calls: {} };
  const how = { minutes: 1, rounds: 3, cores: 2, cpu: 'any', node: 'v20', place: 'here' };
  const begun = { mockMs: 1, helloMs: 1, megabytes: 1 };
  const text = report({ how, load: found, service, start: begun, among: { micros: 1 }, forks: {}, dashboard: {} }, rows);
  assert.match(text, /\| list \|.* 12500\/s, 80 µs, ×0.5 \|/);
});

test('every response is counted, and another status than the right one ends the run', async () => {
  let asked = 0;
  let status = 200;
  const server = createServer((_, response) => {
    asked += 1;
    response.writeHead(status).end('{}');
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  let spent = 0;
  const one = {
    name: 'a server',
    base: `http://127.0.0.1:${server.address().port}/v1`,
    paths: { list: ['/tasks'] },
    cpuMs: () => (spent += 50),
  };
  const load = () => measureLoad({ servers: [one], scenarios: ['list'], rounds: 1, ms: 100, say: () => {} });
  const [{ slices }] = await load();
  assert.ok(slices[0].perSecond > 10 && asked > 10);
  assert.ok(slices[0].micros < 50_000 / 10);
  assert.ok(slices[0].p50 > 0 && slices[0].p50 < 100);
  status = 500;
  await assert.rejects(load(), /list on a server: 0 of \d+ answered rightly/);
  server.close();
});
