// The contract suite's own speed: in process and over a socket in turn, then a sample of the mutants. `node suite.mjs <rounds> <mutants>`
import { median } from '../statistics.mjs';

const [rounds = '3', mutants = '24'] = process.argv.slice(2);
const from = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const [{ createMock }, { runContract }] = [await from('node/index.js'), await from('contract-tests/run.js')];

/** A run against a mock of its own, as `wm-mock contract` makes it. */
async function run(socket) {
  const mock = await createMock({ seed: 'fixtures/demo.yaml', now: '2025-01-20T09:00:00Z' });
  const { baseUrl, origin } = socket
    ? await mock.listen({ port: 0 })
    : { baseUrl: mock.baseUrl, origin: new URL(mock.baseUrl).origin };
  const began = performance.now();
  const report = await runContract({
    baseUrl,
    controlUrl: `${origin}/_mock`,
    keys: {},
    reportDir: false,
    ...(socket ? {} : { fetch: (url, init) => mock.fetch(url, init) }),
  });
  const ms = performance.now() - began;
  await mock.close();
  if (report.verdict !== 'conformant')
    throw new Error(`the suite says ${report.verdict}: ${report.error ?? report.failures.join(' ')}`);
  return { ms, requests: report.coverage?.requests };
}

const [inside, over] = [[], []];
for (let round = 0; round < Number(rounds); round++) {
  inside.push(await run(false));
  over.push(await run(true));
}

const { judgeMutant } = await from('contract-tests/farm/judge.js');
const { allMutants } = await from('contract-tests/farm/mutants/index.js');
const { mockTarget } = await from('contract-tests/farm/targets.js');
const fits = ({ fault, allow, control }) => !fault && !allow?.includes('quota') && !control;
const fitting = allMutants((await mockTarget()).keys).filter(fits).length;
const step = Math.max(1, Math.floor(fitting / Number(mutants)));
let [judged, killed, spent] = [0, 0, 0];
for (let i = 0; i < fitting && judged < Number(mutants); i += step) {
  const target = await mockTarget();
  const kill = await judgeMutant(allMutants(target.keys).filter(fits)[i], target);
  judged += 1;
  if (kill.killed) killed += 1;
  spent += kill.ms;
}
const ms = (runs) => ({ medianMs: median(runs.map((one) => one.ms)), firstMs: runs[0].ms });
console.log(
  JSON.stringify({
    inProcess: ms(inside),
    socket: ms(over),
    farm: { fitting, judged, killed, perMinute: (60_000 * judged) / spent },
  }),
);
process.exit();
