// The open points of the specification, by the names that the OpenAPI document gives them. A run records which choice it saw.

/** The options of each open point, by its name. */
export type OpenPoints = Readonly<Record<string, readonly string[]>>;

/** The open points that a document lists; none when it lists none. */
export const openPointsOf = (document: object | undefined): OpenPoints => {
  const { 'x-open-points': points = {} } = (document ?? {}) as {
    readonly 'x-open-points'?: Readonly<Record<string, { readonly options: object }>>;
  };
  return Object.fromEntries(Object.entries(points).map(([name, { options }]) => [name, Object.keys(options)]));
};

export class Observations {
  /** Choices by open point; a value outside the named options is in others. */
  readonly seen = new Map<string, string>();
  readonly others = new Map<string, string>();
  /** The options that have a name; of a point without any, each value is one. */
  points: OpenPoints = {};

  /** Open points of the document that the run did not see settled. */
  get unseen(): string[] {
    return Object.keys(this.points).filter((name) => !this.seen.has(name) && !this.others.has(name));
  }

  observe(name: string, value: string | undefined): void {
    if (value === undefined || this.seen.has(name)) return;
    if (this.points[name]?.includes(value) ?? true) this.seen.set(name, value);
    else this.others.set(name, value);
  }
}
