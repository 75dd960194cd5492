// Faults of profiles, members and comments.

import { Problem } from '../../judge/reference/model.ts';
import type { Route } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, without } from '../faults/fault.ts';
import { refuses } from '../faults-fourth/tools.ts';

const readOnly = clause(84, '### Comment (read only)');
const comments = clause(159, '| GET | /tasks/{task_id}/comments | query: limit, cursor | `200` list of comments |', {
  needs: 'comments',
});
const profile = clause(167, "`data` = profile of the key's user (id, name, email, role, avatar_url, created_at)");
const members = clause(168, '`200` list of `{ id, name, email, role }`');
const limit = clause(191, '`limit`: integer, default 20, maximum 100.');
const read = clause(216, 'retrieve any resource of the workspace (projects, tasks, members, webhooks)');
const unknown = clause(299, '| not_found | 404 | id unknown, deleted, or in another workspace |');

export const faults: readonly Fault[] = [
  profile('profile-avatar-renamed', 'the profile has avatar in place of avatar_url', (s) =>
    around(s, 'showProfile', (was, user, role) => {
      const { avatar_url, ...fields } = was(user, role);
      return { ...fields, avatar: avatar_url };
    }),
  ),
  profile('profile-of-first-user', 'GET /users/me shows the first user of the workspace to every key', (s) =>
    around(s, 'profileOf', (_was, call) => s.db.memberships.find((each) => each.workspace === call.workspace?.id)?.user ?? ''),
  ),
  members('members-email-hidden-from-read', 'keys of the scope read get the members without email', (s) =>
    around(s, 'page', (was, items, meta, query) =>
      query.listing.name === 'member' && query.call.key?.scope === 'read'
        ? was(
            items.map((item) => without(item, 'email')),
            meta,
            query,
          )
        : was(items, meta, query),
    ),
  ),
  limit('members-all-at-once', 'the list of members has all members on one page, whatever the limit', (s) =>
    around(s, 'cut', (was, rows, query) => (query.listing.name === 'member' ? rows : was(rows, query))),
  ),
  read('members-not-for-read', 'the list of members needs the scope write', (s) =>
    refuses(
      s,
      ['listMembers'],
      (call) => call.key?.scope === 'read',
      (call) => s.forbidden(call),
    ),
  ),
  limit('comments-by-50', 'the list of comments has the default limit 50', (s) =>
    around(s, 'defaultLimit', (was, listing) => (listing.name === 'comment' ? 50 : was(listing))),
  ),
  unknown(
    'comments-of-unknown-task-empty',
    'the comments of a task that does not exist are an empty list',
    (s) =>
      around(s, 'perform', (was, call, operation) => {
        try {
          return was(call, operation);
        } catch (error) {
          if (operation !== 'listComments' || !(error instanceof Problem) || error.status !== 404) throw error;
          const meta = { total: 0, limit: 20, has_more: false, next_cursor: null };
          return { status: 200, body: { items: [], meta }, headers: {} };
        }
      }),
    { style: 'c' },
  ),
  comments('comments-of-all-tasks', 'the comments of all tasks of the workspace stand under each of them', (s) =>
    around(s, 'commentRows', (_was, call) => s.db.comments.filter((each) => each.workspace === call.workspace?.id)),
  ),
  readOnly('comment-can-be-posted', 'POST /tasks/{task_id}/comments makes a comment: 201', (s) => {
    around(s, 'route', (was, call): Route => {
      const task = call.method === 'POST' ? /^\/tasks\/([^/]+)\/comments$/.exec(call.path)?.[1] : undefined;
      return task ? { operation: 'listComments', ids: { task } } : was(call);
    });
    around(s, 'listComments', (was, call) => {
      if (call.method !== 'POST') return was(call);
      const [now, task] = [s.now(), s.taskOf(call).id];
      const body = String(s.readBody(call).body ?? '');
      const own = { id: s.newId('cmt'), workspace: call.workspace?.id ?? '', nth: s.nextNth() };
      const made = { ...own, task, author: call.key?.user ?? '', body, created: now, updated: now };
      s.db.comments.push(made);
      return s.single(s.showComment(made), 'created', 201);
    });
  }),
];
