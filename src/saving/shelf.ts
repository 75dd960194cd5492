// Where saved state is kept: values by key, each change of them whole or not at all. A port; the browser's is IndexedDB.

export interface ShelfChange {
  readonly put: readonly (readonly [string, unknown])[];
  readonly remove: readonly string[];
  /** Every key that begins so goes, before anything is put. */
  readonly clear: readonly string[];
}

/** Somebody else has read the shelf since, and has it now. */
export class ShelfTaken extends Error {
  override readonly name = 'ShelfTaken';

  constructor() {
    super('another worker has taken the state over');
  }
}

export interface Shelf {
  /** Everything that is kept. Whoever reads last has the shelf: nobody else's changes are made from then on. */
  read(): Promise<ReadonlyMap<string, unknown>>;
  /** Makes a change; resolves when it will survive the process. @throws when it was not made, then nothing of it was: ShelfTaken, or why not. */
  write(change: ShelfChange): Promise<void>;
}
