// The reference server as the suite's own tests use it: with ids that are UUIDs, receivers on this machine, and faults by name.
import { createHash } from 'node:crypto';
import { around } from '../judge/reference/around.ts';
import { type Clock, VirtualClock } from '../judge/reference/clock.ts';
import { createReferenceServer, type ReferenceServer } from '../judge/reference/server.ts';
import type { Service } from '../judge/reference/service/service.ts';

type Alter = (service: Service) => void;

const envelope = (service: Service, change: (body: { event: string; data: object }) => object): void =>
  around(service, 'envelope', (was, delivery) => change(was(delivery) as { event: string; data: object }));

/** Delivers an event later than at once. */
const delayed = (service: Service, wait: (nth: number) => number): void => {
  let nth = 0;
  around(service, 'deliver', (was, event, hook) => service.clock.after(wait(nth++), () => was(event, hook)));
};

/** What breaks the specification, and manners, which do not. */
export const FAULTS: Readonly<Record<string, Alter>> = {
  'has-more-on-exact': (service) =>
    around(
      service,
      'hasMore',
      (was, rest, items, query) => was(rest, items, query) || (rest.length === query.limit && items.length === query.limit),
    ),
  'no-isolation': (service) => around(service, 'sees', () => true),
  'tasks-outlive-project': (service) => around(service, 'tasksOfDeleted', () => []),
  'cursor-drops-filters': (service) =>
    around(service, 'activeFilters', (was, sent, cursor, call) => (cursor ? [] : was(sent, cursor, call))),
  'patch-unchecked': (service) =>
    around(service, 'checkValue', (was, rule, value, call, act) => (act === 'change' ? undefined : was(rule, value, call, act))),
  'first-field-only': (service) =>
    around(service, 'refuse', (was, issues, call, resource, act) => was(issues.slice(0, 1), call, resource, act)),
  'hook-silent': (service) => around(service, 'hears', () => false),
  'hook-two-keys': (service) => envelope(service, (body) => ({ ...body, data: { ...body.data, extra: {} } })),
  'hook-snake-name': (service) => envelope(service, (body) => ({ ...body, event: body.event.replace('.', '_') })),
  'hook-cross-workspace': (service) =>
    around(service, 'hears', (was, hook, event, _workspace, call) => was(hook, event, hook.workspace, call)),
  'manner-late': (service) => delayed(service, () => 200_000),
  'manner-shuffled': (service) => delayed(service, (nth) => ((nth * 7919) % 60) * 1000),
  'manner-repeats-some': (service) => {
    let nth = 0;
    around(service, 'deliver', (was, event, hook) => {
      was(event, hook);
      if (++nth % 9 === 0) service.clock.after(5000, () => was(event, hook));
    });
  },
  'manner-leaves-out': (service) =>
    around(service, 'taskSnapshot', (was, task, event) => {
      const { assignee_id, ...rest } = was(task, event) as { assignee_id: unknown };
      return assignee_id === null ? rest : { ...rest, assignee_id };
    }),
  'manner-nameless-projects': (service) =>
    around(service, 'projectSnapshot', (was, project, event) => {
      const { id: _, ...rest } = was(project, event) as { id: unknown };
      return rest;
    }),
};

/** Takes all records away. @returns what gives back the task with comments, and its project */
const bare = ({ db }: Service): (() => void) => {
  const comments = db.comments.filter(({ task }) => task === db.comments[0]!.task);
  const tasks = db.tasks.filter(({ id }) => id === comments[0]!.task);
  const projects = db.projects.filter(({ id }) => id === tasks[0]!.project);
  Object.assign(db, { projects: [], tasks: [], teams: [], comments: [] });
  return () => void Object.assign(db, { comments, tasks: [...db.tasks, ...tasks], projects: [...db.projects, ...projects] });
};

/** Where these differ from style b, the tests expect the commoner answer. */
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

  /** What a run left behind, by name. */
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
