// The pages of the dashboard in process: the demo beside the demo with 100,000 more tasks, and 100 exchanges beside 1,000.
// Each fills the pages that it shows, so that what is compared is the work behind them. Usage: node dashboard.mjs <rounds> <ms>
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { createMock } from '../../dist/node/index.js';
import { addresses } from '../../docs/screenshots/pages.mjs';
import { stir } from '../../src/test/traffic.mjs';
import { cpuMs, inRounds } from './rounds.mjs';

const ORIGIN = 'http://127.0.0.1:4700';
const [rounds, ms] = process.argv.slice(2).map(Number);
const demo = parse(readFileSync('fixtures/demo.yaml', 'utf8'));

/** A mock with the traffic that the addresses speak of, and so many tasks and exchanges more. @returns how long a page of it is, bytes */
const start = async (tasks_per_project, exchanges) => {
  const [acme, ...others] = structuredClone(demo).workspaces;
  const seed = { ...demo, workspaces: [{ ...acme, generate: { projects: 10, tasks_per_project } }, ...others] };
  const mock = await createMock({ seed, now: '2025-01-20T09:00:00Z', plan: 'unlimited' });
  await stir((path, init) => mock.app.fetch(new Request(ORIGIN + path, init)));
  const headers = mock.auth('read');
  for (let i = mock.requests.length; i < exchanges; i++) await mock.fetch('/tasks?sort=title&filter[status]=todo', { headers });
  return async (path) => {
    const response = await mock.app.fetch(new Request(ORIGIN + path, { headers: { accept: 'text/html' } }));
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path} was answered ${response.status}: ${text.slice(0, 200)}`);
    return text.length;
  };
};

const few = await start(1, 100);
const ofTasks = await start(10_000, 100);
const ofJournal = await start(1, 1000);
const pages = {};
for (const { name, path } of await addresses()) {
  const bytes = Math.max(await few(path), await ofTasks(path), await ofJournal(path));
  const variants = { few: () => few(path), ofTasks: () => ofTasks(path), ofJournal: () => ofJournal(path) };
  const found = await inRounds(variants, { rounds, ms, now: cpuMs });
  pages[name] = { micros: found.few.micros, ofTasks: found.ofTasks.ofFirst, ofJournal: found.ofJournal.ofFirst, bytes };
}
console.log(JSON.stringify(pages));
