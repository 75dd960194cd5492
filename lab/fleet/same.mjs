// What a client sees of a fleet is what it sees of one mock in Node: the suite, and a session of 300 requests to the byte.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../.ci/tools.mjs';
import { playedAt } from '../../src/test/session-steps.mjs';
import { tenantAt } from './machines.mjs';

const run = promisify(execFile);
const NOW = '2025-01-20T09:00:00Z';
const DEMO = readFileSync(join(ROOT, 'fixtures/demo.yaml'), 'utf8');

export const suite = async (fleet) => {
  const { base_url, control_url, token } = await tenantAt(fleet.origin, 'suite', { seed: DEMO, now: NOW });
  const report = join(fleet.folder, 'report');
  const words = ['contract', '--base-url', base_url, '--control-url', control_url, '--require-complete', '--report', report];
  const env = { ...process.env, WM_MOCK_CONTROL_TOKEN: token };
  const { stdout } = await run(process.execPath, [join(ROOT, 'dist/node/cli.js'), ...words], { env, maxBuffer: 1e8 });
  const said = stdout.split('\n').find((line) => line.includes('skipped')) ?? '';
  const { verdict } = JSON.parse(readFileSync(join(report, 'report.json'), 'utf8'));
  console.log(`the contract suite, its requests dealt to three machines (${fleet.given.join(', ')}): ${verdict}; ${said.trim()}`);
  return verdict === 'conformant' && /\b0 skipped/.test(said) ? [] : [said];
};

export const transcript = async (fleet) => {
  const { createMock } = await import(join(ROOT, 'dist/node/index.js'));
  const mock = await createMock({ seed: DEMO, now: NOW });
  const server = await mock.listen({ port: 0 });
  const expected = await playedAt(server.baseUrl);
  await mock.close();
  const { base_url } = await tenantAt(fleet.origin, 'transcript', { seed: DEMO, now: NOW });
  const said = await playedAt(base_url);
  const other = said.flatMap((one, i) => (one === expected[i] ? [] : [`request ${i}:\n${one}\nNode:\n${expected[i]}`]));
  const bytes = said.reduce((sum, one) => sum + Buffer.byteLength(one), 0);
  console.log(
    `${said.length} requests dealt to three machines (${fleet.given.join(', ')}): ${bytes} bytes, ${other.length} answers differ from Node's`,
  );
  return other.length > 0 || said.length !== 300 ? [`${said.length} requests`, ...other] : [];
};
