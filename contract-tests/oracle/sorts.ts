// Which sorts the lists of tasks take: what sorts one of them sorts the other too, and what sorts upwards sorts downwards.
import { type Exchange, succeeded } from '../engine/exchange.ts';
import type { Operation } from '../engine/operations.ts';
import { sortClause } from './clauses.ts';
import { type Judge, NOTHING } from './judge.ts';

export class Sorts {
  readonly #judge: Judge;
  readonly #taken = new Map<string, Exchange>();
  readonly #refused = new Map<string, Exchange>();

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  observe({ id }: Operation, x: Exchange): void {
    const query = new URLSearchParams(x.query);
    const [sort, limit] = [query.get('sort'), Number(query.get('limit') ?? 20)];
    if (!id.endsWith('tasks') || sort === null || !/^-?\w+$/.test(sort)) return;
    const filters = this.#judge.rules.filters(id);
    const isKnown = (name: string, value: string) =>
      filters.some(({ field, values }) => name === `filter[${field}]` && values.includes(value));
    const plain = [...query].every(([name, value]) => name === 'sort' || name === 'limit' || isKnown(name, value));
    const key = `${id} ${sort}`;
    if (succeeded(x)) this.#taken.set(key, x);
    else if (x.status === 400 && plain && limit >= this.#judge.smallestLimit() && limit <= 100) this.#refused.set(key, x);
    else return;
    const turned = sort.startsWith('-') ? sort.slice(1) : `-${sort}`;
    const other = id === 'list_tasks' ? 'list_project_tasks' : 'list_tasks';
    this.#agree(sortClause(id, sort), key, `${id} ${turned}`);
    this.#agree('WM-SORT-011', key, `${other} ${sort}`);
  }

  #agree(clause: string, ...keys: readonly [string, string]): void {
    const taken = keys.map((key) => this.#taken.get(key));
    const refused = keys.map((key) => this.#refused.get(key)).find((x) => x !== undefined);
    const works = taken.find((x) => x !== undefined);
    if (!works) return;
    const say = () => ({ message: `${refused!.path}?${refused!.query} returns 400, and ${works.path}?${works.query} sorts` });
    if (refused) this.#judge.must(clause, false, say, works, refused);
    else if (taken.every((x) => x !== undefined)) this.#judge.must(clause, true, NOTHING);
  }
}
