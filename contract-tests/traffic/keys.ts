// Whose key a request of traffic has, and which of unknown keys are of one workspace: what they are shown tells.
import { type Exchange, idOf, isRecord, type Json, records, resource, succeeded } from '../engine/exchange.ts';
import type { Role } from '../engine/terms.ts';

type As = Exchange['as'];

/** Ids that are remembered. */
const MAX_IDS = 50_000;

/** Header values that name no key, whatever keys there are. */
const NO_KEY = /^Bearer( +(null|undefined|\[object Object\]))? *$/;

const SHAPES_WITH_IDS = new Set(['project', 'task', 'team', 'team-read']);

export class Keys {
  readonly #roles: ReadonlyMap<string, Role>;
  readonly #unknown = new Map<string, `key-${number}`>();
  /** The workspace of an unknown key. */
  readonly #workspaces = new Map<As, string>();
  /** Records by id and creation, with the workspace that shows them. */
  readonly #shownIn = new Map<string, string>();

  constructor(keys: Readonly<Record<string, string | undefined>>) {
    const given = Object.entries(keys).filter((row): row is [Role, string] => row[1] !== undefined);
    this.#roles = new Map(given.map(([role, key]) => [`Bearer ${key}`, role]));
  }

  /** All values of keys that were sent. */
  get values(): string[] {
    return [...this.#roles.keys(), ...this.#unknown.keys()].map((header) => header.slice('Bearer '.length));
  }

  /** Whose key a header names. A key that nothing is known of may have been revoked. */
  of(header: string | undefined, status: number | undefined): { as: As; keyed?: true } {
    if (header === undefined || NO_KEY.test(header) || !header.startsWith('Bearer ')) return { as: 'keyless' };
    const role = this.#roles.get(header);
    if (role !== undefined) return { as: role };
    if (status === undefined || status === 401) return { as: 'keyless', keyed: true };
    const as = this.#unknown.get(header) ?? (`key-${this.#unknown.size + 1}` as const);
    this.#unknown.set(header, as);
    if (!this.#workspaces.has(as)) this.#workspaces.set(as, `of ${as}`);
    return { as };
  }

  /** The workspace of an unknown key; undefined for a role, which says it. */
  workspaceOf(as: As): string | undefined {
    return this.#workspaces.get(as);
  }

  /** Learns from what a response shows which workspaces are one. @returns those that are none of their own, and are to be forgotten */
  learn(x: Exchange): string[] {
    const { as, operation } = x;
    if (!succeeded(x) || as === 'keyless' || !SHAPES_WITH_IDS.has(operation?.shape ?? '')) return [];
    const former: string[] = [];
    for (const row of operation?.returns === 'list' ? records(x) : [resource(x)]) {
      const key = keyOf(row, operation?.shape ?? '');
      const own = this.#workspaces.get(as) ?? (as === 'other' ? 'other' : 'own');
      const there = key === undefined ? undefined : this.#shownIn.get(key);
      if (key === undefined || there === own) continue;
      if (there === undefined) {
        if (this.#shownIn.size < MAX_IDS) this.#shownIn.set(key, own);
      } else if (own.startsWith('of ')) former.push(...this.#join(own, there));
      else if (there.startsWith('of ')) former.push(...this.#join(there, own));
    }
    return former;
  }

  #join(one: string, other: string): string[] {
    if (![...this.#workspaces.values()].includes(one)) return [];
    for (const [as, workspace] of this.#workspaces) if (workspace === one) this.#workspaces.set(as, other);
    for (const [key, workspace] of this.#shownIn) if (workspace === one) this.#shownIn.set(key, other);
    return [one];
  }
}

/** Ids may be unique within a workspace alone: the moment of creation tells records apart. */
const keyOf = (row: Json, shape: string): string | undefined =>
  isRecord(row) && idOf(row) !== undefined && typeof row.created_at === 'string'
    ? `${shape.replace('-read', '')} ${idOf(row)} ${row.created_at}`
    : undefined;
