// The generated validators match the schemas.
import { test } from 'vitest';
import { expectFresh } from '../test/committed.ts';
import { bodySchemas, responseSchemas, validatorSource } from './compile.ts';

test.each([
  ['validators.generated.ts', 'request bodies', bodySchemas],
  ['responses.generated.ts', 'responses', responseSchemas],
] as const)('%s says what the schemas say', (name, what, schemas) =>
  expectFresh(`src/validation/${name}`, validatorSource(what, schemas())),
);
