import { readFileSync } from 'node:fs';
import { createMock } from 'wm-mock';
import { contract, contractDocument } from 'wm-mock/contract';

contractDocument(JSON.parse(readFileSync('node_modules/wm-mock/openapi/openapi.json', 'utf8')));
contract(async () => {
  const mock = await createMock({ seed: 'demo', now: '2025-01-20T09:00:00Z' });
  if (process.env.FAULT) mock.faults.add({ match: { operation: 'getTeam' }, effect: { status: 404 } });
  const { baseUrl, origin } = await mock.listen();
  return { baseUrl, controlUrl: origin + '/_mock' };
});
