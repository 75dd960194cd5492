// The artefacts for people and for CI: root failures first, the run in numbers, no more than a service shows.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { terminal } from '../run.ts';
import { freshFolder, runOn } from './runs.ts';
import { TestServer } from './test-server.ts';

const folder = freshFolder();
const FAULTS = ['has-more-on-exact', 'no-isolation', 'tasks-outlive-project', 'cursor-drops-filters'];

const attributes = (xml: string, tag: string) =>
  [...xml.matchAll(new RegExp(`<${tag} ([^>]*)>`, 'g'))].map(([, text]) =>
    Object.fromEntries([...text!.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!])),
  );

const entry = { requirement: 'WM-META-013', owner: 'Ada', reason: 'ticket <7>', expires: '2999-12-31' };

test('each artefact says how many requests the run made and how long it took', async () => {
  const summaryFile = folder.at('summary.md');
  const lines: string[] = [];
  const report = await runOn(FAULTS, { reportDir: folder.path, summaryFile, annotate: (line) => lines.push(line) });
  const effort = `${report.requests} requests, ${(report.duration_ms / 1000).toFixed(1)} s`;
  for (const name of ['junit.xml', 'report.html', 'choices.yaml', 'summary.md', 'failures/WM-META-013.sh'])
    expect(folder.read(name), name).toContain(effort);
  expect(terminal(report)).toContain(effort);
  expect(lines.at(-1)).toContain(effort);
});

test('JUnit has times, types and totals, and what is known does not fail', async () => {
  await runOn(FAULTS, { reportDir: folder.path, baseline: [entry] });
  const xml = folder.read('junit.xml');
  const [all] = attributes(xml, 'testsuites');
  const suites = attributes(xml, 'testsuite');
  const cases = attributes(xml, 'testcase');
  const sum = (name: string) => suites.reduce((total, suite) => total + Number(suite[name]), 0);
  for (const name of ['tests', 'failures', 'skipped']) expect(Number(all![name])).toBe(sum(name));
  expect(cases.length).toBe(Number(all!.tests));
  expect(cases.every(({ time }) => /^\d+\.\d{3}$/.test(time ?? ''))).toBe(true);
  expect(cases.some(({ time }) => Number(time) > 0)).toBe(true);
  expect(attributes(xml, 'failure').every(({ type }) => type === 'violation' || type === 'consequence')).toBe(true);
  expect(xml).toMatch(/name="WM-META-013 [^>]*><skipped message="known until 2999-12-31: ticket &lt;7&gt; \(Ada\)/);
});

test('at most ten annotations are made, and one that says how many more there are', async () => {
  const server = new TestServer({ limit: 5000 });
  const lines: string[] = [];
  await runOn(server, {
    annotate: (line) => lines.push(line),
    fetch: async (url, init) => {
      const answer = await server.fetch(url, init);
      if (answer.status === 204) return answer;
      return new Response((await answer.text()).replace(/"(name|title|role|email|status|priority|total)":/g, '"$1_":'), answer);
    },
  });
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toMatch(/^::notice title=Contract run::\d+ more stand in the report/);
});

test('a conforming run is not annotated', async () => {
  const lines: string[] = [];
  await runOn([], { annotate: (line) => lines.push(line) });
  expect(lines).toEqual([]);
});

test('the summary of a GitHub job is added to what is there, and no text of a target is Markdown in it', async () => {
  const summaryFile = folder.at('summary.md');
  writeFileSync(summaryFile, 'before\n');
  await runOn(FAULTS, { summaryFile, baseline: [{ ...entry, reason: '# <b>|ticket|</b>' }] });
  const text = readFileSync(summaryFile, 'utf8');
  expect(text).toMatch(/^before\n## ❌ Violations found/);
  expect(text).toMatch(/\| ≈ WM-META-013/);
  expect(text).not.toContain('<b>');
  expect(text.split('\n').filter((line) => line.startsWith('# '))).toEqual([]);
  const table = text.split('\n').filter((line) => line.startsWith('|'));
  expect(new Set(table.map((line) => line.split('|').length))).toEqual(new Set([6]));
});

test('the page shows the sentence of the specification, both sides, and the script of each violation', async () => {
  await runOn(FAULTS, { reportDir: folder.path });
  await runOn(FAULTS, { reportDir: folder.path, baseline: [entry] });
  const page = folder.read('report.html');
  expect(page).toContain('<a href="failures/WM-META-013.sh">');
  expect(page).toContain('<h4>Expected</h4>');
  expect(page).toContain('known until 2999-12-31: ticket &lt;7&gt; (Ada)');
  expect(page).toContain('as in the last run');
  expect(page.match(/(src|href)="(?!failures\/|#)[^"]*"/g)).toBeNull();
});

test('every anchor of the page leads somewhere, and what was left out stands with its reason', async () => {
  const report = await runOn([], { reportDir: folder.path });
  const page = folder.read('report.html');
  const ids = new Set([...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
  const anchors = [...page.matchAll(/href="#([^"]*)"/g)].map(([, to]) => to!);
  expect(anchors.length).toBeGreaterThan(report.requirements.length);
  expect(anchors.filter((to) => !ids.has(to))).toEqual([]);
  const out = report.requirements.filter(({ status }) => status === 'skipped' || status === 'blocked');
  expect(out.length).toBeGreaterThan(0);
  for (const { id } of out) expect(page).toContain(`<a href="#row-${id}"><code>${id}</code></a>`);
  expect(page).toMatch(/<section id="part-left-out">[\s\S]*<details><summary>\d+: \w/);
});

test('the terminal names violations before anything else, and what the baseline accepts with its owner', async () => {
  const report = await runOn(FAULTS, { baseline: [entry] });
  const text = terminal(report);
  expect(text).toContain('≈ WM-META-013');
  expect(text).toContain('known until 2999-12-31: ticket <7> (Ada)');
  expect(text.indexOf('✗ ')).toBeLessThan(text.indexOf('\n- '));
  const known = terminal(await runOn(['has-more-on-exact'], { baseline: [entry] }));
  expect(known).toContain('VIOLATIONS: Known violations only');
});
