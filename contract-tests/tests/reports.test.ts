// The artefacts: complete, escaped, and without a key or a secret.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Fetch } from '../engine/terms.ts';
import { terminal } from '../report/terminal.ts';
import { runContract } from '../run.ts';
import { TestServer } from './test-server.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contract-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = async (server: TestServer, fetch: Fetch = server.fetch) => {
  const lines: string[] = [];
  const report = await runContract({
    baseUrl: 'http://127.0.0.1/v1',
    fetch,
    keys: server.roles(),
    time: server.clock,
    reportDir: folder,
    allow: ['webhooks', 'slow'],
    annotate: (line) => lines.push(line),
  });
  const names = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  const texts = names.filter((name) => statSync(name).isFile()).map((name) => readFileSync(name, 'utf8'));
  return { report, texts: [...texts, lines.join('\n')], lines };
};

test('no key and no secret is in any artefact, even when the target shows them', async () => {
  const server = new TestServer({ limit: 5000 });
  const keys = Object.values(server.roles());
  const secrets: string[] = [];
  const leaky: Fetch = async (url, init) => {
    const response = await server.fetch(url, init);
    const text = await response.text();
    const secret = /"secret":"([^"]+)"/.exec(text)?.[1];
    if (secret) secrets.push(secret);
    if (response.status === 204) return new Response(null, response);
    const key = new Headers(init?.headers).get('authorization') ?? '';
    const shown = text.replace(/}$/, `,"echo":${JSON.stringify([key, ...secrets])}}`);
    return new Response(shown, response);
  };
  const { report, texts } = await run(server, leaky);
  expect(report.failures).toContain('WM-HOOK-005');
  expect(secrets.length).toBeGreaterThan(0);
  for (const text of texts) for (const value of [...keys, ...secrets]) expect(text.includes(value)).toBe(false);
});

test('what a target answers is escaped in the HTML and the XML', async () => {
  const server = new TestServer({ limit: 5000 });
  const nasty: Fetch = async (url, init) => {
    const response = await server.fetch(url, init);
    if (response.status !== 404) return response;
    return new Response('<script>alert(1)</script>]]>&', { status: 404, headers: response.headers });
  };
  const { texts } = await run(server, nasty);
  for (const text of texts.filter((candidate) => candidate.startsWith('<'))) expect(text).not.toContain('<script>alert');
});

test('what a target answers steers no terminal and no CI service', async () => {
  const server = new TestServer({ limit: 5000 });
  const hostile = '\u001b[2J\n::error::forged\r\u009b31m';
  const nasty: Fetch = async (url, init) => {
    const response = await server.fetch(url, init);
    if (response.status !== 404) return response;
    return Response.json({ error: { code: hostile, message: hostile } }, { status: 404, headers: response.headers });
  };
  const { report } = await run(server, nasty);
  expect(JSON.stringify(report)).toContain('forged');
  for (const line of terminal(report).split('\n')) {
    expect(line.trim()).not.toMatch(/^::/);
    expect([...line].filter((letter) => letter < ' ' || (letter >= '\u007f' && letter <= '\u009f'))).toEqual([]);
  }
});

test('a violation shows its curl line with a placeholder for the key, and an annotation', async () => {
  const server = new TestServer({ limit: 5000, faults: ['has-more-on-exact'] });
  const { report, lines } = await run(server);
  const failed = report.requirements.find(({ id }) => id === 'WM-META-013');
  expect(failed?.evidence?.[0]?.exchanges[0]?.curl).toContain('"Authorization: Bearer $WM_API_KEY_WRITE"');
  expect(lines.some((line) => line.startsWith('::error title=WM-META-013::'))).toBe(true);
});

test('choices.yaml holds what was seen, and the next run says what changed', async () => {
  writeFileSync(join(folder, 'choices.yaml'), 'not-found-code: not_found\n');
  const { report } = await run(new TestServer({ limit: 5000 }));
  expect(parse(readFileSync(join(folder, 'choices.yaml'), 'utf8'))).toEqual(report.choices);
  expect(report.choices_changed).toEqual([{ choice: 'not-found-code', before: 'not_found', now: 'resource_not_found' }]);
});

test('the report has the promised fields', async () => {
  const { report } = await run(new TestServer({ limit: 5000 }));
  expect(report).toMatchObject({ verdict: 'partial', profile: 'full', target: 'http://127.0.0.1/v1' });
  expect(
    report.requirements.every(
      ({ id, part, level, says, status, checks }) => id && part && level && says && status && checks.length > 0,
    ),
  ).toBe(true);
  expect(report.coverage.operations.every(({ exercised, reason }) => exercised || reason)).toBe(true);
});

test('a report folder that cannot be is told of before the first request', async () => {
  const server = new TestServer({ limit: 5000 });
  writeFileSync(join(folder, 'file'), '');
  const asked: string[] = [];
  const fetch: Fetch = (url, init) => {
    asked.push(url);
    return server.fetch(url, init);
  };
  const options = { baseUrl: 'http://127.0.0.1/v1', fetch, keys: server.roles(), reportDir: join(folder, 'file', 'reports') };
  await expect(runContract(options)).rejects.toThrow(/^the report folder cannot be written to: .*Give another folder/);
  expect(asked).toEqual([]);
});

// Only Linux has a file that is always full.
test('a report that cannot be written is lost, and not the verdict', async () => {
  mkdirSync(join(folder, `report.json.${process.pid}.tmp`));
  const ended = run(new TestServer({ limit: 5000 }));
  await expect(ended).rejects.toThrow(/^the run ended with the verdict \w+, but its report could not be written: /);
});
