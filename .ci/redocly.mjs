// Redocly's strictest rules over the OpenAPI document of each release, and today's in words of 3.0: no error, no warning.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { run, tool } from './tools.mjs';

const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const folder = mkdtempSync(join(tmpdir(), 'wm-mock-openapi-'));
writeFileSync(join(folder, 'openapi-in-3.0.json'), run('node', ['dist/node/cli.js', 'openapi', '--openapi', '3.0']).stdout);
const committed = readdirSync('openapi').filter((name) => /^openapi(-[\d.]+)?\.json$/.test(name));
const documents = [...committed.map((name) => `openapi/${name}`), join(folder, 'openapi-in-3.0.json')];

for (const name of documents) {
  const args = ['lint', name, '--extends=recommended-strict', '--format=json', '--max-problems=1000'];
  const { status, stdout, stderr } = run(tool('redocly'), args, { failing: true, env: QUIET });
  const start = stdout.indexOf('{');
  if (start < 0) throw new Error(`redocly printed no result:\n${stdout}${stderr}`);
  const { totals, problems } = JSON.parse(stdout.slice(start));
  for (const { ruleId, severity, message, location } of problems)
    console.error(`${severity} ${ruleId}: ${message} ${location?.[0]?.pointer ?? ''}`);
  console.log(
    `${basename(name)}: redocly recommended-strict: ${totals.errors} errors, ${totals.warnings} warnings, ${totals.ignored} ignored`,
  );
  if (status !== 0 || totals.errors + totals.warnings + totals.ignored > 0) process.exitCode = 1;
}
rmSync(folder, { recursive: true });
