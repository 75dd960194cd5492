// The releases of the specification, and the parts of it that a release has.

/** A minor version such as `1.3`; `next` is what is not released yet. */
export type Release = string;
export const NEXT = 'next';

export const versionOf = (release: Release): string => (release === NEXT ? NEXT : `${release}.0`);

/** The release that an OpenAPI document describes; undefined when its version is of another form. */
export const documentRelease = (document: object | undefined): Release | undefined => {
  const { info } = (document ?? {}) as { readonly info?: { readonly version?: unknown } };
  return /^(1\.\d+)\.0$/.exec(String(info?.version))?.[1];
};

/** All releases up to the latest, oldest first. */
export const releasesUpTo = (latest: Release): readonly Release[] =>
  Array.from({ length: Number(latest.split('.')[1]) + 1 }, (_, minor) => `1.${minor}`);

/** `next` comes after every number. */
const orderOf = (release: Release): number => (release === NEXT ? Number.POSITIVE_INFINITY : Number(release.slice('1.'.length)));
const isBefore = (a: Release, b: Release): boolean => orderOf(a) < orderOf(b);

/** Releases that have a part of the specification. */
export interface Span {
  readonly since?: string | undefined;
  /** The release that took it away. */
  readonly until?: string | undefined;
}

/** Whether a release has something of this span. */
export const isIn = ({ since, until }: Span, release: Release): boolean =>
  (since === undefined || !isBefore(release, since)) && (until === undefined || isBefore(release, until));

/** The newest release that the requirements name. */
export const newestRelease = (register: readonly Span[]): Release =>
  register.reduce((newest, { since = newest }) => (isBefore(newest, since) ? since : newest), '1.0');

export const releaseNamed = (name: string, latest: Release): Release | undefined =>
  [...releasesUpTo(latest), NEXT].find((release) => [release, versionOf(release)].includes(name.replace(/^v/, '')));
