// Puts another step in place of one of the reference server's: so are faults made, and what a conforming server may do.
import type { Service } from './service/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: the parameters of any step
type Anything = (...args: any[]) => any;
export type Step = { [K in keyof Service]: Service[K] extends Anything ? K : never }[keyof Service];
type Args<K extends Step> = Service[K] extends (...args: infer A) => unknown ? A : never;
type Result<K extends Step> = Service[K] extends (...args: never[]) => infer R ? R : never;

const known = new WeakMap<Anything, readonly string[]>();

/** The parameters of a step by name, as its source has them. */
export const parametersOf = (step: Anything): readonly string[] => {
  // Packed code leaves a single parameter without its parentheses.
  const [, alone, list = alone ?? ''] = /^(?:(\w+) *=>|[^(]*\(([^)]*)\))/.exec(String(step)) ?? [];
  const names = list.split(',').map((each) => each.replace(/=.*/, '').trim().replace(/^_/, ''));
  return known.get(step) ?? names.filter(Boolean);
};

/** Replaces a step of the service by one that can still take the old one. */
export const around = <K extends Step>(
  service: Service,
  step: K,
  change: (was: (...args: Args<K>) => Result<K>, ...args: Args<K>) => Result<K>,
): void => {
  const was = service[step] as Anything;
  const changed = (...args: Args<K>) => change(was, ...args);
  known.set(changed, parametersOf(was));
  Object.assign(service, { [step]: changed });
};
