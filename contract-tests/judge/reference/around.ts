// Replaces steps of the reference server's service: so are faults made, and what a conforming server may do.
import type { Service } from './service/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: the parameters of any step
type Anything = (...args: any[]) => any;
export type Step = { [K in keyof Service]: Service[K] extends Anything ? K : never }[keyof Service];
type Args<K extends Step> = Service[K] extends (...args: infer A) => unknown ? A : never;
type Result<K extends Step> = Service[K] extends (...args: never[]) => infer R ? R : never;

/** Replaces a step of the service by one that can still take the old one. */
export const around = <K extends Step>(
  service: Service,
  step: K,
  change: (was: (...args: Args<K>) => Result<K>, ...args: Args<K>) => Result<K>,
): void => {
  const was = (service[step] as Anything).bind(service);
  Object.assign(service, { [step]: (...args: Args<K>) => change(was, ...args) });
};
