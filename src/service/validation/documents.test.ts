// The generated validators match the schemas.
import { test } from 'vitest';
import { expectFresh } from '../../test/committed.ts';
import { bodySchemas, validatorSource } from './compile.ts';

test('validators.generated.ts says what the schemas say', () =>
  expectFresh('src/service/validation/validators.generated.ts', validatorSource('request bodies', bodySchemas())));
