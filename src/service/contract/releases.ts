// The releases of v1 and what each added or removed (spec: Versioning, Release history).

export const RELEASES = {
  '1.0': {
    version: '1.0.0',
    date: 'July 2024',
    says: [
      'projects, tasks, users endpoints',
      'Bearer API key authentication',
      'webhooks with events task.created, task.updated, task.deleted, project.created, project.updated, project.deleted',
    ],
  },
  '1.1': {
    version: '1.1.0',
    date: 'September 2024',
    says: [
      'cursor pagination (cursor, limit, meta.next_cursor) on all list endpoints',
      'page and offset deprecated and signalled by a Deprecation response header',
    ],
  },
  '1.2': {
    version: '1.2.0',
    date: 'November 2024',
    says: [
      'teams endpoints (list, create, get, delete)',
      'events member.invited and member.joined',
      'X-Service-Timestamp header on webhook deliveries',
      'page and offset removed',
    ],
  },
  '1.3': {
    version: '1.3.0',
    date: 'January 2025',
    says: ['priority field on tasks', 'filter[priority]', 'GET /tasks/{task_id}/comments'],
  },
} as const;

/** The name of what is built and not released: the mock serves it under this name alone. */
export const NEXT = 'next';
const UNRELEASED = { version: NEXT, date: 'not released', says: [] } as const;

export type Release = keyof typeof RELEASES | typeof NEXT;
export type Version = (typeof RELEASES)[keyof typeof RELEASES]['version'] | typeof NEXT;

export const RELEASE_NAMES = Object.keys(RELEASES) as readonly (keyof typeof RELEASES)[];

/** The releases, and what is not released yet. */
export const ALL_RELEASES: readonly Release[] = [...RELEASE_NAMES, NEXT];

export const LATEST = RELEASE_NAMES.at(-1) as keyof typeof RELEASES;

export const releaseRow = (release: Release) => (release === NEXT ? UNRELEASED : RELEASES[release]);

const VERSIONS = ALL_RELEASES.map((name) => releaseRow(name).version);
const orderOf = (version: Version): number => VERSIONS.indexOf(version);

/** Releases that have something. */
export interface Span {
  /** Release that added it; `next`: none yet. */
  readonly since: Version;
  /** Release that removed it; none by default. */
  readonly until?: Version;
}

export const isIn = ({ since, until }: Span, release: Release): boolean => {
  const at = ALL_RELEASES.indexOf(release);
  return orderOf(since) <= at && (until === undefined || at < orderOf(until));
};

/** The release of a name: `1.1`, the number 1.1, or its whole version `1.1.0`, with or without a `v`; undefined: there is none. */
export const releaseNamed = (name: unknown): Release | undefined => {
  const bare = typeof name === 'number' ? name.toFixed(1) : String(name).replace(/^v/, '');
  return ALL_RELEASES.find((release) => release === bare || releaseRow(release).version === bare);
};

/** Query parameters of lists, besides filters. */
export const LIST_PARAMETERS = {
  limit: { since: '1.1.0' },
  cursor: { since: '1.1.0' },
  page: { since: '1.0.0', until: '1.2.0', deprecated: '1.1.0' },
  offset: { since: '1.0.0', until: '1.2.0', deprecated: '1.1.0' },
  sort: { since: '1.0.0' },
} as const satisfies Readonly<Record<string, Span & { readonly deprecated?: Version }>>;

/** Headers that depend on the release. */
export const HEADER_SPANS = {
  Deprecation: { since: '1.1.0', until: '1.2.0' },
  'X-Service-Timestamp': { since: '1.2.0' },
  'X-Service-Signature': { since: '1.0.0' },
} as const satisfies Readonly<Record<string, Span>>;
