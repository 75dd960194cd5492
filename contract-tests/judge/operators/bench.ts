// Every operator mutant, and a run of the suite against a fresh server with one round it.
import type { ContractOptions } from '../../engine/options.ts';
import type { Report } from '../../engine/report.ts';
import { runContract } from '../../run.ts';
import { type Carry, HOOKS, type Host, mockTarget, referenceTarget } from '../targets.ts';
import { accessMutants } from './access.ts';
import { bodyMutants } from './bodies.ts';
import { Lab, type OperatorMutant, tampered } from './core.ts';
import { deliveryMutants, eventMutants } from './events.ts';
import { dateMutants, fieldMutants } from './fields.ts';
import { filterMutants } from './filters.ts';
import { lifetimeMutants } from './lifetimes.ts';
import { listMutants, metaMutants } from './lists.ts';
import { rateMutants, responseMutants } from './responses.ts';
import { leftoverMutants, valueMutants } from './values.ts';

const ALL: readonly OperatorMutant[] = [
  ...[fieldMutants, responseMutants, bodyMutants, valueMutants, filterMutants, listMutants, metaMutants],
  ...[accessMutants, lifetimeMutants, dateMutants, eventMutants, deliveryMutants, rateMutants, leftoverMutants],
].flat();

export const operatorMutants = (host: Host): readonly OperatorMutant[] => ALL.filter(({ on }) => on === undefined || on === host);

/** Requests a minute: enough for the suite and what layers add; few where the budget is to be used up. */
const PLENTY = 4000;
const FEW = 300;

type Needs = Pick<OperatorMutant, 'make' | 'allow' | 'control' | 'crowded'>;

/** Options that a run on the mock needs: it waits for receivers in real time, and gives budgets as worlds. */
const targetOf = (host: Host, { allow = [], control = false, crowded = false }: Needs, carry: Carry) =>
  host === 'reference'
    ? referenceTarget({ rpm: allow.includes('quota') ? FEW : PLENTY, crowded, send: (sent) => carry(sent) })
    : mockTarget({}, control || allow.length > 0, undefined, false, { rpm: PLENTY, crowded, carry });

/** One run through a layer, on a fresh server. */
export const runThrough = async (
  host: Host,
  mutant: Needs,
  options: Partial<ContractOptions> = {},
): Promise<{ lab: Lab; report: Report }> => {
  const parts: { lab?: Lab } = {};
  const target = await targetOf(host, mutant, (letter, signal) => parts.lab!.mail.carry(letter, signal));
  const lab = new Lab(target.keys, target.now, (url) => url.replace(HOOKS, `http://127.0.0.1:${target.options.receiverPort}`));
  parts.lab = lab;
  const fetch = tampered(target.fetch, lab, mutant.make, target.options.baseUrl);
  const own = { fetch, timeoutMs: 5000, reportDir: false as const, allow: mutant.allow ?? [] };
  const report = await runContract({ ...target.options, ...own, ...options });
  await target.close();
  return { lab, report };
};
