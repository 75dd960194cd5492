// What a conforming server may do where the specification is silent or permits, beyond the styles: no run may blame it.
import { around } from './around.ts';
import { type Deviation, HABITS, open, styled } from './habits.ts';
import type { Fields } from './model.ts';
import { Problem } from './model.ts';

const MINUTE = 60_000;

const more = (extra: Fields) => (fields: Fields) => ({ ...fields, ...extra });

const all: readonly Deviation[] = [
  open('unknown-parameters-refused', 'query parameters that no rule names give 400', (service) =>
    around(service, 'perform', (was, call, operation) => {
      for (const name of call.query.keys())
        if (!/^(limit|cursor|sort|filter\[\w+\])$/.test(name))
          throw service.invalid(400, [{ field: name, issue: 'is not known', kind: 'structure' }], call);
      return was(call, operation);
    }),
  ),
  open('blank-names-refused', 'a text of white space alone counts as empty', (service) =>
    around(service, 'checkValue', (was, rule, value, call, act) =>
      was(rule, typeof value === 'string' && rule.required && value.trim() === '' ? '' : value, call, act),
    ),
  ),
  open('control-characters-refused', 'control characters give 422', (service) =>
    around(service, 'checkValue', (was, rule, value, call, act) =>
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant
      typeof value === 'string' && /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(value)
        ? { field: rule.name, issue: 'has control characters', kind: 'value' as const }
        : was(rule, value, call, act),
    ),
  ),
  open('cursors-expire', 'a cursor is good for two minutes', (service) => {
    const born = new Map<string, number>();
    around(service, 'writeCursor', (was, cursor) => {
      const text = `${was(cursor)}`;
      born.set(text, service.now());
      return text;
    });
    around(service, 'readCursor', (was, call, listing) => {
      const at = born.get(call.query.get('cursor') ?? '');
      if (at !== undefined && service.now() - at > 2 * MINUTE)
        throw service.invalid(400, [{ field: 'cursor', issue: 'has expired', kind: 'structure' }], call);
      return was(call, listing);
    });
  }),
  open('more-fields', 'responses have further fields everywhere', (service) => {
    around(service, 'showTask', (was, task, place) =>
      more({ url: `https://x.test/${task.id}`, labels: [], position: 1.5, project: { id: task.project } })(was(task, place)),
    );
    around(service, 'showProject', (was, project, place) =>
      more({ archived: false, task_count: 3, color: null })(was(project, place)),
    );
    around(service, 'showTeam', (was, team, place) => more({ slug: 'x', description: null })(was(team, place)));
    around(service, 'showMember', (was, member) => more({ last_seen_at: null, title: 'Dr' })(was(member)));
    around(service, 'page', (was, items, meta, query) => ({
      ...(was(items, { ...meta, page_count: 3, prev_cursor: null }, query) as object),
      links: { self: '/x' },
    }));
    around(service, 'errorBody', (was, problem) => {
      const { error } = was(problem) as { error: Fields };
      return { error: { ...error, request_id: 'req_1', documentation_url: 'https://x.test' }, trace: 'abc' };
    });
    around(service, 'single', (was, data, place, status) => {
      const answer = was(data, place, status);
      return { ...answer, body: { ...(answer.body as object), meta: { version: '1.3.2' } } };
    });
  }),
  open('new-roles', 'there are further roles', (service) => {
    service.db.memberships = service.db.memberships.map((each) => ({ ...each, role: each.role === 'admin' ? 'owner' : 'guest' }));
  }),
  open('default-order-by-change', 'without sort the last changed comes first', (service) =>
    around(service, 'sortValue', (was, row, field, query) => (field === undefined ? -row.updated : was(row, field, query))),
  ),
  open('doubles-refused', 'a member sent twice is refused', (service) =>
    around(service, 'checkMembers', (was, rule, ids, call) =>
      new Set(ids).size < ids.length ? { field: rule.name, issue: 'has doubles', kind: 'value' as const } : was(rule, ids, call),
    ),
  ),
  open('seconds', 'times have seconds, and due dates are cut to them', (service) => {
    around(service, 'stamp', (_was, at) => `${new Date(at).toISOString().slice(0, 19)}Z`);
  }),
  open('utf16-lengths', 'lengths are counted in UTF-16 units', (service) =>
    around(service, 'length', (_was, text) => text.length),
  ),
  open('descriptions-empty', 'a description that was not sent is empty', (service) => {
    around(service, 'newTask', (was, values, project, call) => was({ description: '', ...values }, project, call));
    around(service, 'newProject', (was, values, call) => was({ description: '', ...values }, call));
  }),
  open('project-moves-with-tasks', 'updated_at of a project moves when its tasks do', (service) => {
    around(service, 'taskEvent', (was, name, task, call) => {
      for (const project of service.db.projects) if (project.id === task.project) project.updated = service.now();
      was(name, task, call);
    });
  }),
  open('ping', 'a registration is sent an event of its own', (service) =>
    around(service, 'createWebhook', (was, call) => {
      const answer = was(call);
      const hook = service.db.hooks.at(-1);
      if (hook)
        service.deliver(
          { id: service.newId('evt'), name: 'webhook.ping', created: service.now(), data: { webhook: { id: hook.id } } },
          hook,
        );
      return answer;
    }),
  ),
  open('jitter', 'retries come some seconds late', (service) =>
    around(service, 'pauseAfter', (was, delivery, outcome) => {
      const pause = was(delivery, outcome);
      return pause === undefined ? undefined : pause + 2500;
    }),
  ),
  open('no-sort-but-for-tasks', 'no list but those of tasks can be sorted', (service) =>
    around(service, 'isSortable', (was, field, listing, call) => listing.name === 'task' && was(field, listing, call)),
  ),
  open('one-sort-field', 'tasks can be sorted by created_at alone', (service) =>
    around(service, 'isSortable', (_was, field, listing) => listing.name === 'task' && field === 'created_at'),
  ),
  open(
    'long-cursors',
    'cursors are long and have + / = in them',
    (service) => {
      around(service, 'writeCursor', (was, cursor) => `${was(cursor)}`.padEnd(1500, '=+/'));
      around(service, 'readCursor', (was, call, listing) => {
        const text = call.query.get('cursor');
        if (text !== null) call.query.set('cursor', text.replace(/(=\+\/)*(=|=\+)?$/, ''));
        return was(call, listing);
      });
    },
    { style: 'a' },
  ),
  open('odd-ids', 'ids are long and have colons and dots', (service) =>
    around(service, 'newId', (was, prefix) => `${was(prefix)}:v1.~${'x'.repeat(80)}`),
  ),
  open('wide-errors', 'errors have a challenge, and details with other members', (service) => {
    around(service, 'details', (was, problem) => ({ ...(was(problem) as object), hint: 'see the docs' }));
    around(service, 'answer', (was, call) => {
      const answer = was(call);
      return {
        ...answer,
        headers: {
          ...answer.headers,
          'WWW-Authenticate': 'Bearer realm="x"',
          'Cache-Control': 'no-store',
          Vary: 'Authorization',
        },
      };
    });
  }),
  open('lenient-bearer', 'the word Bearer may be written in small letters', (service) =>
    around(service, 'tokenOf', (_was, call) => /^Bearer +(\S+)$/i.exec(call.headers.get('authorization') ?? '')?.[1]),
  ),
  open('names-fold', 'team names that differ in case alone are the same', (service) =>
    around(service, 'isNameTaken', (_was, name, call) =>
      service.db.teams.some((each) => each.workspace === call.workspace?.id && each.name.toLowerCase() === name.toLowerCase()),
    ),
  ),
  open('texts-trimmed', 'white space around names and titles is cut off', (service) =>
    around(service, 'takeText', (was, rule, value, call, act) =>
      rule.required ? was(rule, value, call, act).trim() : was(rule, value, call, act),
    ),
  ),
  open('server-fields-refused', 'id, created_at and updated_at in a body give 400', (service) =>
    around(service, 'readBody', (was, call) => {
      const body = was(call);
      for (const name of ['id', 'created_at', 'updated_at'])
        if (name in body) throw service.invalid(400, [{ field: name, issue: 'is set by the server', kind: 'structure' }], call);
      return body;
    }),
  ),
  open('empty-patch-refused', 'a change of nothing gives 422', (service) =>
    around(service, 'readFields', (was, call, resource, act) => {
      const fields = was(call, resource, act);
      if (act === 'change' && Object.keys(fields).length === 0)
        throw new Problem(422, 'validation_error', 'Nothing to change.', []);
      return fields;
    }),
  ),
  open('head-and-options', 'HEAD answers as GET does', (service) =>
    around(service, 'route', (was, call) => was(call.method === 'HEAD' ? { ...call, method: 'GET' } : call)),
  ),
  open(
    'filters-of-many',
    'a filter value may list several with commas',
    (service) =>
      around(service, 'matches', (_was, filter, row) =>
        filter.value.split(',').includes(String(service.filterable(row, filter.field))),
      ),
    { style: 'b' },
  ),
  open('unassigned-filter', 'an empty filter[assignee_id] finds what has no assignee', (service) =>
    around(service, 'matches', (was, filter, row, query) =>
      filter.field === 'assignee_id' && filter.value === ''
        ? service.filterable(row, 'assignee_id') === null
        : was(filter, row, query),
    ),
  ),
  open('unknown-assignee-refused', 'filter[assignee_id] of an unknown user is refused with 422', (service) =>
    around(service, 'readFilter', (was, field, value, call) => {
      if (field === 'assignee_id' && !service.isMember(value, call.workspace?.id))
        throw service.invalid(422, [{ field: 'filter[assignee_id]', issue: 'is unknown', kind: 'reference' }], call);
      return was(field, value, call);
    }),
  ),
  open('webhook-conflict', 'the same url a second time is a conflict', (service) =>
    around(service, 'createWebhook', (was, call) => {
      const url = /"url":"([^"]*)"/.exec(call.text)?.[1];
      if (service.db.hooks.some((each) => each.url === url && each.workspace === call.workspace?.id))
        throw new Problem(409, 'conflict', 'Registered already.');
      return was(call);
    }),
  ),
  open(
    'bucket-of-tokens',
    'requests come back one by one',
    (service) => {
      around(service, 'counted', (was, bucket) => was(bucket));
      around(service, 'resetAt', (_was, call) => {
        const times = call.workspace ? service.counted(service.bucketOf(call)) : [];
        return (times.at(-1) ?? service.now()) + MINUTE;
      });
    },
    { style: 'a' },
  ),
  open('slow-clock', 'the times of records are those of another clock, some seconds behind', (service) =>
    around(service, 'stamp', (was, at, what) => was(/due_date|event/.test(what) ? at : at - 900, what)),
  ),
  open('titles-by-number', 'titles are sorted with numbers by value', (service) =>
    around(service, 'collate', (_was, one, other) => one.localeCompare(other, 'en', { numeric: true, sensitivity: 'base' })),
  ),
  open('request-ids', 'responses have ids and tags of their own', (service) =>
    around(service, 'answer', (was, call) => {
      const answer = was(call);
      return { ...answer, headers: { ...answer.headers, 'X-Request-Id': service.newId('req'), ETag: `"${service.now()}"` } };
    }),
  ),
  open('letters-in-pairs-rarely', 'one event in thirty comes twice', (service) => {
    let count = 0;
    around(service, 'deliver', (was, event, hook) => {
      count += 1;
      was(event, hook);
      if (count % 30 === 0) service.clock.later(700, () => was(event, hook));
    });
  }),
  open('more-in-events', 'envelopes have further members', (service) => {
    around(service, 'envelope', (was, delivery) => ({
      ...(was(delivery) as object),
      workspace_id: 'ws_1',
      api_version: '1.3.0',
      attempt: delivery.attempts,
      actor: { id: 'user_1' },
    }));
    around(service, 'projectSnapshot', (was, project, name) => ({ ...(was(project, name) as object), owner_id: 'user_1' }));
  }),
  open('signature-with-scheme', 'the signature is t=…,v1=… in base64, and made anew for each attempt', (service) =>
    around(
      service,
      'sign',
      (was, body, at, delivery) =>
        `t=${at},n=${delivery.attempts},v1=${Buffer.from(was(body, `${at}${delivery.attempts}`, delivery), 'hex').toString('base64')}`,
    ),
  ),
  open('body-spaced', 'bodies of events are written with spaces and escapes', (service) =>
    around(service, 'post', (was, delivery) => {
      const made = was(delivery);
      const body = JSON.stringify(JSON.parse(made.body), null, 2).replace(
        /[\u0080-\uffff]/g,
        (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      return {
        ...made,
        body,
        headers: {
          ...made.headers,
          'Content-Type': 'application/json; charset=utf-8',
          'User-Agent': 'Hooks/1',
          'X-Service-Signature': service.sign(body, made.headers['X-Service-Timestamp'] ?? '', delivery),
        },
      };
    }),
  ),
  open('reset-rounds-down', 'the reset is rounded to the nearest second', (service) =>
    around(service, 'quotaHeaders', (was, call, answer) => ({
      ...was(call, answer),
      'X-RateLimit-Reset': String(Math.round(service.resetAt(call) / 1000)),
    })),
  ),
  open('unknown-keys-counted-nowhere', 'who has no key has the limit of a free plan and all of it', (service) =>
    around(service, 'quotaHeaders', (was, call, answer) =>
      call.key
        ? was(call, answer)
        : {
            'X-RateLimit-Limit': '60',
            'X-RateLimit-Remaining': '60',
            'X-RateLimit-Reset': String(Math.ceil(service.now() / 1000)),
          },
    ),
  ),
  open(
    'bodies-before-scopes',
    'bodies are read before scopes are looked at',
    (service) => {
      around(service, 'authorise', (was, call, operation) => {
        if (operation === 'createTask' && call.text) service.readBody(call);
        was(call, operation);
      });
    },
    { style: 'b' },
  ),
  open('gone-is-known', 'a deleted record says in its message that it was deleted', (service) =>
    around(service, 'notFound', (was, call, what) => was(call, `${what}, or no longer`)),
  ),
  open('dates-refused-without-seconds', 'a due date without seconds or with a lower-case t is refused', (service) =>
    around(service, 'moment', (was, text, act) => (/T\d\d:\d\d:\d\d/.test(text) ? was(text, act) : undefined)),
  ),
  open('members-backwards', 'members are listed in another order', (service) =>
    around(service, 'memberRows', (was, call) => [...was(call)].reverse()),
  ),
  open('wide-profiles', 'a profile has further members, and an avatar a query', (service) =>
    around(service, 'showProfile', (was, user, role) => ({
      ...was(user, role),
      avatar_url: `${user.avatar}?s=200&d=identicon`,
      locale: null,
      workspace: { id: 'ws' },
    })),
  ),
  open('texts-composed', 'texts are stored in the composed form of Unicode', (service) =>
    around(service, 'takeText', (was, rule, value, call, act) => was(rule, value, call, act).normalize('NFC')),
  ),
  open('line-ends', 'line ends of Windows become those of others', (service) =>
    around(service, 'takeText', (was, rule, value, call, act) => was(rule, value, call, act).replaceAll('\r\n', '\n')),
  ),
  open('conflict-before-members', 'a name in use is told before members that are unknown', (service) =>
    around(service, 'readFields', (was, call, resource, act) => {
      if (resource === 'team') {
        const { name } = service.readBody(call);
        if (typeof name === 'string' && service.isNameTaken(name, call, [])) throw service.conflict(call);
      }
      return was(call, resource, act);
    }),
  ),
  open('sort-empty-refused', 'an empty sort, limit, cursor or filter is refused', (service) =>
    around(service, 'perform', (was, call, operation) => {
      for (const [name, value] of call.query)
        if (value === '') throw service.invalid(400, [{ field: name, issue: 'is empty', kind: 'structure' }], call);
      return was(call, operation);
    }),
  ),
  open('twice-refused', 'a parameter that comes twice is refused', (service) =>
    around(service, 'perform', (was, call, operation) => {
      const names = [...call.query.keys()];
      if (new Set(names).size < names.length)
        throw service.invalid(400, [{ field: 'query', issue: 'comes twice', kind: 'structure' }], call);
      return was(call, operation);
    }),
  ),
  open('default-by-title', 'without sort the list is in the order of titles', (service) =>
    around(service, 'sortValue', (was, row, field, query) =>
      field === undefined ? ('title' in row ? row.title : 'name' in row ? row.name : row.id) : was(row, field, query),
    ),
  ),
];

export const DEVIATIONS = styled([...all, ...HABITS]);
