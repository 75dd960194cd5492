// Holds the types of the OpenAPI document, which scripts/types.ts writes, to those of openapi-typescript, byte for byte.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, tool } from './tools.mjs';

// That responses are open is for generators that refuse what they do not know; a type of any field would hide each misspelt one.
const document = readFileSync(join(ROOT, 'openapi/openapi.json'), 'utf8').replaceAll(/,\s*"additionalProperties": true/g, '');
const { stdout } = run(tool('openapi-typescript'), ['--default-non-nullable=false'], { input: document });

if (readFileSync(join(ROOT, 'openapi/openapi.d.ts'), 'utf8') === stdout) console.log('openapi-typescript: the same types');
else {
  console.error('openapi/openapi.d.ts differs from what openapi-typescript writes: mend scripts/types.ts');
  process.exitCode = 1;
}
