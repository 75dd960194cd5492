// The pages of the dashboard, server time: the demo beside the demo with 100,000 more tasks, and 100 exchanges beside 1,000.
// Both fill every page that they show, so that what is compared is the work behind it.
// node bench/inside/dashboard.mjs <rounds> <count>
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { addresses } from '../../.ci/dashboard.mjs';
import { createMock } from '../../dist/node/index.js';
import { stir } from '../../src/test/traffic.mjs';
import { median, ratios } from '../statistics.mjs';

const ORIGIN = 'http://127.0.0.1:4700';
const [rounds, count] = process.argv.slice(2).map(Number);

const demo = parse(readFileSync('fixtures/demo.yaml', 'utf8'));
const withTasks = (tasks_per_project) => {
  const [acme, ...others] = structuredClone(demo).workspaces;
  return { ...demo, workspaces: [{ ...acme, generate: { projects: 10, tasks_per_project } }, ...others] };
};

/** A mock with the traffic that the addresses speak of, and so many exchanges. */
const start = async (seed, exchanges) => {
  const mock = await createMock({ seed, now: '2025-01-20T09:00:00Z', plan: 'unlimited' });
  await stir((path, init) => mock.app.fetch(new Request(ORIGIN + path, init)));
  const headers = mock.auth('read');
  for (let i = mock.requests.length; i < exchanges; i++) await mock.fetch('/tasks?sort=title&filter[status]=todo', { headers });
  return async (path) => {
    const answer = await mock.app.fetch(new Request(ORIGIN + path, { headers: { accept: 'text/html' } }));
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${text.slice(0, 200)}`);
    return text.length;
  };
};

const variants = {
  few: await start(withTasks(1), 100),
  tasks: await start(withTasks(10_000), 100),
  journal: await start(withTasks(1), 1000),
};
const names = Object.keys(variants);

/** CPU microseconds of a page: other programs on the machine hardly touch them. */
const spent = async (get, path) => {
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) await get(path);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
};

const all = await addresses();
for (let i = 0; i < 30; i++) for (const { path } of all) for (const name of names) await variants[name](path);
const pages = {};
for (const { name, path } of all) {
  const bytes = Math.max(...(await Promise.all(names.map((one) => variants[one](path)))));
  const took = Object.fromEntries(names.map((one) => [one, []]));
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < names.length; turn++) {
      const one = names[(round + turn) % names.length];
      took[one].push(await spent(variants[one], path));
    }
  const { few, tasks, journal } = took;
  pages[name] = { micros: median(few), ofTasks: ratios(tasks, few), ofJournal: ratios(journal, few), bytes };
}
console.log(JSON.stringify(pages));
