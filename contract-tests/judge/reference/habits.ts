// Further habits of conforming servers: what the specification leaves open, done in a way that few do. No run may blame it.
import { around } from './around.ts';
import { EVENT_NAMES, type Fields, Problem } from './model.ts';
import type { Service } from './service/service.ts';
import { STYLE_NAMES, type StyleName } from './styles.ts';

/** What a conforming server may do beyond the styles. */
export interface Deviation {
  readonly id: string;
  readonly says: string;
  /** The style it is served in; absent: by turns. */
  readonly style?: StyleName;
  readonly alter: (service: Service) => void;
}

export const open = (id: string, says: string, alter: Deviation['alter'], more: Pick<Deviation, 'style'> = {}): Deviation => ({
  id,
  says,
  alter,
  ...more,
});

/** Gives a style to each that names none. */
export const styled = (all: readonly Deviation[]): readonly (Deviation & { readonly style: StyleName })[] =>
  all.map((each, index) => ({ ...each, style: each.style ?? STYLE_NAMES[index % STYLE_NAMES.length]! }));

const sum = (text: string) => [...text].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 99_991, 7);

export const HABITS: readonly Deviation[] = [
  open('paths-before-keys', 'a path that there is not gives 404 to anybody', (service) =>
    around(service, 'authenticate', (was, call) => {
      if (!/^\/(projects|tasks|users\/me|workspace\/members|teams|webhooks)(\/|$)/.test(call.path))
        throw service.notFound(call, 'path');
      return was(call);
    }),
  ),
  open('absent-in-lists', 'lists leave out what is null elsewhere', (service) =>
    around(service, 'showTask', (was, task, place) =>
      place === 'row'
        ? Object.fromEntries(Object.entries(was(task, place)).filter(([, value]) => value !== null))
        : was(task, place),
    ),
  ),
  open('total-frozen', 'total is that of the first page as long as its cursors are followed', (service) => {
    const totals = new Map<string, number>();
    around(service, 'meta', (was, count, items, more, query) => {
      const frozen = totals.get(query.call.query.get('cursor') ?? '') ?? count;
      const made = was(frozen, items, more, query);
      if (typeof made.next_cursor === 'string') totals.set(made.next_cursor, frozen);
      return made;
    });
  }),
  open(
    'pages-frozen',
    'who follows cursors sees the records that were there at the first page',
    (service) => {
      const seen = new Map<string, ReadonlySet<string>>();
      around(service, 'list', (was, call, listing) => {
        const known = seen.get(call.query.get('cursor') ?? '');
        const rows = () => listing.rows().filter(({ id }) => known?.has(id) !== false);
        const answer = was(call, { ...listing, rows });
        const next = (answer.body as { meta: Fields }).meta.next_cursor;
        if (typeof next === 'string') seen.set(next, known ?? new Set(listing.rows().map(({ id }) => id)));
        return answer;
      });
    },
    { style: 'b' },
  ),
  open(
    'limits-by-list',
    'projects refuse a limit above 100, the other lists take it for 100',
    (service) =>
      around(service, 'boundLimit', (was, limit, call, listing) =>
        listing.name === 'project' ? was(limit, call, listing) : was(Math.min(limit, 100), call, listing),
      ),
    { style: 'a' },
  ),
  open('order-of-a-hash', 'the default order looks random', (service) =>
    around(service, 'sortValue', (was, row, field, query) => (field === undefined ? sum(row.id) : was(row, field, query))),
  ),
  open('task-times-still', 'updated_at of a task stays as it was created', (service) =>
    around(service, 'touch', (was, row, what, values) => (what === 'task' ? undefined : was(row, what, values))),
  ),
  open('nanoseconds', 'times have nine digits behind the second', (service) =>
    around(service, 'stamp', (_was, at) => new Date(at).toISOString().replace('Z', '000000Z')),
  ),
  open('strangers-counted', 'who has no key spends from a budget of 60 of all who have none', (service) => {
    let spent = 0;
    around(service, 'quotaHeaders', (was, call, answer) => {
      if (call.workspace) return was(call, answer);
      spent += 1;
      return { ...was(call, answer), 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': String(Math.max(0, 60 - (spent % 60))) };
    });
  }),
  open('remaining-not-below-zero', 'the count never shows less than none', (service) =>
    around(service, 'remaining', (was, call) => Math.max(0, was(call))),
  ),
  open(
    'ceiling-per-key',
    'a key has a ceiling of 300 below the limit of the workspace',
    (service) => {
      const spent = new Map<string, number[]>();
      const of = (value: string) => (spent.get(value) ?? []).filter((at) => at > service.now() - 60_000);
      around(service, 'charge', (was, call) => {
        const value = call.key?.value ?? '';
        if (of(value).length >= 300) throw service.tooMany(call);
        was(call);
        spent.set(value, [...of(value), service.now()]);
      });
      around(service, 'remaining', (was, call) => (call.key ? Math.min(was(call), 300 - of(call.key.value).length) : was(call)));
    },
    { style: 'b' },
  ),
  open('secret-alone', 'the answer to a registration is the secret alone', (service) =>
    around(service, 'showHook', (_was, hook) => ({ secret: hook.secret })),
  ),
  open(
    'no-events-none',
    'a registration without events hears none',
    (service) =>
      around(service, 'hears', (was, hook, event, where, call) => was(hook, event, where, call) && hook.events !== EVENT_NAMES),
    { style: 'a' },
  ),
  open('events-late', 'events are sent three seconds after they happened', (service) =>
    around(service, 'deliver', (was, event, hook) => void service.clock.later(3000, () => was(event, hook))),
  ),
  open('events-shuffled', 'every second event overtakes the one before it', (service) => {
    let count = 0;
    around(service, 'deliver', (was, event, hook) => {
      count += 1;
      if (count % 2 === 0) was(event, hook);
      else service.clock.later(1500, () => was(event, hook));
    });
  }),
  open('event-times-in-seconds', 'the times of events have seconds only', (service) =>
    around(service, 'stamp', (was, at, what) =>
      what === 'event.created_at' ? `${new Date(at).toISOString().slice(0, 19)}Z` : was(at, what),
    ),
  ),
  open(
    'cascade-after',
    'the tasks of a deleted project are told after it',
    (service) =>
      around(service, 'deleteProject', (was, call) => {
        const project = service.projectOf(call);
        const tasks = service.tasksOfDeleted(project);
        const answer = was(call);
        for (const task of tasks) service.taskEvent('task.deleted', task, call);
        return answer;
      }),
    { style: 'a' },
  ),
  open('urls-normal', 'a url is stored in its normal form', (service) =>
    around(service, 'takeText', (was, rule, value, call, act) =>
      was(rule, rule.kind === 'url' ? new URL(value).href : value, call, act),
    ),
  ),
  open('webhooks-listed', 'GET /webhooks lists the registrations, without their secrets', (service) =>
    around(service, 'fail', (was, error, call) => {
      if (
        call.method !== 'GET' ||
        call.path !== '/webhooks' ||
        !call.workspace ||
        !(error instanceof Problem) ||
        error.status === 429
      )
        return was(error, call);
      const items = service.db.hooks
        .filter(({ workspace }) => workspace === call.workspace?.id)
        .map(({ id, url, events }) => ({ id, url, events }));
      return {
        status: 200,
        body: { items, meta: { total: items.length, limit: 20, has_more: false, next_cursor: null } },
        headers: {},
      };
    }),
  ),
  open('pretty-and-backwards', 'JSON is indented, with the members of objects from Z to A', (service) =>
    around(service, 'write', (was, answer, call) => {
      const { text, type } = was(answer, call);
      const turned = (_name: string, value: unknown) =>
        value && typeof value === 'object' && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? 1 : -1)))
          : value;
      return {
        text: text === undefined ? undefined : JSON.stringify(JSON.parse(text), turned, 2),
        type: `${type}; charset=UTF-8`,
      };
    }),
  ),
  open('json-of-php', 'JSON escapes slashes and what is not ASCII', (service) =>
    around(service, 'write', (was, answer, call) => {
      const { text, type } = was(answer, call);
      return {
        text: text
          ?.replaceAll('/', '\\/')
          .replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
        type,
      };
    }),
  ),
  open('issues-as-codes', 'issues are codes, with the value and a path beside them', (service) =>
    around(service, 'details', (was, problem) =>
      problem.issues
        ? {
            fields: problem.issues.map(({ field, kind }) => ({
              field,
              issue: kind.toUpperCase(),
              path: ['body', field],
              value: null,
            })),
          }
        : was(problem),
    ),
  ),
  open('ids-bare', 'ids are numbers in a text, without a prefix', (service) => {
    let count = 1000;
    around(service, 'newId', (was, prefix) => {
      count += 7;
      return /^(proj|task|team)$/.test(prefix) ? String(count) : was(prefix);
    });
  }),
  open('values-400-some-422', 'a value outside its list gives 422, another wrong value 400', (service) =>
    around(service, 'statusOf', (was, issue) => (issue.kind === 'value' ? (/one of/.test(issue.issue) ? 422 : 400) : was(issue))),
  ),
  open(
    'mixed-by-rules',
    'a body with faults of both kinds gives 422 and names those of rules',
    (service) =>
      around(service, 'refuse', (was, issues, call, resource, act) => {
        const broken = issues.filter(({ kind }) => kind !== 'structure');
        return was(broken.length > 0 ? broken : issues, call, resource, act);
      }),
    { style: 'a' },
  ),
  open('updated-soon-after', 'updated_at of a new record is three milliseconds after created_at', (service) => {
    around(service, 'newTask', (was, values, project, call) => {
      const task = was(values, project, call);
      return { ...task, updated: task.created + 3 };
    });
    around(service, 'newProject', (was, values, call) => {
      const project = was(values, call);
      return { ...project, updated: project.created + 3 };
    });
  }),
  open(
    'sort-of-many',
    'sort takes several fields that it supports, of which the first decides',
    (service) =>
      around(service, 'readSort', (was, text, listing, call) => text.split(',').map((one) => was(one, listing, call))[0]!),
    { style: 'c' },
  ),
  open('limit-strict', 'a limit with a sign or a leading zero is refused', (service) =>
    around(service, 'parseLimit', (was, text, listing) =>
      /^[1-9]\d*$/.test(text) || text === '0' ? was(text, listing) : undefined,
    ),
  ),
  open('comments-newest-first', 'comments come newest first', (service) =>
    around(service, 'sortValue', (was, row, field, query) =>
      field === undefined && query.listing.name === 'comment' ? -row.created : was(row, field, query),
    ),
  ),
  open('team-by-name', 'the members of a team are in the order of their names', (service) =>
    around(service, 'showMembers', (was, team) =>
      (was(team) as { name: string }[]).sort((one, other) => (one.name < other.name ? -1 : 1)),
    ),
  ),
  open('big-bodies-refused', 'a body of more than 64 KiB gives 413', (service) =>
    around(service, 'readBody', (was, call) => {
      if (call.text.length > 65_536) throw new Problem(413, 'payload_too_large', 'The body is too large.');
      return was(call);
    }),
  ),
  open(
    'long-messages',
    'messages differ from path to path',
    (service) => around(service, 'notFound', (was, call, what) => was(call, `${what} for ${call.method} ${call.path}`)),
    { style: 'b' },
  ),
  open(
    'no-assignee-in-reads',
    'a task without an assignee shows so in lists alone',
    (service) =>
      around(service, 'showTask', (was, task, place) => {
        const { assignee_id, ...rest } = was(task, place);
        return assignee_id === null && place !== 'row' ? rest : { ...rest, assignee_id };
      }),
    { style: 'a' },
  ),
  open('private-to-owners', 'private projects are seen by the keys of their owners alone', (service) => {
    const hidden = (project: { visibility: string; owner: string } | undefined, user: string | undefined) =>
      project?.visibility === 'private' && project.owner !== user;
    around(service, 'projectRows', (was, call) => was(call).filter((row) => !hidden(row as never, call.key?.user)));
    around(
      service,
      'sees',
      (was, call, row, what) => was(call, row, what) && !(what === 'project' && hidden(row as never, call.key?.user)),
    );
  }),
];
