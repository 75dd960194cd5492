// What a reader does with `wm-mock/contract`, on each Node that is promised.

import { readFileSync } from 'node:fs';
import { createMock } from 'wm-mock';
import { contract, contractDocument } from 'wm-mock/contract';

contractDocument(JSON.parse(readFileSync('node_modules/wm-mock/openapi/openapi.json', 'utf8')));
contract(async () => {
  const { baseUrl, origin } = await (await createMock({ seed: 'demo', now: '2025-01-20T09:00:00Z' })).listen();
  return { baseUrl, controlUrl: `${origin}/_mock`, reportDir: false, requireComplete: true };
});
