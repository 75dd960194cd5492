// What the foreign server stores, and how it shows it.
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly joined: number;
}
export interface Secret {
  readonly key: string;
  readonly scope: 'read' | 'write' | 'admin';
  readonly owner: Person;
  readonly space: Space;
  revoked: boolean;
}
export interface Row {
  id: string;
  made: number;
  touched: number;
  space: Space;
}
export interface Project extends Row {
  name: string;
  description?: string;
  visibility: string;
  owner: string;
}
export interface Task extends Row {
  project: Project;
  title: string;
  description?: string;
  assignee_id?: string;
  due?: number;
  priority: string;
  status: string;
}
export interface Team extends Row {
  name: string;
  members: Person[];
}
export interface Comment extends Row {
  task: Task;
  author_id: string;
  body: string;
}
export interface Hook {
  readonly url: string;
  readonly events: readonly string[];
  readonly secret: string;
  readonly space: Space;
}
export interface Space {
  readonly name: string;
  readonly people: Person[];
  readonly limit: number;
  window: { opened: number; used: number };
}

/** Times are whole seconds; what is not set is left out. */
export const when = (ms: number): string => `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;

const stamps = (row: Row) => ({ created_at: when(row.made), updated_at: when(row.touched) });

export const showProject = (p: Project): object => ({
  id: p.id,
  name: p.name,
  ...(p.description === undefined ? {} : { description: p.description }),
  visibility: p.visibility,
  owner_id: p.owner,
  ...stamps(p),
});

export const showTask = (t: Task): object => ({
  id: t.id,
  project_id: t.project.id,
  title: t.title,
  ...(t.description === undefined ? {} : { description: t.description }),
  ...(t.assignee_id === undefined ? {} : { assignee_id: t.assignee_id }),
  ...(t.due === undefined ? {} : { due_date: new Date(t.due).toISOString() }),
  priority: t.priority,
  status: t.status,
  ...stamps(t),
});

export const showPerson = (p: Person): object => ({ id: p.id, name: p.name, email: p.email, role: p.role });

export const showProfile = (p: Person): object => ({
  ...showPerson(p),
  avatar_url: `https://faces.example/${p.id}.png`,
  created_at: when(p.joined),
});

export const showTeam = (t: Team): object => ({ id: t.id, name: t.name, member_count: t.members.length, ...stamps(t) });

export const showTeamRead = (t: Team): object => ({
  id: t.id,
  name: t.name,
  members: t.members.map(({ id, name, role }) => ({ id, name, role })),
  ...stamps(t),
});

export const showComment = (c: Comment): object => ({ id: c.id, author_id: c.author_id, body: c.body, created_at: when(c.made) });
