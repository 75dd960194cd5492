// Why the rest of a check is not judged: thrown where it is found, caught where checks are run.

/** The rest of a check cannot be judged, because this requirement is broken. */
export class Blocked extends Error {
  readonly by: string;
  constructor(by: string) {
    super(`blocked by ${by}`);
    this.by = by;
  }
}

/** The rest of a check cannot be judged here. */
export class Skipped extends Error {}
