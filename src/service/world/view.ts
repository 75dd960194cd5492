// A world as one workspace's key sees it: records of other workspaces do not exist.
import type { Choices } from '../contract/choices.ts';
import type { Terms } from '../contract/terms.ts';
import type { Listing, Row, Shape } from './collection.ts';
import { type Kind, newId, newSecret } from './ids.ts';
import { BLANKS, type Blank, type KeyRecord, type Needed, type RecordName, type Records, type UserRecord } from './records.ts';
import type { Change, World } from './world.ts';

export interface Caller {
  readonly key: KeyRecord;
  readonly user: UserRecord;
  readonly workspace: string;
}

export type NewRecord<N extends RecordName> = Omit<Needed<N>, 'id' | 'created_at' | 'updated_at'> & Partial<Blank<N>>;

const IN_ORDER = { by: 'created_at', descending: false, nulls: 'last' } as const;

export class View {
  readonly caller: Caller;
  readonly #world: World;

  constructor(world: World, caller: Caller) {
    this.#world = world;
    this.caller = caller;
  }

  get terms(): Terms {
    return this.#world.terms;
  }

  get choices(): Choices {
    return this.#world.choices;
  }

  now(): string {
    return new Date(this.#world.clock.now()).toISOString();
  }

  /** An identifier that no record of the world has: a reloaded state may draw the same again. */
  newId(kind: Kind & RecordName): string {
    const id = newId(this.#world.random, kind, this.choices['id-style']);
    return this.#world.store[kind].get(id) ? this.newId(kind) : id;
  }

  newSecret(): string {
    return newSecret(this.#world.random);
  }

  find<N extends RecordName>(name: N, id: string): Row<Records[N]> | undefined {
    const row = this.#world.store[name].get(id) as Row<Records[N]> | undefined;
    return row?.workspace === this.caller.workspace ? row : undefined;
  }

  /** A user who counts as a member: one who has joined, or was invited if those are listed. */
  member(id: string): UserRecord | undefined {
    const user = this.find('users', id)?.value;
    return user && (user.state === 'joined' || this.choices['invited-members'] === 'listed') ? user : undefined;
  }

  list<N extends RecordName>(name: N, shape: Shape, values: readonly string[]): Listing<Records[N]> {
    return this.#world.store[name].list(shape, this.caller.workspace, values) as Listing<Records[N]>;
  }

  findBy<N extends RecordName>(name: N, field: keyof Records[N] & string, value: string): Row<Records[N]>[] {
    return this.list(name, { equal: [field], ...IN_ORDER }, [value]).rows();
  }

  /** Adds a new record; omitted fields get their defaults. */
  create<N extends Kind & RecordName>(name: N, given: NewRecord<N>): Records[N] {
    const now = this.now();
    const stamps = 'updated_at' in BLANKS[name] ? { created_at: now, updated_at: now } : { created_at: now };
    return this.insert(name, { ...BLANKS[name], ...given, id: this.newId(name), ...stamps } as unknown as Records[N]);
  }

  insert<N extends RecordName>(name: N, value: Records[N]): Records[N] {
    const row = { value, workspace: this.caller.workspace, sequence: this.#world.nextSequence() };
    return this.#commit(name, undefined, row);
  }

  update<N extends RecordName>(name: N, row: Row<Records[N]>, value: Records[N]): Records[N] {
    return this.#commit(name, row.value, { value, workspace: row.workspace, sequence: row.sequence });
  }

  /** @param quietly without telling observers: the record is removed along with another. */
  remove<N extends RecordName>(name: N, row: Row<Records[N]>, quietly = false): void {
    this.#world.store[name].remove(row.value.id);
    if (!quietly) this.#tell(name, row.workspace, row.value, undefined);
  }

  #commit<N extends RecordName>(name: N, before: Records[N] | undefined, row: Row<Records[N]>): Records[N] {
    (this.#world.store[name] as unknown as { put(row: Row<Records[N]>): void }).put(row);
    this.#tell(name, row.workspace, before, row.value);
    return row.value;
  }

  #tell<N extends RecordName>(name: N, workspace: string, before: Records[N] | undefined, after: Records[N] | undefined): void {
    const change: Change<N> = { name, workspace, at: this.#world.clock.now(), before, after };
    for (const observer of this.#world.observers) observer(change as Change);
  }
}
