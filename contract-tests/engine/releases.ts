// The releases of the specification, and what of it a release has.

/** Oldest first. A release whose document is all that is new needs no more than its name here. */
export const RELEASES = ['1.0', '1.1', '1.2', '1.3'] as const;
export type Release = (typeof RELEASES)[number];
export const LATEST: Release = RELEASES.at(-1)!;

/** From when to when the specification says something. */
export interface Span {
  readonly since?: string | undefined;
  /** The release that took it away. */
  readonly until?: string | undefined;
}

/** Whether a release has something of this span. */
export const isIn = ({ since, until }: Span, release: Release): boolean =>
  (since === undefined || since <= release) && (until === undefined || release < until);

export const releaseNamed = (name: string): Release | undefined =>
  RELEASES.find((release) => [release, `${release}.0`].includes(name.replace(/^v/, '')));
