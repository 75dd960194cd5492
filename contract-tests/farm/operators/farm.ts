// The operator farm: draws mutants, judges them on each server, says which survive and which requirement kills what.
import { readFileSync } from 'node:fs';
import { shipped } from '../../engine/register.ts';
import { parse } from '../../engine/yaml.ts';
import { dice } from '../dice.ts';
import { killed, type Verdict } from './bench.ts';
import { operatorMutants } from './index.ts';
import type { Host } from './operator.ts';
import { runJobs } from './pool.ts';
import type { Job } from './worker.ts';

export interface FarmOptions {
  readonly hosts: readonly Host[];
  readonly only?: string | undefined;
  readonly sample?: number | undefined;
  readonly seed: number;
  readonly workers: number;
  readonly bail: boolean;
  /** Tries what survives a full run once more, without a budget of requests. */
  readonly thorough: boolean;
  /** The share of what is not argued that must be killed on each server, in percent. */
  readonly atLeast: number;
}

/** A survivor that is no fault of the suite, with the reason. */
interface Argued {
  /** Matches ids; an asterisk stands for anything. */
  readonly mutants: string;
  readonly clause: string;
  readonly because: string;
}

const pattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );

const readArgued = (): readonly (Argued & { readonly test: RegExp })[] => {
  const path = shipped('contract-tests/farm/argued.yaml');
  const rows = path ? ((parse(readFileSync(path, 'utf8')) ?? []) as Argued[]) : [];
  return rows.map((row) => ({ ...row, test: pattern(row.mutants) }));
};

/** The mutants that a run judges, in a random order: all, those whose id contains a text, or so many on each server. */
export const drawn = ({ hosts, only, sample, seed, bail, thorough }: Omit<FarmOptions, 'workers' | 'atLeast'>): Job[] => {
  const lists = hosts.map((host) => {
    const ids = operatorMutants(host)
      .map(({ id }) => id)
      .filter((id) => only === undefined || (only.includes('*') ? pattern(only).test(id) : id.includes(only)));
    const roll = dice(seed);
    const order = ids.map((id) => ({ id, at: roll() })).sort((a, b) => a.at - b.at);
    return order.slice(0, sample ?? ids.length).map(({ id }) => ({ id, host, bail, thorough }));
  });
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat();
};

const hung = ({ id, host }: Job): Verdict => {
  const { operator, clause } = operatorMutants(host).find((mutant) => mutant.id === id)!;
  return { id, host, operator, clause, hits: 0, failures: [], verdict: 'hung', ms: 0 };
};

const share = (part: number, of: number): string => (of === 0 ? '-' : `${((100 * part) / of).toFixed(1)} %`);

export interface OperatorResults {
  readonly verdicts: readonly Verdict[];
  readonly survivors: readonly (Verdict & { readonly state: string; readonly argued?: string })[];
  /** Whether each run ended at its first violation. */
  readonly bail: boolean;
}

const table = (verdicts: readonly Verdict[], generated: ReadonlyMap<string, number>, print: (line: string) => void): void => {
  const operators = [...new Set(verdicts.map(({ operator }) => operator))];
  print(`  ${'operator'.padEnd(26)} generated    judged   reached    killed  survived`);
  for (const name of [...operators, 'all']) {
    const mine = verdicts.filter(({ operator }) => name === 'all' || operator === name);
    const dead = mine.filter(killed).length;
    const made = name === 'all' ? [...generated.values()].reduce((a, b) => a + b, 0) : (generated.get(name) ?? 0);
    const cells = [made, mine.length, mine.filter(({ hits }) => hits > 0).length, dead, mine.length - dead];
    print(`  ${name.padEnd(26)}${cells.map((cell) => String(cell).padStart(10)).join('')}`);
  }
};

/** Judges the mutants. @returns how many servers fall below the share of what is not argued or are blamed for nothing, and what was seen. */
export const operatorFarm = async (
  options: FarmOptions,
  print: (line: string) => void,
): Promise<{ bad: number; results: OperatorResults }> => {
  const jobs = drawn(options);
  print(`Operator mutants: ${jobs.length} runs, ${options.workers} processes${options.bail ? ', to the first violation' : ''}`);
  const verdicts: Verdict[] = [];
  const began = performance.now();
  await runJobs(jobs, options.workers, (told) => {
    const verdict = 'failures' in told ? told : hung(told);
    verdicts.push(verdict);
    if (verdict.verdict === 'hung') print(`  no end: ${verdict.id} on the ${verdict.host} server`);
    if (verdicts.length % 500 === 0) {
      const dead = verdicts.filter(killed).length;
      print(`  ${verdicts.length} of ${jobs.length}, ${dead} killed, ${Math.round((performance.now() - began) / 1000)} s`);
    }
  });
  const argued = readArgued();
  const survivors = verdicts
    .filter((verdict) => !killed(verdict))
    .map((verdict) => {
      const reason = argued.find(({ test }) => test.test(verdict.id));
      const state = verdict.verdict === 'hung' || verdict.error ? verdict.verdict : verdict.hits === 0 ? 'unreached' : 'SURVIVED';
      return { ...verdict, state, ...(reason ? { argued: reason.because } : {}) };
    });
  let bad = 0;
  for (const host of options.hosts) {
    const mine = verdicts.filter((verdict) => verdict.host === host);
    const generated = new Map<string, number>();
    for (const { operator } of operatorMutants(host)) generated.set(operator, (generated.get(operator) ?? 0) + 1);
    print(`On the ${host} server`);
    table(mine, generated, print);
    const open = survivors.filter((survivor) => survivor.host === host && survivor.argued === undefined);
    for (const { state, id, clause, error } of open)
      print(`  ${state} ${id} (${clause})${error ? `: ${error.split('\n')[0]}` : ''}`);
    const blamed = mine.filter((verdict) => killed(verdict) && verdict.hits === 0);
    for (const { id, failures } of blamed) print(`  BLAMED without a fault: ${id} by ${failures.join(' ')}`);
    const fair = mine.length - survivors.filter((survivor) => survivor.host === host && survivor.argued !== undefined).length;
    const late = mine.filter((verdict) => killed(verdict) && verdict.thorough).length;
    const also = options.thorough ? `, ${late} of them only without a budget of requests` : '';
    print(`  ${fair - open.length} of ${fair} that are not argued are killed: ${share(fair - open.length, fair)}${also}`);
    if (100 * (fair - open.length) < options.atLeast * fair || blamed.length > 0) bad++;
  }
  return { bad, results: { verdicts, survivors, bail: options.bail } };
};
