// What a fault is, and the tools to write one in a line or two.

import { around, type Step } from '../../judge/reference/around.ts';
import type { Call, Fields, Resource } from '../../judge/reference/model.ts';
import type { Act, Rule } from '../../judge/reference/service/input.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import type { StyleName } from '../../judge/reference/styles.ts';

/** What a client must have, beside keys, to see a fault. */
export type Need = 'receiver' | 'comments' | 'second workspace' | 'quota';

export { around, type Step };

export interface Fault {
  readonly id: string;
  /** Line of the specification. */
  readonly line: number;
  /** The words of that line that the fault breaks. */
  readonly quote: string;
  /** What the server does wrong. */
  readonly says: string;
  readonly needs?: Need;
  /** The style it is served in; absent: by turns. */
  readonly style?: StyleName;
  readonly alter: (service: Service) => void;
}

type More = Pick<Fault, 'needs' | 'style'>;

/** Starts the faults of one clause. */
export const clause =
  (line: number, quote: string, common: More = {}) =>
  (id: string, says: string, alter: (service: Service) => void, more: More = {}): Fault => ({
    ...{ id, line, quote, says, alter },
    ...common,
    ...more,
  });

/** Changes the rule of a field, always or in one kind of request. */
export const rule = (service: Service, resource: Resource, field: string, change: Partial<Rule>, only?: Act): void =>
  around(service, 'rulesFor', (was, which, act) => {
    const rules = was(which, act);
    if (which !== resource || (only && only !== act)) return rules;
    return rules.map((each) => (each.name === field ? { ...each, ...change } : each));
  });

export const without = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** Remembers what was done in this server, such as what a cache holds. */
export const memory = <K, V>() => new Map<K, V>();

export const isOn = (call: Call, ...operations: readonly string[]): boolean => operations.includes(call.operation ?? '');
