// A request of a session, written so that it can be sent again with fresh records and without some of the others.
import type { Call } from '../engine/client.ts';
import type { Exchange, Json } from '../engine/exchange.ts';
import { cursorOf } from '../engine/follow.ts';
import { NoResponse } from '../engine/infra.ts';
import { createdId, placeOf } from '../engine/made.ts';
import { pathOf } from '../engine/paths.ts';
import type { Role } from '../engine/terms.ts';
import type { Tools } from '../engine/tools.ts';
import { Blocked } from '../engine/unjudged.ts';

export interface Step {
  readonly id: number;
  readonly method: string;
  readonly as: Role | 'keyless';
  /** `⟦made 3⟧` is the id that step 3 gave, `⟦name⟧` a name that no other session has. */
  readonly target: string;
  readonly body?: Json;
  /** The step whose list this one continues. */
  readonly after?: number;
}

const TOKEN = /⟦(\w+)(?: (\d+))?⟧/g;
/** A list that others may have changed meanwhile is asked for again so often, from its first page. */
const LOOKS = 2;

/** Written to a target or into JSON in place of the id that a step gives. */
export const idFrom = (step: number): string => `⟦made ${step}⟧`;

/** Steps that a step cannot do without. */
export const needsOf = ({ target, body, after }: Step): readonly number[] => [
  ...[...`${target} ${JSON.stringify(body)}`.matchAll(TOKEN)].flatMap(([, , id]) => (id === undefined ? [] : [Number(id)])),
  ...(after === undefined ? [] : [after]),
];

/** One session on the target: what its steps have given to later ones. */
export class Session {
  readonly #t: Tools;
  readonly #given = new Map<string, string>();
  readonly #records: { readonly path: string; readonly as: Step['as'] }[] = [];

  /** @param label what the names of its records end with */
  constructor(t: Tools, label: string) {
    this.#t = t;
    this.#given.set('name', t.name(label));
  }

  /** Sends a step. @returns undefined when what it needs was not given, or no response came */
  async send(step: Step): Promise<Exchange | undefined> {
    const { method, as, after } = step;
    const target = this.#filled(step.target, encodeURIComponent);
    const raw = step.body && this.#filled(JSON.stringify(step.body), (value) => JSON.stringify(value).slice(1, -1));
    const cursor = this.#given.get(`cursor ${after}`);
    if (target === undefined || (step.body && raw === undefined) || (after !== undefined && cursor === undefined))
      return undefined;
    const x = await this.#ask(method, target, { as, ...(raw === undefined ? {} : { raw }) }, cursor);
    const [next, id, items] = x ? [cursorOf(x), createdId(x), placeOf(x)] : [];
    if (next !== undefined) this.#given.set(`cursor ${step.id}`, next);
    if (id === undefined || items === undefined) return x;
    this.#given.set(`made ${step.id}`, id);
    if (items !== '/tasks') this.#records.unshift({ path: pathOf(items, id), as });
    return x;
  }

  /** Removes what the session made, so that no list shows it to the next one. */
  async end(): Promise<void> {
    for (const { path, as } of this.#records) await this.#ask('DELETE', path, { as });
  }

  #filled(text: string, written: (value: string) => string): string | undefined {
    const tokens = [...text.matchAll(TOKEN)].map(([token]) => token.slice(1, -1));
    if (tokens.some((token) => !this.#given.has(token))) return undefined;
    return text.replace(TOKEN, (token) => written(this.#given.get(token.slice(1, -1))!));
  }

  async #ask(method: string, target: string, call: Call, cursor?: string): Promise<Exchange | undefined> {
    const { time, parts } = this.#t;
    const { client, oracle } = parts;
    // On a virtual clock no two records are made at one moment: else no order by time could be told.
    if (time.virtual) await time.sleep(1100);
    const once = () =>
      cursor === undefined
        ? client.send(method, target, call)
        : client.cursors.next(
            target,
            cursor,
            (next) => client.send(method, next, { ...call, quiet: true }),
            (x) => client.onResponse(x),
          );
    try {
      for (let look = 0; ; look++) {
        const before = oracle.suspicions;
        const x = await once();
        if (cursor !== undefined || oracle.suspicions === before || look === LOOKS) return x;
      }
    } catch (cause) {
      if (cause instanceof NoResponse || cause instanceof Blocked || cause instanceof URIError) return undefined;
      throw cause;
    }
  }
}
