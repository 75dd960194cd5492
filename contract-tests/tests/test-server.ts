// The reference server as the suite's own tests use it: with ids that are UUIDs, receivers on this machine, and faults by name.
import { createHash } from 'node:crypto';
import type { Shape } from '../judge/past.ts';
import { patch } from '../judge/patch.ts';
import { around } from '../judge/reference/around.ts';
import { type Clock, VirtualClock } from '../judge/reference/clock.ts';
import { createReferenceServer, type ReferenceServer } from '../judge/reference/server.ts';
import type { Service } from '../judge/reference/service/service.ts';

type Alter = (service: Service) => void;
/** A step with its condition, and what is done there, as in judge/faults.yaml. */
export type Row = readonly [at: string, does: Shape];

export const altered =
  (...rows: readonly Row[]): Alter =>
  (service) => {
    for (const [at, does] of rows) patch(service, at, does);
  };

/** Faults that break the specification. */
const ROWS: Readonly<Record<string, Row>> = {
  'has-more-on-exact': ['hasMore items.length=$query.limit rest.length=$query.limit', { gives: true }],
  'no-isolation': ['sees', { gives: true }],
  'tasks-outlive-project': ['tasksOfDeleted', { gives: [] }],
  'cursor-drops-filters': ['activeFilters cursor', { gives: [] }],
  'patch-unchecked': ['checkValue act=change', { gives: '$nothing' }],
  'first-field-only': ['refuse', { with: { issues: '| slice 0 1' } }],
  'hook-silent': ['hears', { gives: false }],
  'hook-two-keys': ['envelope', { sets: { 'data.extra': {} } }],
  'hook-cross-workspace': ['hears', { with: { workspace: '$hook.workspace' } }],
};
export const FAULTS: Readonly<Record<string, Alter>> = Object.fromEntries(
  Object.entries(ROWS).map(([name, row]) => [name, altered(row)]),
);

/** Takes all records away. @returns what gives back the task with comments, and its project */
const bare = ({ db }: Service): (() => void) => {
  const comments = db.comments.filter(({ task }) => task === db.comments[0]!.task);
  const tasks = db.tasks.filter(({ id }) => id === comments[0]!.task);
  const projects = db.projects.filter(({ id }) => id === tasks[0]!.project);
  Object.assign(db, { projects: [], tasks: [], teams: [], comments: [] });
  return () => void Object.assign(db, { comments, tasks: [...db.tasks, ...tasks], projects: [...db.projects, ...projects] });
};

/** Where these differ from style b, the tests expect the commoner choice. */
const SETTLED = { sharedUser: false, webhookScope: 'admin', teamScope: 'admin', first: 'scope', mixedLists: 'all' } as const;

export interface TestOptions {
  readonly faults?: readonly string[];
  /** Requests a minute of both workspaces. */
  readonly limit?: number;
  readonly clock?: VirtualClock;
  readonly alter?: Alter;
}

export class TestServer {
  readonly clock: Clock;
  readonly fetch: ReferenceServer['fetch'];
  readonly handle: ReferenceServer['handle'];
  readonly service: Service;
  readonly #server: ReferenceServer;
  #giveBack = () => {};
  #listening: Awaited<ReturnType<ReferenceServer['listen']>> | undefined;

  constructor({ faults = [], limit = 300, clock = new VirtualClock(Date.now()), alter }: TestOptions = {}) {
    this.clock = clock;
    this.#server = createReferenceServer({
      style: 'b',
      clock,
      settled: { ...SETTLED, plans: [limit, limit] },
      alter: (service) => {
        let count = 0;
        around(service, 'newId', () => {
          const digits = createHash('sha256').update(String(++count)).digest('hex');
          return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
        });
        around(service, 'isReachable', (was, url) => /^http:\/\/127\.0\.0\.1:/.test(url) || was(url));
        this.#giveBack = bare(service);
        for (const fault of faults) FAULTS[fault]!(service);
        alter?.(service);
      },
    });
    this.service = this.#server.service;
    this.fetch = this.#server.fetch;
    this.handle = this.#server.handle;
  }

  /** Keys by the roles that a contract run knows. */
  roles(): ReferenceServer['keys'] {
    return this.#server.keys;
  }

  /** A task with comments, which no request can create. */
  commented(): string {
    this.#giveBack();
    this.#giveBack = () => {};
    return this.#server.taskWithComments;
  }

  /** Records that a run left behind, by name. */
  litter(): string[] {
    const { projects, teams } = this.service.db;
    return [...projects, ...teams].map(({ name }) => name).filter((name) => name.startsWith('wmct-'));
  }

  async listen(): Promise<string> {
    this.#listening = await this.#server.listen();
    return this.#listening.baseUrl;
  }

  async close(): Promise<void> {
    await this.#listening?.close();
  }
}
