// What a run creates on the target, and how it is removed again: at the end, and by the next run after a crash.
import { type Exchange, isRecord, metaOf, records, text } from './exchange.ts';
import { isLeftover, type Runner } from './names.ts';
import type { Role } from './options.ts';
import { createdId, type Tools } from './tools.ts';

export class Litter {
  readonly #things = new Map<string, Role>();

  /** Learns from every answer what exists and what is gone. */
  notice(x: Exchange): void {
    const ok = x.status >= 200 && x.status < 300;
    const as = x.url.includes('/worlds/') ? undefined : x.as === 'nobody' ? 'write' : x.as;
    if (!ok || !as || !x.operation) return;
    if (x.operation.id === 'create_project' || x.operation.id === 'create_team') {
      const id = createdId(x);
      if (id) this.#things.set(`${x.path}/${encodeURIComponent(id)}`, as);
    }
  }

  async remove(t: Tools): Promise<void> {
    for (const [path, as] of this.#things) {
      const role = as === 'other' ? 'other' : t.strong;
      await t.delete(path, { as: role });
      this.#things.delete(path);
    }
  }

  /** Forgets what a check is about to delete itself. */
  forget(x: Exchange): void {
    if (x.method === 'DELETE' && (x.status === 204 || (x.status === 404 && x.as !== 'other'))) this.#things.delete(x.path);
  }
}

/** Removes what earlier runs left behind, by their names; never anything else. */
export const sweep = async (t: Tools, mayWrite: boolean, runner: Runner): Promise<number> => {
  if (!mayWrite) return 0;
  let removed = 0;
  for (const path of ['/projects', '/teams']) {
    const leftovers: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 10; page++) {
      const x = await t.get(`${path}?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
      for (const item of records(x)) if (isLeftover(item.name, runner) && typeof item.id === 'string') leftovers.push(item.id);
      cursor = isRecord(x.json) && metaOf(x).has_more === true ? text(metaOf(x).next_cursor) : undefined;
      if (!cursor) break;
    }
    for (const id of new Set(leftovers)) {
      await t.delete(`${path}/${encodeURIComponent(id)}`, { as: t.strong });
      removed++;
    }
  }
  return removed;
};
