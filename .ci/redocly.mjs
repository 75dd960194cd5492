// Redocly's strictest rules over the OpenAPI document of each release: no error, no warning.
import { readdirSync } from 'node:fs';
import { run, tool } from './tools.mjs';

const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const documents = readdirSync('openapi').filter((name) => /^openapi(-[\d.]+)?\.json$/.test(name));

for (const name of documents) {
  const args = ['lint', `openapi/${name}`, '--extends=recommended-strict', '--format=json', '--max-problems=1000'];
  const { status, stdout, stderr } = run(tool('redocly'), args, { failing: true, env: QUIET });
  const start = stdout.indexOf('{');
  if (start < 0) throw new Error(`redocly printed no result:\n${stdout}${stderr}`);
  const { totals, problems } = JSON.parse(stdout.slice(start));
  for (const { ruleId, severity, message, location } of problems)
    console.error(`${severity} ${ruleId}: ${message} ${location?.[0]?.pointer ?? ''}`);
  console.log(
    `${name}: redocly recommended-strict: ${totals.errors} errors, ${totals.warnings} warnings, ${totals.ignored} ignored`,
  );
  if (status !== 0 || totals.errors + totals.warnings + totals.ignored > 0) process.exitCode = 1;
}
