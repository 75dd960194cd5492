// The artefacts of one run with violations, for people and for CI: root failures first, the run in numbers.
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Report, terminal } from '../run.ts';
import { freshFolder, PART, resultOf, runOn } from './runs.ts';

const folder = freshFolder(beforeAll, afterAll);
const FAULTS = ['has-more-on-exact', 'no-isolation', 'tasks-outlive-project', 'cursor-drops-filters'];
const entry = { requirement: 'WM-META-013', owner: 'Ada', reason: '# ticket <7> <b>|x|</b>', expires: '2999-12-31' };
const lines: string[] = [];
let report: Report;

/** The second run of a folder: one of its violations is known. */
beforeAll(async () => {
  const options = { reportDir: folder.path, only: [...PART, 'deletion/project', 'access/other-workspace'] };
  await runOn(FAULTS, options);
  writeFileSync(folder.at('summary.md'), 'before\n');
  const annotate = (line: string) => lines.push(line);
  report = await runOn(FAULTS, { ...options, baseline: [entry], summaryFile: folder.at('summary.md'), annotate });
});

const attributes = (xml: string, tag: string) =>
  [...xml.matchAll(new RegExp(`<${tag} ([^>]*)>`, 'g'))].map(([, text]) =>
    Object.fromEntries([...text!.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!])),
  );

test('each artefact says how many requests the run made and how long it took', () => {
  const effort = `${report.requests} requests, ${(report.duration_ms / 1000).toFixed(1)} s`;
  for (const name of ['junit.xml', 'report.html', 'choices.yaml', 'summary.md', 'failures/WM-META-013.sh'])
    expect(folder.read(name), name).toContain(effort);
  expect(terminal(report)).toContain(effort);
  expect(lines.at(-1)).toContain(effort);
});

test('a violation shows its curl line with a placeholder for the key, and an annotation', () => {
  const { evidence } = resultOf(report, 'WM-META-013');
  expect(evidence?.[0]?.exchanges[0]?.curl).toContain('"Authorization: Bearer $WM_API_KEY_WRITE"');
  expect(lines.some((line) => line.startsWith('::error title=WM-LIST-008::'))).toBe(true);
});

test('JUnit has times, types and totals, and what is known does not fail', () => {
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
  expect(xml).toMatch(/name="WM-META-013 [^>]*><skipped message="known until 2999-12-31: # ticket &lt;7&gt; .*\(Ada\)/);
});

test('the summary of a GitHub job is added to what is there, and no text of a target is Markdown in it', () => {
  const text = folder.read('summary.md');
  expect(text).toMatch(/^before\n## ❌ Violations found/);
  expect(text).toMatch(/\| ≈ WM-META-013/);
  expect(text).not.toContain('<b>');
  expect(text.split('\n').filter((line) => line.startsWith('# '))).toEqual([]);
  const table = text.split('\n').filter((line) => line.startsWith('|'));
  expect(new Set(table.map((line) => line.split('|').length))).toEqual(new Set([6]));
});

test('the page shows the sentence of the specification, both sides, and the script of each violation', () => {
  const page = folder.read('report.html');
  expect(page).toContain('<a href="failures/WM-META-013.sh">');
  expect(page).toContain('<h4>Expected</h4>');
  expect(page).toContain('known until 2999-12-31: # ticket &lt;7&gt;');
  expect(page).toContain('as in the last run');
  expect(page.match(/(src|href)="(?!failures\/|#)[^"]*"/g)).toBeNull();
});

test('every anchor of the page leads somewhere, and what was left out stands with its reason', () => {
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
  const text = terminal(report);
  expect(text).toContain('≈ WM-META-013');
  expect(text).toContain('known until 2999-12-31: # ticket <7>');
  expect(text.indexOf('✗ ')).toBeLessThan(text.indexOf('\n- '));
  const known = terminal(await runOn(['has-more-on-exact'], { baseline: [entry], only: PART }));
  expect(known).toContain('VIOLATIONS: Known violations only');
});
