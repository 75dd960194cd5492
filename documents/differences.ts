// What changed between two OpenAPI documents, and which of it breaks clients in the spec's own sense (spec: Versioning).
import { SCOPES } from '../src/service/contract/states.ts';
import type { Json } from '../src/service/openapi/schemas.ts';
import { type Fact, type FactKind, factsOf } from './facts.ts';

/** The spec's five kinds of breaking change, in its order (Versioning 3). */
export const BREAKING = {
  endpoint: 'an endpoint was removed or renamed',
  field: 'a request or response field was removed or renamed',
  type: "a field's data type changed",
  method: "an endpoint's HTTP method changed",
  authorization: 'requests that were valid are rejected by authentication or authorization',
} as const;
export type Breaking = keyof typeof BREAKING;

export interface Change {
  /** Undefined: allowed within a major version (Versioning 4). */
  readonly breaks: Breaking | undefined;
  readonly fact: Fact;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly says: string;
}

const idOf = ({ kind, of, at }: Fact): string => `${kind}|${of}|${at}`;
const pathOf = (endpoint: string): string => endpoint.slice(endpoint.indexOf(' ') + 1).replace(/\{\w+\}/g, '{}');
const methodOf = (endpoint: string): string => endpoint.slice(0, endpoint.indexOf(' '));

/** What a client sends, and what it gets. */
const SENT: readonly FactKind[] = ['parameter', 'request field'];
const isSent = ({ kind }: Fact): boolean => SENT.includes(kind);

/** A header that may be left out is no promise. */
const isPromise = ({ kind, required }: Fact): boolean => !['header', 'event header'].includes(kind) || required;

const removed = (fact: Fact, methods: ReadonlyMap<string, readonly string[]>): Change => {
  const change = { fact, kind: 'removed' as const };
  if (fact.kind === 'security') return { ...change, breaks: 'authorization', says: `${fact.at} authenticates no more` };
  if (fact.kind === 'endpoint') {
    const others = (methods.get(pathOf(fact.of)) ?? []).filter((method) => method !== methodOf(fact.of));
    return others.length > 0
      ? { ...change, breaks: 'method', says: `${fact.of} is called by ${others.join(', ')} now` }
      : { ...change, breaks: 'endpoint', says: `${fact.of} is gone` };
  }
  if (fact.kind === 'event') return { ...change, breaks: 'endpoint', says: `the event ${fact.of} is gone` };
  return { ...change, breaks: isPromise(fact) ? 'field' : undefined, says: `${fact.kind} ${fact.name} is gone` };
};

const added = (fact: Fact): Change => {
  const change = { fact, kind: 'added' as const };
  if (isSent(fact) && fact.required) return { ...change, breaks: 'field', says: `${fact.kind} ${fact.name} is new and required` };
  return { ...change, breaks: undefined, says: `${fact.kind} ${fact.name} is new` };
};

const changed = (before: Fact, now: Fact): Change[] => {
  const change = (breaks: Breaking | undefined, says: string): Change => ({
    breaks,
    fact: now,
    kind: 'changed',
    says: `${now.kind} ${now.name} ${says}`,
  });
  const gone = (a: readonly string[] = [], b: readonly string[] = []) => a.filter((one) => !b.includes(one));
  const found: Change[] = [];
  const lost = gone(before.types, now.types);
  const gained = gone(now.types, before.types);
  // A request may accept more types than before, an answer may hold fewer.
  if (lost.length + gained.length > 0) {
    const widened = isSent(now) ? lost.length === 0 : gained.length === 0 && now.types.length > 0;
    const breaks = now.kind === 'security' ? 'authorization' : 'type';
    found.push(change(widened ? undefined : breaks, `was ${before.types.join(' or ')}, is ${now.types.join(' or ')}`));
  }
  if (before.format !== now.format)
    found.push(change('type', `had the format ${before.format ?? 'of any text'}, has ${now.format ?? 'none'}`));
  if (before.values && now.values) {
    const [less, more] = [gone(before.values, now.values), gone(now.values, before.values)];
    if (less.length > 0) found.push(change(isSent(now) ? 'type' : undefined, `takes ${less.join(', ')} no more`));
    if (more.length > 0) found.push(change(undefined, `takes ${more.join(', ')} too`));
  } else if (isSent(now) && now.values) found.push(change('type', `took any value, takes ${now.values.join(', ')}`));
  const news = gone(now.known, before.known);
  if (before.known && news.length > 0) found.push(change(undefined, `may be ${news.join(', ')} too`));
  if (isSent(now)) {
    if (now.required && !before.required) found.push(change('field', 'is required now'));
    for (const [bound, value] of Object.entries(now.bounds)) {
      const old = before.bounds[bound];
      const tighter = bound.startsWith('min')
        ? value > (old ?? Number.NEGATIVE_INFINITY)
        : value < (old ?? Number.POSITIVE_INFINITY);
      if (value !== old) found.push(change(tighter ? 'type' : undefined, `has a ${bound} of ${value}, had ${old ?? 'none'}`));
    }
  } else if (before.required && !now.required) found.push(change('field', 'may be missing now'));
  if (now.deprecated && !before.deprecated) found.push(change(undefined, 'is deprecated'));
  const rank = (scope: string | undefined) => SCOPES.indexOf(scope as (typeof SCOPES)[number]);
  if (rank(now.scope) > rank(before.scope))
    found.push(change('authorization', `needs a key of scope ${now.scope}, needed ${before.scope ?? 'none'}`));
  if (before.security !== now.security)
    found.push(change('authorization', `authenticates by ${now.security}, did by ${before.security}`));
  return found;
};

/** Every change from one document to another: what went, what came, what became other. */
export const differences = (before: Json, now: Json): readonly Change[] => {
  const [old, young] = [factsOf(before), factsOf(now)];
  const [known, there] = [new Map(old.map((fact) => [idOf(fact), fact])), new Map(young.map((fact) => [idOf(fact), fact]))];
  const methods = new Map<string, string[]>();
  for (const { kind, of } of young) {
    if (kind === 'endpoint' && !known.has(`endpoint|${of}|`))
      methods.set(pathOf(of), [...(methods.get(pathOf(of)) ?? []), methodOf(of)]);
  }
  // With an endpoint goes, and comes, all that belongs to it.
  const whole = (facts: ReadonlyMap<string, Fact>, { kind, of }: Fact) =>
    kind === 'endpoint' || kind === 'event' || kind === 'security' || facts.has(`endpoint|${of}|`) || facts.has(`event|${of}|`);
  return [
    ...old.filter((fact) => !there.has(idOf(fact)) && whole(there, fact)).map((fact) => removed(fact, methods)),
    ...young.filter((fact) => !known.has(idOf(fact)) && whole(known, fact)).map(added),
    ...young.flatMap((fact) => {
      const one = known.get(idOf(fact));
      return one ? changed(one, fact) : [];
    }),
  ];
};

/** The changes that need a new major version. */
export const breaking = (before: Json, now: Json): readonly Change[] => differences(before, now).filter(({ breaks }) => breaks);

/** The major version of a document. */
export const majorOf = ({ info }: Json): number => Number.parseInt(String((info as Json | undefined)?.version), 10);
