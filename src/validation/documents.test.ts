// The generated validators match the schemas.
import { test } from 'vitest';
import { expectFresh } from '../test/committed.ts';

test.each(['src/validation/validators.generated.ts', 'src/validation/responses.generated.ts'])(
  '%s says what the tables say',
  expectFresh,
);
