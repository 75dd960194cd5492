// Lists of comments and members, which are not ours to make: what one whole list has shown, others show too.
import { type Claim, claim } from '../engine/claims.ts';
import { type Exchange, metaOf } from '../engine/exchange.ts';
import { keepLatest } from '../engine/keep-latest.ts';
import { missingClause, totalClause } from './clauses.ts';
import { type Judge, NOTHING, sayThat } from './judge.ts';
import { target } from './model.ts';
import type { Asked, Page } from './page.ts';

const IDS = ['body', 'items', '*', 'id'] as const;

const MAX_WHOLE = 5000;
/** A service may know a task by another id too. */
const SPELLINGS = 2;

/** Findings of whole lists of one path. */
interface Whole {
  /** The one that is known, and its ids. */
  readonly asked: Asked;
  readonly known: readonly string[] | undefined;
  /** Differences from it since, if no record came or went. */
  readonly blames: Map<string, { asked: Asked; blame: () => void }>;
  /** Differences seen once though the known list is as it was: a second time is no coincidence. */
  readonly once: Map<string, Asked>;
}

export class Settled {
  readonly #judge: Judge;
  /** Findings of whole lists of comments and members, by workspace and path. */
  readonly #whole = new Map<string, Whole>();
  /** The tasks that have shown each comment. */
  readonly #tasks = new Map<string, Set<string | undefined>>();

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  /**
   * Comments and members are not ours to make: what one whole list has shown, others show too. People may come and go, so what differs is a
   * fault only when it does so twice, and the very request that the whole list was the response to shows the same before and after.
   */
  observe({ x, operation, ws, rows, before }: Page): void {
    if (operation.id !== 'list_comments' && operation.id !== 'list_members') return;
    const key = `${ws.name} ${x.path}`;
    // A cursor leads on from what its first page showed: a second look begins there.
    const request = { path: x.path, query: (before?.pages[0] ?? x).query, as: x.as };
    const whole = this.#whole.get(key) ?? { asked: request, known: undefined, blames: new Map(), once: new Map<string, Asked>() };
    this.#whole.set(key, whole);
    keepLatest(this.#whole, MAX_WHOLE);
    const { known, blames, once } = whole;
    if (operation.id === 'list_comments') this.#strangers(`${ws.name} `, target(x, operation)?.id, x, rows);
    const { total, has_more } = metaOf(x);
    const ids = [...(before?.ids ?? []), ...rows.map((row) => String(row.id))];
    const fresh = known ? ids.filter((id) => !known.includes(id)) : [];
    const differ = (requirement: string, ok: boolean, what: string, ...claims: readonly Claim[]) => {
      const blame = () => this.#judge.must(requirement, false, () => ({ message: what, claims }), x);
      if (ok) this.#judge.must(requirement, true, NOTHING);
      else if (ws.get('task', x.path.split('/')[2] ?? '')?.own) blame();
      // A guest comes once: a fault shows the same record again.
      else blames.set(`${x.as} ${request.query} ${what} ${fresh.join()}`, { asked: request, blame });
    };
    const missing = missingClause(operation.id);
    if (known) {
      if (typeof total === 'number')
        differ(
          totalClause(operation.id, false, false),
          total === known.length,
          `total is ${total} of ${known.length}`,
          claim(x, ['body', 'meta', 'total'], 'equals', known.length),
        );
      differ(
        missing,
        fresh.length === 0,
        'a record comes that the whole list has not',
        ...fresh.map((id) => claim(x, IDS, 'lacks', id)),
      );
    }
    if (has_more !== false || new Set(ids).size !== ids.length) return;
    if (known && ids.length < known.length)
      differ(missing, false, `${ids.length} records of ${known.length} come`, {
        call: [...(before?.pages ?? []), x].map((page) => page.number),
        at: ['body', 'items', '*'],
        op: 'count',
        value: known.length,
      });
    if (before || (known && (x.query !== whole.asked.query || x.as !== whole.asked.as))) return;
    // This question once more: others came or went, or all is as it was and the list between was wrong.
    const same = known?.length === ids.length && known.every((id) => ids.includes(id));
    for (const [what, found] of same ? blames : []) {
      if (once.has(what)) found.blame();
      else once.set(what, found.asked);
    }
    this.#whole.set(key, { asked: request, known: ids, blames: new Map(), once });
  }

  /** A comment is one task's: no other shows it. */
  #strangers(of: string, task: string | undefined, x: Exchange, rows: Page['rows']): void {
    const elsewhere = rows.filter((row) => {
      const key = of + ['id', 'author_id', 'body', 'created_at'].map((name) => row[name]).join(' ');
      const shown = this.#tasks.get(key) ?? new Set();
      this.#tasks.set(key, shown.add(task));
      return shown.size > SPELLINGS;
    });
    keepLatest(this.#tasks, MAX_WHOLE);
    const say = sayThat(`${elsewhere.length} comments of another task are listed`);
    this.#judge.must(missingClause('list_comments'), elsewhere.length === 0, say, x);
  }

  /** Questions that a further look at lists would settle, in this order. */
  get unsettled(): readonly Asked[] {
    return [...this.#whole.values()].flatMap(({ asked, blames, once }) => {
      const again = [...once].filter(([what]) => !blames.has(what)).map(([, found]) => found);
      return blames.size + again.length > 0 ? [...again, asked] : [];
    });
  }
}
