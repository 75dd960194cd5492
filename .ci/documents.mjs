// The documents, judged by tools of others: Redocly's strictest rules over the OpenAPI document of each release, and today's in words of
// 3.0, find no error and no warning; the types of the document are those that openapi-typescript writes, byte for byte.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { run, tool } from './tools.mjs';

const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const folder = mkdtempSync(join(tmpdir(), 'wm-mock-openapi-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const in30 = join(folder, 'openapi-in-3.0.json');
writeFileSync(in30, run('node', ['dist/node/cli.js', 'openapi', '--openapi', '3.0']).stdout);
const committed = readdirSync('openapi').filter((name) => /^openapi(-[\d.]+)?\.json$/.test(name));

for (const name of [...committed.map((name) => `openapi/${name}`), in30]) {
  const args = ['lint', name, '--extends=recommended-strict', '--format=json', '--max-problems=1000'];
  const { status, stdout, stderr } = run(tool('redocly'), args, { failing: true, env: QUIET });
  const start = stdout.indexOf('{');
  if (start < 0) throw new Error(`redocly printed no result:\n${stdout}${stderr}`);
  const { totals, problems } = JSON.parse(stdout.slice(start));
  for (const { ruleId, severity, message, location } of problems)
    console.error(`${severity} ${ruleId}: ${message} ${location?.[0]?.pointer ?? ''}`);
  const { errors, warnings, ignored } = totals;
  console.log(`${basename(name)}: redocly recommended-strict: ${errors} errors, ${warnings} warnings, ${ignored} ignored`);
  if (status !== 0 || errors + warnings + ignored > 0) process.exitCode = 1;
}

// That responses are open is for generators that refuse what they do not know; a type of any field would hide each misspelt one.
const document = readFileSync('openapi/openapi.json', 'utf8').replaceAll(/,\s*"additionalProperties": true/g, '');
const { stdout } = run(tool('openapi-typescript'), ['--default-non-nullable=false'], { input: document });
if (readFileSync('openapi/openapi.d.ts', 'utf8') === stdout) console.log('openapi-typescript: the same types');
else {
  console.error('openapi/openapi.d.ts differs from what openapi-typescript writes: mend documents/types.ts');
  process.exitCode = 1;
}
