// Changes by a row to a step of the reference server: README.md has the table of its operators.
import { CHANGES_HERE, NAMES } from './names.ts';
import { Past, type Shape } from './past.ts';
import { around, parametersOf, type Step } from './reference/around.ts';
import { Problem } from './reference/model.ts';
import type { Service } from './reference/service/service.ts';
import { isShape, Scope } from './scope.ts';

type Steps = Record<string, (...args: unknown[]) => unknown>;

const LANGUAGE = { names: NAMES, changes: CHANGES_HERE };

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

const REFUSALS: Readonly<Record<string, (scope: Scope) => unknown>> = {
  forbidden: ({ service, call }) => service.forbidden(call as never),
  notFound: ({ service, call }) => service.notFound(call as never, 'resource'),
  conflict: ({ service, call }) => service.conflict(call as never),
  tooMany: ({ service, call }) => service.tooMany(call as never),
  malformed: ({ service, call }) => service.malformed(call as never, 'It cannot be read.'),
  crash: () => new Problem(500, 'internal_error', 'Something broke.'),
};

/** `forbidden`, `[status, code]`, or `[status, field, issue]` for an error that names a failing field. */
const refusal = (scope: Scope, given: unknown): unknown => {
  const [status, code, issue] = asList(given).map((each) => scope.value(each));
  const known = typeof status === 'string' ? REFUSALS[status] : undefined;
  if (known) return known(scope);
  if (issue === undefined) return new Problem(Number(status), String(code), 'This is refused.', scope.args.issues as never);
  const wrong = [{ field: String(code), issue: String(issue), kind: 'value' as const }];
  return scope.service.invalid(Number(status), wrong, scope.call as never);
};

const tableOf = (scope: Scope) => scope.service.db as unknown as Record<string, unknown[]>;
/** The owner of a path's last part, and that part. */
const holderOf = (scope: Scope, path: string): [Shape, string] => {
  const at = path.lastIndexOf('.');
  return [(at < 0 ? scope.service : scope.get(path.slice(0, at))) as Shape, path.slice(at + 1)];
};

const EFFECTS: Readonly<Record<string, (scope: Scope, given: never) => void>> = {
  assign: (scope, given: Shape) => {
    for (const [path, expression] of Object.entries(given)) {
      const [holder, name] = holderOf(scope, path);
      if (isShape(holder)) holder[name] = scope.value(expression, holder[name]);
    }
  },
  remove: (scope, [name, condition]: readonly [string, string]) => {
    const removed = scope.keep(tableOf(scope)[name], condition);
    tableOf(scope)[name] = (tableOf(scope)[name] ?? []).filter((row) => !removed.includes(row));
  },
  update: (scope, [name, condition, change]: readonly [string, string, Shape]) => {
    for (const row of scope.keep(tableOf(scope)[name], condition) as Shape[])
      for (const [member, expression] of Object.entries(change))
        row[member] = scope.with(row, () => scope.value(expression, row[member]));
  },
  push: (scope, [path, record]: readonly [string, unknown]) => void (scope.get(path) as unknown[]).push(scope.value(record)),
  undo: (scope, path: string) => {
    const { id: _id, created: _created, updated: _updated, ...before } = Object(scope.get('before')) as Shape;
    Object.assign(Object(scope.get(path)), before);
  },
  /** Does what was asked for, whether it may be done or not. */
  anyway: (scope) => {
    const { call, service } = scope;
    const key = call.key ?? service.db.keys.find(({ value }) => value === service.tokenOf(call as never)) ?? service.db.keys[0];
    const { operation, ids } = service.route(call as never);
    service.perform({ ...call, key, operation, ids, workspace: service.workspaceOf(key as never) } as never, operation);
  },
  run: (scope, [path, ...args]: readonly [string, ...unknown[]]) => {
    const [holder, name] = holderOf(scope, path);
    (holder as Steps)[name]?.(...args.map((each) => scope.value(each)));
  },
  /** Keeps a value under a name and a key; the path `noted:name:path of the key` reads it. */
  note: (scope, [name, key, value]: readonly unknown[]) =>
    void scope.notes.set(`noted ${name} ${String(scope.value(key))}`, scope.value(value)),
};

const take = (scope: Scope, effects: unknown): void => {
  for (const effect of asList(effects))
    for (const [name, given] of Object.entries(effect as Shape)) EFFECTS[name]?.(scope, given as never);
};

/** Changes of a result, in the order in which they are made. */
const CHANGES: Readonly<Record<string, (scope: Scope, result: unknown, given: never) => unknown>> = {
  keeps: (scope, result, given: unknown) => scope.keep(result, given),
  adds: (scope, result, given: unknown) => {
    const [path, condition = 'row.workspace=$here'] = asList(given) as string[];
    return [...asList(result), ...scope.keep(scope.get(String(path)), condition)];
  },
  back: (scope, result, rows: number) => {
    const all = asList(scope.args.rows);
    return all.slice(Math.max(0, all.length - asList(result).length - rows));
  },
  recounts: (scope, _result, given: unknown) => {
    const query = scope.args.query as { filters: unknown[]; listing: { rows: () => unknown[] } };
    const filters = scope.keep(query.filters, given);
    return query.listing.rows().filter((row) => scope.service.matchesAll(row as never, { ...query, filters } as never)).length;
  },
  sets: (scope, result, given: Shape) =>
    Object.entries(given).reduce(
      (value, [path, expression]) => scope.copy(value, path.split('.'), (old) => scope.value(expression, old)),
      result,
    ),
  drops: (scope, result, given: unknown) =>
    asList(given).reduce((value: unknown, path) => scope.copy(value, String(path).split('.'), () => undefined), result),
  renames: (scope, result, given: Shape) =>
    Object.entries(given).reduce((value, [path, name]) => {
      const parts = path.split('.');
      const old = parts.pop() ?? '';
      return scope.copy(value, parts, (holder) => {
        const { [old]: moved, ...rest } = Object(holder) as Shape;
        return { ...rest, [String(name)]: moved };
      });
    }, result),
};

const OWN = 'with first fails skips gives rescues cached then also twice restores later last';
export const OPERATORS: readonly string[] = [...OWN.split(' '), ...Object.keys(CHANGES)];

const cached = (scope: Scope, given: Shape, make: () => unknown): unknown => {
  const of = String(given.of).split(' ');
  const slot = `cache ${of.map((path) => String(scope.get(path))).join(' ')}`;
  const now = scope.service.now();
  const known = scope.notes.get(slot) as { at: number; value: unknown } | undefined;
  if (known && now - known.at < Number(given.ms)) return known.value;
  const value = make();
  scope.notes.set(slot, { at: now, value });
  return value;
};

/** Puts a record, or one member of it, back when the step is over. */
const restored = (scope: Scope, given: unknown): (() => void) => {
  const [path, member] = asList(given) as [string?, string?];
  const record = path === undefined ? undefined : scope.get(path);
  if (!isShape(record)) return () => {};
  const was = member === undefined ? { ...record } : { [member]: record[member] };
  return () => void Object.assign(record, was);
};

/** Runs one step as a row wants it, where the row's condition holds. */
const run = (scope: Scope, does: Shape, was: () => unknown): unknown => {
  const { clock } = scope.service;
  for (const [path, expression] of Object.entries((does.with ?? {}) as Shape)) {
    const [name = '', ...rest] = path.split('.');
    scope.args[name] = scope.copy(scope.args[name], rest, (old) => scope.value(expression, old));
  }
  const before = restored(scope, does.restores);
  take(scope, does.first);
  if (does.later !== undefined) return void clock.later(Number(scope.value(does.later)), was);
  if (does.fails !== undefined) throw refusal(scope, does.fails);
  const lazy = does.gives !== undefined && !/\$result|"\|/.test(JSON.stringify(does.gives));
  try {
    if (!lazy && does.skips === undefined) scope.result = was();
  } catch (error) {
    scope.error = error;
    const [condition, value] = asList(does.rescues) as [string, unknown];
    if (condition === undefined || !scope.holds(condition.split(' '))) throw error;
    return scope.value(value);
  }
  if (typeof does.twice === 'number') clock.later(does.twice, was);
  else if (does.twice !== undefined) was();
  if (does.gives !== undefined) scope.result = scope.value(does.gives, scope.result);
  for (const [name, change] of Object.entries(CHANGES))
    if (does[name] !== undefined) scope.result = change(scope, scope.result, does[name] as never);
  take(scope, does.then);
  before();
  return scope.result;
};

const install = (service: Service, past: Past, notes: Map<string, unknown>, at: string, does: Shape): void => {
  const [step = '', ...words] = at.split(' ').filter(Boolean);
  const known = (service as unknown as Steps)[step];
  if (!known) throw new Error(`no such step: ${step}`);
  const names = parametersOf(known);
  around(service, step as Step, (was, ...args) => {
    const given = Object.fromEntries(names.map((name, index) => [name, args[index]]));
    const scope = new Scope(LANGUAGE, service, past, notes, given);
    const kept = isShape(does.cached) ? does.cached : undefined;
    if (typeof kept?.until === 'string' && scope.holds(kept.until.split(' '))) notes.clear();
    const real = () => (was as Steps[''])(...names.map((name) => scope.args[name]));
    const holds = scope.holds(words);
    const result = !holds ? real() : kept ? cached(scope, kept, real) : run(scope, does, real);
    if (does.last !== undefined && (holds || Object.keys(does).length > 1))
      notes.set('last', { ...scope.args, result, at: service.now() });
    return result as never;
  });
};

/** Changes a server as a row says. */
export const patch = (service: Service, at: string, does: Shape): void => {
  const [past, notes] = [new Past(service), new Map<string, unknown>()];
  for (const [place, what] of Object.entries({ [at]: does, ...((does.also ?? {}) as Shape) }))
    install(service, past, notes, place, what as Shape);
};
