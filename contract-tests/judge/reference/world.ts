// The data of the reference server: its store, and the records that are there before any client comes.
import { createHash } from 'node:crypto';
import type { Comment, Hook, Key, Membership, Project, Task, Team, User, Workspace } from './model.ts';
import type { Style, StyleName } from './styles.ts';

export interface Store {
  workspaces: Workspace[];
  users: User[];
  memberships: Membership[];
  keys: Key[];
  projects: Project[];
  tasks: Task[];
  teams: Team[];
  comments: Comment[];
  hooks: Hook[];
}

export const NORTH = 'ws_north';
export const SOUTH = 'ws_south';
export const KEYS = {
  admin: 'sf_north_admin_5b1e',
  write: 'sf_north_write_90c2',
  read: 'sf_north_read_d07a',
  revoked: 'sf_north_gone_e441',
  other: 'sf_south_admin_77f3',
} as const;

/** Makes ids that look random and are the same in each run. */
export const idMaker = (style: StyleName) => {
  let count = 0;
  return (prefix: string): string => {
    count += 1;
    const hash = createHash('sha256').update(`${style}/${count}`).digest('hex');
    const base36 = BigInt(`0x${hash.slice(0, 16)}`).toString(36);
    const forms = {
      a: base36.padStart(13, '0'),
      b: `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${hash.slice(12, 24)}`,
      c: hash.slice(0, 24).toUpperCase(),
    };
    return `${prefix}_${forms[style]}`;
  };
};

const DAY = 86_400_000;
const PEOPLE = [
  ['Ines Moreau', 'admin', NORTH],
  ['Tomasz Zieliński', 'member', NORTH],
  ['Ravi Menon', 'member', NORTH],
  ['Grace Adeyemi', 'member', NORTH],
  ['Yuki Tanaka', 'admin', NORTH],
  ['Olga Petrova', 'admin', SOUTH],
  ['Luis Ortega', 'member', SOUTH],
  ['Mia Chen', 'member', SOUTH],
] as const;

const TITLES = [
  'Order the sample tiles',
  'Call the surveyor',
  'Paint the fence <b>green</b>',
  'Réserver la salle',
  'Check invoice #4471',
  'Replace the pump & valve',
  'Write the minutes',
  'Archive old drawings',
];

const REMARKS = [
  'First look done',
  'Needs <em>two</em> more days & a permit',
  'Ça va — 完了 ✅',
  'Asked Ravi',
  'See drawing 7\nand 8',
];

/** A store with the users and the keys. */
const peopled = (style: Style, now: number, id: (prefix: string) => string): Store => {
  const [north, south] = style.plans;
  const users = PEOPLE.map(([name], index): User => {
    const local = name.split(' ')[0]!.toLowerCase();
    const avatar = `https://cdn.example.test/faces/${local}.png`;
    return { id: id('user'), name, email: `${local}@example.test`, avatar, created: now - (200 - index) * DAY - 4_321 };
  });
  const memberships = PEOPLE.map(([, role, workspace], index): Membership => ({ workspace, user: users[index]!.id, role }));
  if (style.sharedUser) memberships.push({ workspace: SOUTH, user: users[3]!.id, role: 'admin' });
  const key = (role: keyof typeof KEYS, scope: Key['scope'], user: number, workspace = NORTH): Key => ({
    ...{ value: KEYS[role], scope, workspace, user: users[user]!.id },
    ...(role === 'revoked' ? { revoked: true } : {}),
  });
  return {
    workspaces: [
      { id: NORTH, perMinute: north },
      { id: SOUTH, perMinute: south },
    ],
    ...{ users, memberships, projects: [], tasks: [], teams: [], comments: [], hooks: [] },
    keys: [
      ...[key('admin', 'admin', 0), key('write', 'write', 1), key('read', 'read', 2), key('revoked', 'write', 1)],
      key('other', 'admin', 5, SOUTH),
    ],
  };
};

/** Fills a store; `taskWithComments` is the id of a task of the first workspace that has several. */
export const populate = (style: Style, now: number, id: (prefix: string) => string, nth: () => number) => {
  const store = peopled(style, now, id);
  const user = (index: number) => store.users[index]!.id;
  const put = <T>(rows: T[], row: T): T => {
    rows.push(row);
    return row;
  };
  const row = (prefix: string, workspace: string, created: number, updated: number) => ({
    ...{ id: id(prefix), workspace, created, updated, nth: nth() },
  });
  const project = (workspace: string, name: string, visibility: string, age: number, description: string | null): Project => {
    const made = row('proj', workspace, now - age * DAY + 1_234, now - (age - 1) * DAY + 777);
    return put(store.projects, { ...made, owner: user(workspace === NORTH ? 0 : 5), name, description, visibility });
  };
  const task = (inside: Project, index: number, more: Partial<Task> = {}): Task => {
    const created = now - (80 - index * 2) * DAY + index * 1_013;
    return put(store.tasks, {
      ...row('task', inside.workspace, created, created + index * 60_000),
      ...{ project: inside.id, title: TITLES[index % TITLES.length] ?? 'Task', status: 'todo', priority: 'high' },
      description: index % 3 === 0 ? `Notes\non "${index}" & more` : null,
      assignee: index % 2 ? user(inside.workspace === NORTH ? 1 : 6) : null,
      due: index % 4 ? now + index * DAY : null,
      ...more,
    });
  };
  const comment = (on: Task, index: number, body: string) => {
    const made = row('cmt', on.workspace, now - 9 * DAY + index * 3_600_500, now - 9 * DAY);
    put(store.comments, { ...made, task: on.id, author: user(index % 4), body });
  };
  const team = (workspace: string, name: string, members: string[], age: number) =>
    put(store.teams, { ...row('team', workspace, now - age * DAY, now - age * DAY + 5_000), name, members });

  const house = project(NORTH, 'House renovation', 'team', 90, 'Everything about the house');
  const museum = project(NORTH, 'Museum loans', 'public', 60, null);
  project(NORTH, 'Empty shelf', 'private', 30, 'Nothing here yet');
  const harbour = project(SOUTH, 'Harbour lights', 'team', 70, 'South only');
  // The first three are older than the field priority.
  for (const index of [0, 1, 2]) task(house, index, { priority: undefined, status: index === 2 ? 'done' : 'backlog' });
  const talked = task(house, 3, { status: 'in_progress', assignee: user(3) });
  for (const index of [4, 5, 6, 7]) task(house, index, { priority: index % 2 ? 'low' : 'urgent', status: 'in_review' });
  const quiet = task(museum, 8, { priority: 'medium' });
  task(museum, 9, { status: 'done', assignee: user(3) });
  const far = task(harbour, 10);
  task(harbour, 11, { assignee: user(style.sharedUser ? 3 : 6) });
  for (const [index, body] of REMARKS.entries()) comment(talked, index, body);
  comment(quiet, 1, 'On hold');
  comment(far, 2, 'Only for the south');
  team(NORTH, 'Builders', [user(1), user(3)], 50);
  team(NORTH, 'Night shift', [], 40);
  team(SOUTH, 'Keepers', [user(5), user(6)], 45);
  return { store, taskWithComments: talked.id, foreign: { project: harbour.id, task: far.id, user: user(6) } };
};
