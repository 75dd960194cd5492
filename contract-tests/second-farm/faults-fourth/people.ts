// Faults of users and comments.
import { around, clause, type Fault, without } from '../faults/fault.ts';
import { dataOf, rowsOf } from '../faults-third/tools.ts';
import { totals } from './tools.ts';

const name = clause(65, '| name | string | profile and member list |');
const email = clause(66, '| email | string | profile and member list |');
const role = clause(67, '| role | string | profile and member list; values seen: `admin`, `member` |');
const avatar = clause(68, '| avatar_url | string (URL) | profile only |');
const profile = clause(167, "`200` `data` = profile of the key's user (id, name, email, role, avatar_url, created_at)");
const members = clause(168, '`200` list of `{ id, name, email, role }`, usable to pick an `assignee_id`');
const comments = { needs: 'comments' } as const;
const listed = clause(159, '`200` list of comments', comments);
const text = clause(90, '| body | string |', comments);
const author = clause(89, '| author_id | string |', comments);

const users: Fault[] = [
  name('member-first-names', 'the member list has first names alone', (s) =>
    rowsOf(s, ['member'], (row) => ({ ...row, name: String(row.name).split(' ')[0] })),
  ),
  name('profile-display-name', 'the profile has display_name for name', (s) =>
    dataOf(s, ['readMe'], ({ name: called, ...rest }) => ({ ...rest, display_name: called })),
  ),
  email('member-email-null-for-others', 'the member list has an email for the user of the key alone: others are null', (s) =>
    rowsOf(s, ['member'], (row, _index, _all, call) => (row.id === call.key?.user ? row : { ...row, email: null })),
  ),
  role('member-role-list', 'role of members is an array', (s) => rowsOf(s, ['member'], (row) => ({ ...row, role: [row.role] }))),
  role('member-role-of-key', 'role of all members is the scope of the key that asks', (s) =>
    rowsOf(s, ['member'], (row, _index, _all, call) => ({ ...row, role: call.key?.scope })),
  ),
  avatar('avatar-without-scheme', 'avatar_url has no scheme: //cdn.example.test/...', (s) =>
    dataOf(s, ['readMe'], (data) => ({ ...data, avatar_url: String(data.avatar_url).replace('https:', '') })),
  ),
  profile('profile-is-member-row', 'the profile is a row of the member list: avatar_url and created_at are missing', (s) =>
    dataOf(s, ['readMe'], (data) => without(data, 'avatar_url', 'created_at')),
  ),
  profile('profile-id-me', 'id of the profile is "me"', (s) => dataOf(s, ['readMe'], (data) => ({ ...data, id: 'me' }))),
  members('members-once-more-on-page-two', 'pages of members behind the first begin with the first member again', (s) =>
    around(s, 'cut', (was, rows, query) =>
      query.listing.name === 'member' && query.cursor
        ? query.listing.rows().slice(0, 1).concat(was(rows, query).slice(0, -1))
        : was(rows, query),
    ),
  ),
  members('members-total-without-self', 'total of members leaves out the user of the key', (s) =>
    totals(s, ['member'], (total) => total - 1),
  ),
];

const remarks: Fault[] = [
  listed('comments-latest-only', 'comments are the latest one alone', (s) =>
    around(s, 'commentRows', (was, call, task) => was(call, task).slice(-1)),
  ),
  listed('comments-total-zero', 'total of comments is 0', (s) => totals(s, ['comment'], () => 0)),
  listed('comments-one-row-back', 'the second page of comments begins with the last one of the first', (s) =>
    around(s, 'behind', (was, rows, after, query) => {
      const rest = was(rows, after, query);
      return query.listing.name === 'comment' && query.limit > 1 ? rows.slice(rows.length - rest.length - 1) : rest;
    }),
  ),
  text('comment-body-escaped', 'bodies of comments have HTML entities', (s) =>
    rowsOf(s, ['comment'], (row) => ({ ...row, body: String(row.body).replaceAll('&', '&amp;').replaceAll('<', '&lt;') })),
  ),
  author('comment-author-name', 'author_id is the name of the author', (s) =>
    rowsOf(s, ['comment'], (row) => ({ ...row, author_id: s.db.users.find(({ id }) => id === row.author_id)?.name })),
  ),
];

export const faults: readonly Fault[] = [...users, ...remarks];
