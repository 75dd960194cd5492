// The artefacts: complete, escaped, and without a key or a secret; no more than a service shows.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Fetch } from '../engine/terms.ts';
import { terminal } from '../run.ts';
import { freshFolder, type RunOptions, resultOf, runOn } from './runs.ts';

const folder = freshFolder();

/** A run that sees events and deletions, with all that it leaves: every artefact, and its annotations. */
const run = async (through?: (next: Fetch) => Fetch, options: RunOptions = {}) => {
  const lines: string[] = [];
  const report = await runOn([], {
    profile: 'full',
    only: ['events/', 'deletion/', 'lists/walk'],
    reportDir: folder.path,
    allow: ['webhooks'],
    annotate: (line) => lines.push(line),
    ...(through && { through }),
    ...options,
  });
  const names = readdirSync(folder.path, { recursive: true }).map((name) => folder.at(String(name)));
  const texts = names.filter((name) => statSync(name).isFile()).map((name) => readFileSync(name, 'utf8'));
  return { report, texts: [...texts, lines.join('\n')], lines };
};

/** A server that gives responses another body. */
const retold =
  (tell: (text: string, response: Response, init: RequestInit | undefined) => string) =>
  (next: Fetch): Fetch =>
  async (url, init) => {
    const response = await next(url, init);
    return response.status === 204 ? response : new Response(tell(await response.text(), response, init), response);
  };

test('no key and no secret is in any artefact, even when the target shows them', async () => {
  const keys = new Set<string>();
  const secrets: string[] = [];
  const leaky = retold((text, _, init) => {
    const secret = /"secret":"([^"]+)"/.exec(text)?.[1];
    if (secret) secrets.push(secret);
    const key = new Headers(init?.headers).get('authorization') ?? '';
    if (/^Bearer [\w-]{12,}$/.test(key) && !key.includes('wmct')) keys.add(key.slice('Bearer '.length));
    return text.replace(/}$/, `,"echo":${JSON.stringify([key, ...secrets])}}`);
  });
  const { report, texts } = await run(leaky, { only: ['events/', 'access/no-key'] });
  expect(report.failures).toContain('WM-HOOK-005');
  expect([keys.size > 2, secrets.length > 0]).toEqual([true, true]);
  for (const text of texts) for (const value of [...keys, ...secrets]) expect(text.includes(value)).toBe(false);
});

test('a response of the target steers no terminal and no CI service, and is escaped in the HTML and the XML', async () => {
  const hostile = '\u001b[2J\n::error::forged\r\u009b31m<script>alert(1)</script>]]>&';
  const error = JSON.stringify({ error: { code: hostile, message: hostile } });
  const { report, texts } = await run(retold((text, { status }) => (status === 404 ? error : text)));
  for (const text of texts.filter((candidate) => candidate.startsWith('<'))) expect(text).not.toContain('<script>alert');
  expect(JSON.stringify(report)).toContain('forged');
  for (const line of terminal(report).split('\n')) {
    expect(line.trim()).not.toMatch(/^::/);
    expect([...line].filter((letter) => letter < ' ' || (letter >= '\u007f' && letter <= '\u009f'))).toEqual([]);
  }
});

test('at most ten annotations are made, and one that says how many more there are', async () => {
  const nameless = retold((text) => text.replace(/"(name|title|role|email|status|priority|total)":/g, '"$1_":'));
  const { lines } = await run(nameless, { profile: 'core', only: undefined, reportDir: false });
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toMatch(/^::notice title=Contract run::\d+ more are in the report/);
});

test('a conforming run is not annotated', async () => {
  expect((await run(undefined, { only: ['lists/walk'], reportDir: false })).lines).toEqual([]);
});

test('a conforming run has the promised fields; choices.yaml holds what was seen and the report what changed', async () => {
  writeFileSync(folder.at('choices.yaml'), 'not-found-code: not_found\n');
  const { report, lines } = await run();
  expect(lines.filter((line) => line.startsWith('::error'))).toEqual([]);
  expect(parse(folder.read('choices.yaml'))).toEqual(report.choices);
  expect(report.choices_changed).toEqual([{ choice: 'not-found-code', before: 'not_found', now: 'resource_not_found' }]);
  expect(report).toMatchObject({ verdict: 'partial', profile: 'full', target: 'http://127.0.0.1/v1' });
  const complete = report.requirements.filter(({ id, part, level, says, status }) => id && part && level && says && status);
  expect(complete.filter(({ checks }) => checks.length > 0)).toEqual(report.requirements);
  expect(report.coverage.operations.every(({ exercised, reason }) => exercised || reason)).toBe(true);
});

test('a report folder that cannot be is told of before the first request', async () => {
  writeFileSync(folder.at('file'), '');
  const fetch = () => Promise.reject(new Error('asked'));
  const options = { fetch, reportDir: folder.at('file/reports') };
  await expect(runOn([], options)).rejects.toThrow(/^the report folder cannot be written to: .*Give another folder/);
});

test('a report that cannot be written is lost, and not the verdict', async () => {
  mkdirSync(folder.at('junit.xml'));
  const ended = run(undefined, { only: ['lists/walk'] });
  await expect(ended).rejects.toThrow(/^the run ended with the verdict \w+, but its report could not be written: /);
});

test('the value of a header is in no artefact, and a response may repeat it', async () => {
  const value = 'gateway-secret-9';
  const report = await runOn(['has-more-on-exact'], {
    only: ['lists/walk'],
    headers: { 'X-Gateway': value },
    through: retold((text, _, init) => {
      expect(new Headers(init?.headers).get('x-gateway')).toBe(value);
      return text.replace(/}$/, `,"via":"${value}"}`);
    }),
  });
  expect(report.failures).toEqual(['WM-META-013']);
  expect(JSON.stringify(report)).not.toContain(value);
  expect(resultOf(report, 'WM-META-013').evidence![0]!.exchanges[0]!.curl).toContain('-H "X-Gateway: $WM_HEADER_X_GATEWAY"');
});

test('one function writes files and one reads YAML; the rest appends, or is text of a script', () => {
  const root = new URL('../', import.meta.url);
  const callers = (pattern: RegExp) =>
    (readdirSync(root, { recursive: true }) as string[])
      .filter((file) => /^(?!tests|judge).*\.ts$/.test(file) && pattern.test(readFileSync(new URL(file, root), 'utf8')))
      .sort();
  expect(callers(/\b(?:writeFile|rename|open|copyFile)Sync\(/)).toEqual(['engine/files.ts', 'report/shell.ts']);
  expect(callers(/import .*\bparse\b.*yaml/)).toEqual(['engine/files.ts']);
});
