// Reads the conditions and expressions of a row where it runs: the server, the step's arguments, the request and the records.
import { FUNCTIONS } from './functions.ts';
import type { Past, Shape } from './past.ts';
import type { Service } from './reference/service/service.ts';

export const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names for conditions and expressions, and the functions that need the server or the row's place. */
export interface Language {
  readonly names: Readonly<Record<string, (scope: Scope, rest: string) => unknown>>;
  readonly changes: Readonly<Record<string, (scope: Scope, value: unknown, ...args: unknown[]) => unknown>>;
}

export class Scope {
  private readonly language: Language;
  result: unknown;
  row: unknown;
  error: unknown;
  readonly service: Service;
  readonly past: Past;
  readonly notes: Map<string, unknown>;
  readonly args: Shape;

  constructor(language: Language, service: Service, past: Past, notes: Map<string, unknown>, args: Shape) {
    this.language = language;
    this.service = service;
    this.past = past;
    this.notes = notes;
    this.args = args;
  }

  get call(): Shape {
    return (this.args.call ?? (this.args.query as Shape | undefined)?.call ?? this.past.call ?? {}) as Shape;
  }

  /** The record that the step is about. */
  get record(): Shape {
    const { task, project, row, team, hook, record } = this.args;
    return (this.row ?? record ?? task ?? project ?? row ?? team ?? hook ?? this.named ?? {}) as Shape;
  }

  /** The record that the path names, of whichever workspace. */
  get named(): Shape | undefined {
    const id = decodeURIComponent(String(this.call.path).split('/')[2] ?? '');
    const { projects, tasks, teams } = this.service.db;
    return [...projects, ...tasks, ...teams].find((each) => each.id === id) as Shape | undefined;
  }

  get body(): Shape {
    try {
      return Object(JSON.parse(String(this.call.text))) as Shape;
    } catch {
      return {};
    }
  }

  /** The operation that a request is for, also before it is let in. */
  get asked(): unknown {
    try {
      return this.service.route(this.call as never).operation;
    } catch {
      return undefined;
    }
  }

  /** Keeps under a name and the value of a path what is made of what was kept there. @returns what was kept before */
  note(name: string, path: string, next: (known: unknown) => unknown): unknown {
    const slot = `${name} ${path} ${path === '' ? '' : String(this.get(path))}`;
    const known = this.notes.get(slot);
    this.notes.set(slot, next(known));
    return known;
  }

  /** The value that a path leads to; functions may follow it: `call.text|bytes`, `query.limit|plus:1`. */
  get(path: string): unknown {
    const [start = '', ...changes] = path.split('|');
    return changes.reduce((value, change) => this.change(value, change.split(':')), this.follow(start));
  }

  private follow(path: string): unknown {
    const [head = ''] = path.split(/[.:]/, 1);
    const name = this.language.names[head];
    if (name && path[head.length] === ':') return name(this, path.slice(head.length + 1));
    if (!name && !Object.hasOwn(this.args, head)) throw new Error(`no such name: ${path}`);
    let value = Object.hasOwn(this.args, head) ? this.args[head] : name?.(this, '');
    const rest = path.slice(head.length + 1);
    for (const part of rest === '' ? [] : rest.split('.')) {
      if (typeof value === 'function') value = value();
      const next: unknown = (Object(value) as Shape)[part];
      value = typeof next === 'function' ? next.bind(value) : next;
    }
    return typeof value === 'function' ? value(this.call) : value;
  }

  /** Whether the words of a condition all hold, such as `op=listTasks|listTeams !q:cursor`. */
  holds(words: readonly string[]): boolean {
    return words.every((word) => {
      const [, not, path = '', sign, wanted = ''] = /^(!?)([^=<>≤≥~!]+)(=|!=|<|>|≤|≥|~)?(.*)$/s.exec(word) ?? [];
      const value = this.get(path);
      if (sign === undefined) return Boolean(value) !== (not === '!');
      if (sign === '<') return Number(value) < Number(this.value(wanted));
      if (sign === '≤') return Number(value) <= Number(this.value(wanted));
      if (sign === '≥') return Number(value) >= Number(this.value(wanted));
      if (sign === '>') return Number(value) > Number(this.value(wanted));
      if (sign === '~') return new RegExp(this.pattern(wanted), 'u').test(String(value)) !== (not === '!');
      const same = wanted.split('|').some((one) => String(this.value(one)) === String(value));
      return same === (sign === '=');
    });
  }

  private pattern(wanted: string): string {
    const [, begin = '', path] = /^(\^?)\$([a-z].*)$/.exec(wanted) ?? [];
    return path === undefined ? wanted : begin + String(this.get(path));
  }

  /** The value of an expression: `$path | function argument`; what begins otherwise is the value itself. */
  value(expression: unknown, current?: unknown): unknown {
    if (Array.isArray(expression)) return expression.map((each) => this.value(each, current));
    if (isShape(expression))
      return Object.fromEntries(Object.entries(expression).map(([name, each]) => [name, this.value(each, current)]));
    if (typeof expression !== 'string' || !/^[$|]/.test(expression)) return expression;
    const [start = '', ...changes] = expression.split(/(?:^| )\| /);
    return changes.reduce(
      (value: unknown, change) => this.change(value, change.split(' ')),
      start === '' ? current : this.get(start.slice(1)),
    );
  }

  private change(value: unknown, [name = '', ...given]: readonly string[]): unknown {
    if (name === 'if') {
      const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
      return given[0] === type ? this.change(value, given.slice(1)) : value;
    }
    const args = given.map((each) => {
      if (/^\$[a-z]/.test(each)) return this.get(each.slice(1));
      const text = each.replace(/%[0-9A-F]{2}/g, decodeURIComponent);
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    });
    const changeHere = this.language.changes[name];
    if (changeHere) return changeHere(this, value, ...args);
    const change = FUNCTIONS[name];
    if (!change) throw new Error(`no such function: ${name}`);
    return change(value, ...args);
  }

  /** Does something for a row, which expressions call `row`. */
  with<T>(row: unknown, act: () => T): T {
    this.row = row;
    const done = act();
    this.row = undefined;
    return done;
  }

  /** A copy of a value in which what a path leads to is changed; `*` are all elements, `@x` those of that name. */
  copy(value: unknown, [part, ...rest]: readonly string[], change: (value: unknown) => unknown): unknown {
    if (part === undefined) return change(value);
    if (Array.isArray(value)) {
      const isNamed = (each: unknown) => Object.values(Object(each) as Shape).includes(part.slice(1));
      const isMeant = (each: unknown, index: number) =>
        part === '*' || String(index) === part || (part.startsWith('@') && isNamed(each));
      return value.map((each, index) =>
        isMeant(each, index) ? this.with(each, () => this.copy(each, rest, change)) : (each as unknown),
      );
    }
    if (!isShape(value)) return value;
    const next = this.copy(value[part], rest, change);
    if (value instanceof Error) return Object.assign(value, { [part]: next });
    if (next !== undefined) return { ...value, [part]: next };
    const { [part]: _, ...others } = value;
    return others;
  }

  /** The rows for which a condition holds. */
  keep(rows: unknown, condition: unknown): unknown[] {
    const words = String(condition).split(' ').filter(Boolean);
    return (Array.isArray(rows) ? rows : []).filter((row) => this.with(row, () => this.holds(words)));
  }
}
