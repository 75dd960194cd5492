// Prism stands between the suite and the mock: no response breaks the OpenAPI document, and no request that breaks it succeeds.

import { freePort, start, startMock } from '../.ci/start.mjs';
import { tool } from '../.ci/tools.mjs';
import { runContract } from '../dist/contract-tests/run.js';

const mock = await startMock('--plan', 'unlimited');
const port = await freePort();
const args = ['proxy', 'openapi/openapi.json', mock.baseUrl, '--port', String(port)];
const ready = (line) => line.includes('Prism is listening') || undefined;
const prism = await start(tool('prism'), args, ready, { seconds: 120 });

/** Prism serves the paths of the document at its root. */
const target = `http://127.0.0.1:${port}/v1`;
const problems = [];
let exchanges = 0;
let mistakes = 0;

/** Every request of the suite that Prism can forward; what it says of an exchange comes in a header. */
const judged = async (url, init) => {
  const response = await fetch(String(url).replace(`${target}/`, `${new URL(target).origin}/`), init);
  const found = JSON.parse(response.headers.get('sl-violations') ?? '[]');
  const of = (part) => found.filter(({ location: [where] }) => where === part);
  exchanges += 1;
  if (of('request').length > 0) mistakes += 1;
  const wrong = response.ok ? found : of('response');
  if (wrong.length > 0) problems.push(`${init?.method ?? 'GET'} ${url}: ${response.status} ${JSON.stringify(wrong)}`);
  return response;
};

const keys = Object.fromEntries(['admin', 'write', 'read'].map((scope) => [scope, mock.key(scope)]));
await runContract({ baseUrl: target, keys, fetch: judged, reportDir: false, profile: 'core' });
await Promise.all([prism, mock].map(({ stop }) => stop()));
if (exchanges < 100) problems.push(`only ${exchanges} exchanges went through Prism`);
if (mistakes < 10) problems.push(`Prism noticed only ${mistakes} of the suite's deliberate mistakes: it does not look`);
for (const problem of new Set(problems)) console.error(problem);
console.log(`prism proxy: ${exchanges} exchanges, ${mistakes} deliberate mistakes noticed, ${problems.length} violations`);
process.exitCode = problems.length > 0 ? 1 : 0;
