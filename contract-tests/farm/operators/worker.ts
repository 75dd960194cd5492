// A process that judges operator mutants, one after another, as its parent names them.
import process from 'node:process';
import { judge } from './bench.ts';
import { operatorMutants } from './index.ts';
import type { Host, OperatorMutant } from './operator.ts';

export interface Job {
  readonly id: string;
  readonly host: Host;
  readonly bail: boolean;
  readonly thorough: boolean;
}

const known = new Map<Host, ReadonlyMap<string, OperatorMutant>>(
  (['foreign', 'mock'] as const).map((host) => [host, new Map(operatorMutants(host).map((mutant) => [mutant.id, mutant]))]),
);

process.on('message', async ({ id, host, bail, thorough }: Job) => {
  const mutant = known.get(host)!.get(id)!;
  const { operator, clause } = mutant;
  const verdict = await judge(mutant, host, bail, thorough).catch((cause: unknown) => {
    const error = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    return {
      id,
      host,
      operator,
      clause,
      hits: 0,
      failures: [],
      verdict: 'error' as const,
      error: `the farm failed: ${error}`,
      ms: 0,
    };
  });
  process.send!(verdict);
});
process.on('disconnect', () => process.exit());
process.send!('ready');
