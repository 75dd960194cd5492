// What .ci/audit.mjs makes of npm's words and of the table of dependencies.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAudit, unreasoned } from './audit.mjs';

const report = (vulnerabilities, total = Object.keys(vulnerabilities).length) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities,
    metadata: {
      vulnerabilities: { info: 0, low: 0, moderate: 0, high: total, critical: 0, total },
      dependencies: { prod: 9, dev: 90 },
    },
  });
const advisory = {
  source: 1,
  name: 'braces',
  title: 'It never ends',
  url: 'https://example.test/GHSA-1',
  severity: 'high',
  range: '<3',
};
const vulnerable = (name, via) => ({
  name,
  severity: 'high',
  isDirect: false,
  via,
  effects: [],
  range: '<3',
  nodes: [],
  fixAvailable: true,
});

test('a report without vulnerabilities has no findings', () => {
  assert.deepEqual(readAudit(report({})), { findings: [] });
});

test('each vulnerability is a finding, with what is known or by way of what', () => {
  const { findings, unknown } = readAudit(
    report({ braces: vulnerable('braces', [advisory]), micromatch: vulnerable('micromatch', ['braces']) }),
  );
  assert.deepEqual(findings, [
    'high: braces <3: It never ends https://example.test/GHSA-1',
    'high: micromatch <3: by way of braces',
  ]);
  assert.equal(unknown, undefined);
});

test('a registry that has no audit is no finding, and is said', () => {
  for (const statusCode of [404, 405, 501]) {
    const message = `${statusCode} Not Allowed - POST https://registry.example.test/-/npm/v1/security/advisories/bulk`;
    const said = JSON.stringify({ message, method: 'POST', statusCode, body: '', error: { summary: '', detail: '' } });
    assert.deepEqual(readAudit(said), { findings: [], unknown: message });
  }
});

test('so is one that cannot be reached', () => {
  const message =
    'request to https://registry.example.test/-/npm/v1/security/advisories/bulk failed, reason: connect ECONNREFUSED';
  assert.deepEqual(readAudit(JSON.stringify({ message, error: { summary: '', detail: '' } })), {
    findings: [],
    unknown: message,
  });
});

test('whatever else npm says is an error, never a pass', () => {
  const lock = { error: { code: 'ENOLOCK', summary: 'This command requires an existing lockfile.', detail: '' } };
  assert.throws(() => readAudit(JSON.stringify(lock)), /requires an existing lockfile/);
  assert.throws(() => readAudit(JSON.stringify({ ...lock, statusCode: 405 })), /requires an existing lockfile/);
  assert.throws(() => readAudit(report({}, 2)), /counts 2 vulnerabilities and lists 0/);
  for (const text of ['', 'npm error', '{}', 'null', '[]', '{"vulnerabilities":{}}'])
    assert.throws(() => readAudit(text), /npm audit/);
});

const table = (...rows) =>
  `# A\n\n| yaml | elsewhere |\n\n## Run-time dependencies\n\n| package | why |\n|---|---|\n${rows.map((row) => `| ${row} |\n`).join('')}\nMore.\n`;

test('each dependency has a reason, and each reason a dependency', () => {
  const manifest = { dependencies: { hono: '1', yaml: '2' } };
  assert.deepEqual(unreasoned(manifest, table('hono, yaml | routes and seeds')), []);
  assert.deepEqual(unreasoned(manifest, table('hono | routes')), ['yaml has no reason in ARCHITECTURE.md']);
  assert.deepEqual(unreasoned(manifest, table('hono | routes', 'yaml | ')), ['yaml has no reason in ARCHITECTURE.md']);
  assert.deepEqual(unreasoned(manifest, table('hono, yaml, ajv | all')), ['ARCHITECTURE.md names ajv, no dependency']);
});

test('twelve dependencies are allowed, thirteen are not', () => {
  const names = Array.from({ length: 13 }, (_, i) => `p${i}`);
  const manifest = (count) => ({ dependencies: Object.fromEntries(names.slice(0, count).map((name) => [name, '1'])) });
  const rows = (count) => table(`${names.slice(0, count).join(', ')} | needed`);
  assert.deepEqual(unreasoned(manifest(12), rows(12)), []);
  assert.deepEqual(unreasoned(manifest(13), rows(13)), ['13 direct run-time dependencies; at most 12 are allowed']);
});
