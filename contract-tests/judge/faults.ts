// Reads the rows of faults.yaml and makes of each a change of one step of the reference server.
import { readFileSync } from 'node:fs';
import { shipped } from '../engine/register.ts';
import { parse } from '../engine/yaml.ts';
import { Past, type Shape } from './past.ts';
import { Problem } from './reference/model.ts';
import type { Service } from './reference/service/service.ts';
import { STYLE_NAMES, type StyleName } from './reference/styles.ts';
import { isShape, Scope } from './scope.ts';
import { PARAMETERS } from './steps.ts';

export interface Fault {
  readonly id: string;
  /** Line of the specification. */
  readonly line: number;
  /** What the server does wrong. */
  readonly says: string;
  readonly style: StyleName;
  /** What a client must have, beside keys, to see it. */
  readonly needs?: 'receiver' | 'quota';
  readonly alter: (service: Service) => void;
}

type Does = Shape;
type Step = (...args: unknown[]) => unknown;

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
  const [status, code, issue] = asList(given);
  const known = typeof status === 'string' ? REFUSALS[status] : undefined;
  if (known) return known(scope);
  if (issue === undefined) return new Problem(Number(status), String(code), 'This is refused.', scope.args.issues as never);
  return scope.service.invalid(
    Number(status),
    [{ field: String(code), issue: String(issue), kind: 'value' }],
    scope.call as never,
  );
};

type Effect = (scope: Scope, given: never) => void;
const EFFECTS: Readonly<Record<string, Effect>> = {
  assign: (scope, given: Shape) => {
    for (const [path, expression] of Object.entries(given)) {
      const parts = path.split('.');
      const holder = scope.get(parts.slice(0, -1).join('.'));
      if (isShape(holder)) holder[parts.at(-1) ?? ''] = scope.value(expression, holder[parts.at(-1) ?? '']);
    }
  },
  remove: (scope, [name, condition]: readonly [string, string]) => {
    const db = scope.service.db as unknown as Record<string, unknown[]>;
    const gone = scope.keep(db[name], condition);
    db[name] = (db[name] ?? []).filter((row) => !gone.includes(row));
  },
  update: (scope, [name, condition, change]: readonly [string, string, Shape]) => {
    const db = scope.service.db as unknown as Record<string, unknown[]>;
    for (const row of scope.keep(db[name], condition)) {
      scope.row = row;
      for (const [member, expression] of Object.entries(change))
        (row as Shape)[member] = scope.value(expression, (row as Shape)[member]);
      scope.row = undefined;
    }
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
  run: (scope, [step, ...args]: readonly [string, ...unknown[]]) => {
    const [name = '', method] = step.split('.');
    const { service } = scope;
    const holder = (method === undefined ? service : service[name as keyof Service]) as unknown as Record<string, Step>;
    holder[method ?? name]?.(...args.map((each) => scope.value(each)));
  },
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
      const old = parts.at(-1) ?? '';
      return scope.copy(value, parts.slice(0, -1), (holder) => {
        const { [old]: moved, ...rest } = Object(holder) as Shape;
        return { ...rest, [String(name)]: moved };
      });
    }, result),
};

const OWN = [
  'with',
  'first',
  'fails',
  'skips',
  'gives',
  'rescues',
  'cached',
  'then',
  'also',
  'twice',
  'restores',
  'later',
  'last',
];
export const OPERATORS: readonly string[] = [...OWN, ...Object.keys(CHANGES)];

const kept = (scope: Scope, given: Shape, make: () => unknown): unknown => {
  const slot = `cache ${String(given.of)
    .split(' ')
    .map((path) => String(scope.get(path)))
    .join(' ')}`;
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
const run = (scope: Scope, does: Does, was: () => unknown): unknown => {
  for (const [path, expression] of Object.entries((does.with ?? {}) as Shape)) {
    const [name = '', ...rest] = path.split('.');
    scope.args[name] = scope.copy(scope.args[name], rest, (old) => scope.value(expression, old));
  }
  const before = restored(scope, does.restores);
  take(scope, does.first);
  if (does.later !== undefined) return void scope.service.clock.later(Number(does.later), was);
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
  if (does.twice !== undefined) was();
  if (does.gives !== undefined) scope.result = scope.value(does.gives, scope.result);
  for (const [name, change] of Object.entries(CHANGES))
    if (does[name] !== undefined) scope.result = change(scope, scope.result, does[name] as never);
  take(scope, does.then);
  before();
  return scope.result;
};

const install = (service: Service, past: Past, notes: Map<string, unknown>, at: string, does: Does): void => {
  const [step = '', ...words] = at.split(' ').filter(Boolean);
  const names = PARAMETERS[step];
  const was = (service as unknown as Record<string, Step>)[step]?.bind(service);
  if (!was || !names) throw new Error(`no such step: ${step}`);
  const changed: Step = (...args) => {
    const scope = new Scope(service, past, notes, Object.fromEntries(names.map((name, index) => [name, args[index]])));
    if (isShape(does.cached) && typeof does.cached.until === 'string' && scope.holds(does.cached.until.split(' '))) notes.clear();
    const real = () => was(...names.map((name) => scope.args[name]));
    const holds = scope.holds(words);
    const result = !holds ? real() : isShape(does.cached) ? kept(scope, does.cached, real) : run(scope, does, real);
    if (does.last !== undefined && (holds || Object.keys(does).length > 1))
      notes.set('last', { ...scope.args, result, at: service.now() });
    return result;
  };
  Object.assign(service, { [step]: changed });
};

/** `<a;b>` in a row stands for several rows; `<>` repeats the part of the first. */
export const spread = (row: readonly unknown[]): unknown[][] => {
  const text = JSON.stringify(row);
  const lists = [...text.matchAll(/<([^<>]*;[^<>]*)>/g)].map(([, parts = '']) => parts.split(';'));
  const length = lists[0]?.length ?? 1;
  if (lists.some((parts) => parts.length !== length)) throw new Error(`lists of different lengths: ${text}`);
  return Array.from({ length }, (_, index) => {
    const literal = (part: string) => (/^(-?\d+|true|false|null)$/.test(part) ? part : JSON.stringify(JSON.parse(`"${part}"`)));
    const whole = text
      .replace(/"<([^<>]*;[^<>]*)>"/g, (_all, parts: string) => literal(parts.split(';')[index] ?? ''))
      .replaceAll('"<>"', literal(lists[0]?.[index] ?? '<>'));
    const one = whole.replace(/<([^<>]*;[^<>]*)>/g, (_all, parts: string) => parts.split(';')[index] ?? '');
    return JSON.parse(one.replaceAll('<>', lists[0]?.[index] ?? '<>')) as unknown[];
  });
};

const needsOf = (at: string): Fault['needs'] => {
  if (/^(isOver|charge|tooMany|counted|bucketOf)\b|status=429/.test(at)) return 'quota';
  return /^(hears|emit|taskEvent|projectEvent|\w+Snapshot|eventId|deliver|envelope|deliveryTime|post|patience|attempt|giveUp|sign|acknowledges|pauseAfter|conclude)\b/.test(
    at,
  )
    ? 'receiver'
    : undefined;
};

/** A style by the letters of an id, so that a new row moves no other. */
const styleOf = (id: string): StyleName =>
  STYLE_NAMES[[...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7) % STYLE_NAMES.length] ?? 'a';

const faultOf = ([id, line, at, does, says, style]: unknown[]): Fault => {
  const needs = needsOf(String(at));
  return {
    ...{ id: String(id), line: Number(line), says: String(says), style: (style as StyleName | undefined) ?? styleOf(String(id)) },
    ...(needs ? { needs } : {}),
    alter: (service) => {
      const past = new Past(service);
      const notes = new Map<string, unknown>();
      install(service, past, notes, String(at), does as Does);
      for (const [place, more] of Object.entries(((does as Does).also ?? {}) as Shape))
        install(service, past, notes, place, more as Does);
    },
  };
};

const read = (): Fault[] => {
  const rows = parse(readFileSync(shipped('contract-tests/judge/faults.yaml') ?? '', 'utf8')) as Record<string, unknown[][]>;
  return Object.values(rows).flat().flatMap(spread).map(faultOf);
};

/** The rows of faults.yaml. */
export const FAULTS: readonly Fault[] = read();
