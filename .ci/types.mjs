// The OpenAPI document as TypeScript types, openapi/openapi.d.ts: writes it; with --check fails when the committed one is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, tool } from './tools.mjs';

const path = join(ROOT, 'openapi/openapi.d.ts');
// That responses are open is for generators that refuse what they do not know; a type of any field would hide each misspelt one.
const document = readFileSync(join(ROOT, 'openapi/openapi.json'), 'utf8').replaceAll(/,\s*"additionalProperties": true/g, '');
const { stdout } = run(tool('openapi-typescript'), ['--default-non-nullable=false'], { input: document });

if (!process.argv.includes('--check')) {
  writeFileSync(path, stdout);
  console.log(`wrote openapi/openapi.d.ts, ${stdout.length} characters`);
} else if (readFileSync(path, 'utf8') === stdout) {
  console.log('openapi-typescript: openapi/openapi.d.ts is fresh');
} else {
  console.error('openapi/openapi.d.ts is stale: run `node .ci/types.mjs` and commit it');
  process.exitCode = 1;
}
