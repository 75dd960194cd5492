// What the reference server holds: its store, and the records that are there before any client comes.
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
    if (style === 'a')
      return `${prefix}_${BigInt(`0x${hash.slice(0, 16)}`)
        .toString(36)
        .padStart(13, '0')}`;
    if (style === 'b') return `${prefix}_${hash.slice(0, 8)}-${hash.slice(8, 12)}-${hash.slice(12, 24)}`;
    return `${prefix}_${hash.slice(0, 24).toUpperCase()}`;
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

const emptyStore = (style: Style): Store => ({
  workspaces: [
    { id: NORTH, perMinute: style.plans[0] },
    { id: SOUTH, perMinute: style.plans[1] },
  ],
  users: [],
  memberships: [],
  keys: [],
  projects: [],
  tasks: [],
  teams: [],
  comments: [],
  hooks: [],
});

/** Adds the users and the keys; answers the ids of the users. */
const addPeople = (store: Store, style: Style, now: number, id: (prefix: string) => string): ((index: number) => string) => {
  for (const [index, [name, role, workspace]] of PEOPLE.entries()) {
    const user = id('user');
    const local = name.split(' ')[0]?.toLowerCase();
    const avatar = `https://cdn.example.test/faces/${local}.png`;
    store.users.push({ id: user, name, email: `${local}@example.test`, avatar, created: now - (200 - index) * DAY - 4_321 });
    store.memberships.push({ workspace, user, role });
  }
  const user = (index: number) => store.users[index]?.id ?? '';
  if (style.sharedUser) store.memberships.push({ workspace: SOUTH, user: user(3), role: 'admin' });
  store.keys.push(
    { value: KEYS.admin, scope: 'admin', workspace: NORTH, user: user(0) },
    { value: KEYS.write, scope: 'write', workspace: NORTH, user: user(1) },
    { value: KEYS.read, scope: 'read', workspace: NORTH, user: user(2) },
    { value: KEYS.revoked, scope: 'write', workspace: NORTH, user: user(1), revoked: true },
    { value: KEYS.other, scope: 'admin', workspace: SOUTH, user: user(5) },
  );
  return user;
};

/** Fills a store; `taskWithComments` is the id of a task of the first workspace that has several. */
export const populate = (style: Style, now: number, id: (prefix: string) => string, nth: () => number) => {
  const store = emptyStore(style);
  const user = addPeople(store, style, now, id);
  const project = (workspace: string, name: string, visibility: string, age: number, description: string | null): Project => {
    const times = { created: now - age * DAY + 1_234, updated: now - (age - 1) * DAY + 777 };
    const made = {
      ...{ id: id('proj'), workspace, owner: user(workspace === NORTH ? 0 : 5), name },
      description,
      visibility,
      ...times,
      nth: nth(),
    };
    store.projects.push(made);
    return made;
  };
  const task = (inside: Project, index: number, more: Partial<Task> = {}): Task => {
    const created = now - (80 - index * 2) * DAY + index * 1_013;
    const times = { created, updated: created + index * 60_000 };
    const made: Task = {
      ...{ id: id('task'), workspace: inside.workspace, project: inside.id, title: TITLES[index % TITLES.length] ?? 'Task' },
      ...{ description: index % 3 === 0 ? `Notes\non "${index}" & more` : null, status: 'todo', priority: 'high' },
      ...{ assignee: index % 2 ? user(inside.workspace === NORTH ? 1 : 6) : null, due: index % 4 ? now + index * DAY : null },
      ...times,
      ...more,
      nth: nth(),
    };
    store.tasks.push(made);
    return made;
  };
  const comment = (on: Task, index: number, body: string) =>
    store.comments.push({
      ...{ id: id('cmt'), workspace: on.workspace, task: on.id, author: user(index % 4), body },
      ...{ created: now - 9 * DAY + index * 3_600_500, updated: now - 9 * DAY, nth: nth() },
    });

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
  const team = (workspace: string, name: string, members: string[], age: number) => {
    const times = { created: now - age * DAY, updated: now - age * DAY + 5_000 };
    store.teams.push({ id: id('team'), workspace, name, members, ...times, nth: nth() });
  };
  team(NORTH, 'Builders', [user(1), user(3)], 50);
  team(NORTH, 'Night shift', [], 40);
  team(SOUTH, 'Keepers', [user(5), user(6)], 45);
  return { store, taskWithComments: talked.id, foreign: { project: harbour.id, task: far.id, user: user(6) } };
};
