// Redocly's strictest rules over the OpenAPI document: no error, no warning.
import { run, tool } from './tools.mjs';

const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const args = ['lint', 'openapi/openapi.json', '--extends=recommended-strict', '--format=json', '--max-problems=1000'];
const { status, stdout, stderr } = run(tool('redocly'), args, { failing: true, env: QUIET });
const start = stdout.indexOf('{');
if (start < 0) throw new Error(`redocly printed no result:\n${stdout}${stderr}`);
const { totals, problems } = JSON.parse(stdout.slice(start));

for (const { ruleId, severity, message, location } of problems)
  console.error(`${severity} ${ruleId}: ${message} ${location?.[0]?.pointer ?? ''}`);
console.log(`redocly recommended-strict: ${totals.errors} errors, ${totals.warnings} warnings, ${totals.ignored} ignored`);
if (status !== 0 || totals.errors + totals.warnings + totals.ignored > 0) process.exitCode = 1;
