// npm run contract:farm: proves the suite. Every mutant must be found, no conforming server may be blamed, a dead one may not pass.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { conditionFarm } from './condition-farm.ts';
import { degenerateFarm } from './degenerate-farm.ts';
import type { Kill } from './judge.ts';
import type { Mutant } from './mutant.ts';
import { mutantFarm, summary } from './mutant-farm.ts';
import { eventMutants } from './mutants/events.ts';
import { seededMutants } from './mutants/seeded.ts';
import { type OperatorResults, operatorFarm } from './operators/farm.ts';
import { foreignTarget, mockExists, mockTarget } from './targets.ts';
import { variantFarm } from './variant-farm.ts';
import { backgrounds } from './variants.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    farm: { type: 'string', default: 'mutants,operators,variants,conditions,degenerate' },
    variants: { type: 'string', default: '1000' },
    conditions: { type: 'string', default: '200' },
    backgrounds: { type: 'string', default: '2' },
    report: { type: 'string', default: 'contract-report' },
    target: { type: 'string', default: 'foreign,mock' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: String(availableParallelism()) },
    bail: { type: 'boolean', default: false },
    thorough: { type: 'boolean', default: false },
    'at-least': { type: 'string', default: '99' },
  },
});

const print = (line: string) => process.stdout.write(`${line}\n`);
const farms = values.farm.split(',');
const wanted = (mutant: Mutant) => !mutant.release && (!values.only || mutant.id.includes(values.only));
const wantedOld = (mutant: Mutant) => mutant.release !== undefined && (!values.only || mutant.id.includes(values.only));
const hidden = ({ hiddenBy }: Mutant, choices: Readonly<Record<string, string>>) =>
  Object.entries(hiddenBy ?? {}).some(([name, answers]) => answers.includes(choices[name] ?? ''));
/** Faults that the foreign server is seeded with: each must be found in its place. */
const OWN = new Set([...seededMutants, ...eventMutants].map(({ id }) => id));
const results: Kill[] = [];
let bad = 0;

const say = (kill: Kill) => {
  if (kill.killed && kill.located && kill.failures.length <= 3) return;
  const state = kill.killed ? (kill.located ? 'many' : 'elsewhere') : 'SURVIVED';
  print(
    `  ${state} ${kill.number ?? ''} ${kill.mutant} on ${kill.target}: expected ${kill.clauses.join(' ')}, failed ${kill.failures.slice(0, 8).join(' ') || kill.verdict} ${kill.error ?? ''}`,
  );
};

/** Whether the mock is there and asked for. */
const mocked = values.target.includes('mock') && (await mockExists());

if (farms.includes('mutants')) {
  print('Mutants on the foreign server');
  const kills = await mutantFarm(
    (mutant) => foreignTarget(mutant?.fault ? [mutant.fault] : []),
    (mutant) => wanted(mutant) && !mutant.control,
    say,
  );
  print(`  ${summary(kills)}`);
  results.push(...kills);
  if (mocked) {
    for (const choices of backgrounds(Number(values.backgrounds))) {
      print(
        `Mutants on the mock with ${Object.keys(choices).length === 0 ? 'its own answers' : 'other answers to the open points'}`,
      );
      const some = await mutantFarm(
        () => mockTarget(choices),
        (mutant) =>
          wanted(mutant) && !mutant.fault && !mutant.allow?.includes('quota') && !mutant.control && !hidden(mutant, choices),
        say,
      );
      print(`  ${summary(some)}`);
      results.push(...some);
    }
  }
  if (mocked) {
    print('Mutants on the mock with its control API');
    const some = await mutantFarm(
      () => mockTarget({}, true),
      (mutant) => wanted(mutant) && mutant.control === true,
      say,
    );
    print(`  ${summary(some)}`);
    results.push(...some);
  }
  if (mocked) {
    print('Mutants on the mock at earlier releases');
    const some = await mutantFarm((mutant) => mockTarget({}, false, mutant?.release), wantedOld, say);
    print(`  ${summary(some)}`);
    results.push(...some);
  }
  bad += results.filter((kill) => !kill.killed || (OWN.has(kill.mutant) && kill.target === 'foreign' && !kill.located)).length;
}
let operators: OperatorResults | undefined;
if (farms.includes('operators') && (await mockExists())) {
  const farm = await operatorFarm(
    {
      hosts: values.target.split(',').map((name) => {
        if (name !== 'foreign' && name !== 'mock')
          throw new RangeError(`--target: expected foreign, mock or both, got "${name}"`);
        return name;
      }),
      only: values.only,
      sample: values.sample === undefined ? undefined : Number(values.sample),
      seed: Number(values.seed),
      workers: Number(values.workers),
      bail: values.bail,
      thorough: values.thorough,
      atLeast: Number(values['at-least']),
    },
    print,
  );
  bad += farm.bad;
  operators = farm.results;
}
if (farms.includes('variants') && (await mockExists())) bad += await variantFarm(Number(values.variants), print);
if (farms.includes('conditions') && (await mockExists()))
  bad += await conditionFarm(Number(values.conditions), Number(values.seed), print, values.only?.split(',').filter(Boolean));
if (farms.includes('degenerate')) bad += await degenerateFarm(print);
mkdirSync(values.report, { recursive: true });
writeFileSync(`${values.report}/kills.json`, `${JSON.stringify({ mutants: results, operators }, null, 1)}\n`);
print(bad === 0 ? 'The farms are green.' : `${bad} results are not as they must be.`);
process.exitCode = bad === 0 ? 0 : 1;
