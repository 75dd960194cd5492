// Storage for saved state: values by key, changed in transactions. A port; the browser's is IndexedDB.

export interface ShelfChange {
  readonly put: readonly (readonly [string, unknown])[];
  readonly remove: readonly string[];
  /** Every key with this prefix is deleted, before anything is put. */
  readonly clear: readonly string[];
}

/** Someone else has read the shelf since, and owns it now. */
export class ShelfTaken extends Error {
  override readonly name = 'ShelfTaken';

  constructor() {
    super('another worker has taken the state over');
  }
}

export interface Shelf {
  /** All entries. The last reader owns the shelf: changes of all others are refused from then on. */
  read(): Promise<ReadonlyMap<string, unknown>>;
  /** Makes a change; resolves when it will survive the process. @throws ShelfTaken, or the reason, when nothing was changed. */
  write(change: ShelfChange): Promise<void>;
}
