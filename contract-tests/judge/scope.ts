// Reads the conditions and expressions of a row where it runs.
import { FUNCTIONS } from './functions.ts';
import { CHANGES_HERE, NAMES } from './names.ts';
import type { Shape } from './past.ts';
import { Place } from './place.ts';

export const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null && !Array.isArray(value);

export class Scope extends Place {
  get(path: string): unknown {
    const [head = ''] = path.split(/[.:]/, 1);
    const name = NAMES[head];
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

  /** The value of an expression: `$path | function argument`; what begins otherwise stands for itself. */
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
    const change = FUNCTIONS[name];
    const changeHere = CHANGES_HERE[name];
    if (changeHere) return changeHere(this, value, ...args);
    if (!change) throw new Error(`no such function: ${name}`);
    return change(value, ...args);
  }

  /** A copy of a value in which what a path leads to is changed; `*` are all elements, `@x` those of that name. */
  copy(value: unknown, [part, ...rest]: readonly string[], change: (value: unknown) => unknown): unknown {
    if (part === undefined) return change(value);
    if (Array.isArray(value)) {
      const isNamed = (each: unknown) => Object.values(Object(each) as Shape).includes(part.slice(1));
      return value.map((each, index) => {
        if (part !== '*' && String(index) !== part && !(part.startsWith('@') && isNamed(each))) return each;
        this.row = each;
        const changed = this.copy(each, rest, change);
        this.row = undefined;
        return changed;
      });
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
    return (Array.isArray(rows) ? rows : []).filter((row) => {
      this.row = row;
      const kept = this.holds(words);
      this.row = undefined;
      return kept;
    });
  }
}
