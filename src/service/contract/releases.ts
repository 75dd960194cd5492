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

export type Release = keyof typeof RELEASES;
export type Version = (typeof RELEASES)[Release]['version'];

export const RELEASE_NAMES = Object.keys(RELEASES) as readonly Release[];

export const LATEST = RELEASE_NAMES.at(-1) as Release;

/** Releases that have something. */
export interface Span {
  /** Release that added it; the first by default. */
  readonly since?: Version;
  /** Release that removed it; none by default. */
  readonly until?: Version;
}

/** Whether a release is within the span. */
export const isIn = ({ since, until }: Span, release: Release): boolean => {
  const { version } = RELEASES[release];
  return (since === undefined || since <= version) && (until === undefined || version < until);
};

/** The release of a name: `1.1`, the number 1.1, or its whole version `1.1.0`, with or without a `v`; undefined: there is none. */
export const releaseNamed = (name: unknown): Release | undefined => {
  const bare = typeof name === 'number' ? name.toFixed(1) : String(name).replace(/^v/, '');
  return RELEASE_NAMES.find((release) => release === bare || RELEASES[release].version === bare);
};

/** Query parameters of lists, besides filters. */
export const LIST_PARAMETERS = {
  limit: { since: '1.1.0' },
  cursor: { since: '1.1.0' },
  page: { until: '1.2.0', deprecated: '1.1.0' },
  offset: { until: '1.2.0', deprecated: '1.1.0' },
  sort: {},
} as const satisfies Readonly<Record<string, Span & { readonly deprecated?: Version }>>;

/** Headers that only some releases send. */
export const HEADER_SPANS = {
  Deprecation: { since: '1.1.0', until: '1.2.0' },
  'X-Service-Timestamp': { since: '1.2.0' },
} as const satisfies Readonly<Record<string, Span>>;
