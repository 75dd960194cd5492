// The documents of the control API match its table.
import { test } from 'vitest';
import { expectFresh } from '../test/committed.ts';

test.each(['openapi/control.json', 'docs/control-api.md'])('%s says what the tables say', expectFresh);
