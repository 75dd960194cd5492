// A server of the specification that shares nothing with the mock: one class over arrays, other answers to the open points.
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { VirtualClock } from './clock.ts';
import { gossipOf } from './event-faults.ts';
import { page } from './pages.ts';
import { type Carry, Postman } from './postman.ts';
import { complain, HOOK, PROJECT, type Rule, TASK, TEAM } from './reading.ts';
import * as R from './records.ts';
import { type Body, lost, Refusal, type Reply } from './refusal.ts';

export type Crowd = Readonly<Record<'projects' | 'tasks' | 'teams' | 'members' | 'comments', number>>;

export class ForeignServer {
  readonly clock: VirtualClock;
  readonly #faults: readonly string[];
  readonly #postman: Postman;
  readonly keys: R.Secret[] = [];
  #projects: R.Project[] = [];
  #tasks: R.Task[] = [];
  #teams: R.Team[] = [];
  #comments: R.Comment[] = [];
  #hooks: R.Hook[] = [];
  #made = 0;
  #server: Server | undefined;

  /** How many standing records the first workspace has besides the one task with comments. */
  readonly #crowd: Crowd | undefined;
  readonly #discreet: boolean;
  readonly #more: ReadonlyMap<readonly Rule[], readonly Rule[]>;

  constructor(
    options: {
      faults?: readonly string[];
      clock?: VirtualClock;
      limit?: number;
      crowd?: Crowd;
      carry?: Carry;
      tardy?: () => number;
      /** A private project and its tasks are there for the keys of its owner alone. */
      discreet?: boolean;
      /** Fields that a body may hold beside the specification's, by the rules that they go with; whoever asks for them shows them. */
      more?: ReadonlyMap<readonly Rule[], readonly Rule[]>;
    } = {},
  ) {
    this.#crowd = options.crowd;
    this.#discreet = options.discreet ?? false;
    this.#more = options.more ?? new Map();
    this.#faults = options.faults ?? [];
    this.clock = options.clock ?? new VirtualClock();
    this.#postman = new Postman(this.clock, (fault) => this.#has(fault), options.carry, options.tardy);
    for (const name of ['north', 'south']) {
      const people = ['lead', 'hand', 'guest'].map((role, i) => ({
        id: randomUUID(),
        name: `${role} of ${name}`,
        email: `${role}@${name}.example`,
        role: i === 0 ? 'admin' : i === 1 ? 'member' : 'observer',
        joined: this.clock.now() - 86_400_000,
      }));
      const space: R.Space = { name, people, limit: options.limit ?? 300, window: { opened: 0, used: 0 } };
      const scopes = ['admin', 'write', 'read', 'write'] as const;
      scopes.forEach((scope, i) => {
        this.keys.push({ key: `key-${randomBytes(9).toString('hex')}`, scope, owner: people[i % 2]!, space, revoked: i === 3 });
      });
    }
  }

  #has(fault: string): boolean {
    return this.#faults.includes(fault);
  }

  /** Keys by the roles that a contract run knows. */
  roles(): { admin: string; write: string; read: string; revoked: string; other: string } {
    const [admin, write, read, revoked, other] = this.keys.map((entry) => entry.key);
    return { admin: admin!, write: write!, read: read!, revoked: revoked!, other: other! };
  }

  /** A task with two comments, which no request can create. */
  commented(): string {
    const [who] = this.keys;
    const row = () => ({
      id: randomUUID(),
      made: this.clock.now() + this.#made++ / 1000,
      touched: this.clock.now(),
      space: who!.space,
    });
    const project = { ...row(), name: 'Standing', visibility: 'team', owner: who!.owner.id };
    const task: R.Task = { ...row(), project, title: 'With comments', priority: 'medium', status: 'backlog' };
    this.#projects.push(project);
    this.#tasks.push(task);
    for (const body of ['one', 'two', 'three']) this.#comments.push({ ...row(), task, author_id: who!.owner.id, body });
    if (this.#crowd) this.#fill(this.#crowd, row, task);
    return task.id;
  }

  #fill(crowd: Crowd, row: () => R.Row, task: R.Task): void {
    const { people } = task.space;
    const author = people[0]!;
    for (let i = 1; i <= crowd.members; i++)
      people.push({ ...author, id: randomUUID(), name: `Guest ${i}`, email: `guest${i}@north.example`, role: 'observer' });
    for (let i = 1; i <= crowd.projects; i++)
      this.#projects.push({ ...row(), name: `Standing ${i}`, visibility: 'team', owner: author.id });
    for (let i = 1; i <= crowd.teams; i++) this.#teams.push({ ...row(), name: `Standing team ${i}`, members: [author] });
    for (let i = 1; i <= crowd.tasks; i++)
      this.#tasks.push({ ...row(), project: task.project, title: `Standing task ${i}`, priority: 'medium', status: 'backlog' });
    for (let i = 1; i <= crowd.comments; i++)
      this.#comments.push({ ...row(), task, author_id: author.id, body: `Standing ${i}` });
  }

  /** What a run left behind, by name. */
  litter(): string[] {
    return [...this.#projects, ...this.#teams].map((row) => row.name).filter((name) => name.startsWith('wmct-'));
  }

  handle(method: string, url: URL, headers: Headers, text: string): Reply & { headers: Record<string, string> } {
    const token = /^Bearer (\S+)$/.exec(headers.get('authorization') ?? '')?.[1];
    const who = this.keys.find((entry) => entry.key === token && (!entry.revoked || this.#has('revoked-key-works')));
    let reply: Reply;
    try {
      if (!who) throw new Refusal(401, 'unauthorized', 'Who are you?');
      this.#meter(who.space);
      reply = this.#route(who, method, url, text);
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      reply = cause.reply;
    }
    if (who) this.#gossip(who, method, url, reply.status);
    return {
      ...reply,
      headers: { ...this.#rate(who?.space), ...(reply.body ? { 'content-type': 'application/json' } : {}), ...reply.extra },
    };
  }

  #meter(space: R.Space): void {
    const now = this.clock.now();
    const span = this.#has('window-of-an-hour') ? 3_600_000 : 60_000;
    if (now - space.window.opened >= span) space.window = { opened: now, used: 0 };
    const full = this.#has('429-early') ? space.limit - 5 : space.limit;
    if (space.window.used >= full && !this.#has('429-never')) {
      throw new Refusal(429, this.#has('429-code') ? 'too_many_requests' : 'rate_limit_exceeded', 'Slow down.');
    }
    space.window.used++;
  }

  #rate(space: R.Space | undefined): Record<string, string> {
    const now = this.clock.now();
    const limit = space?.limit ?? 60;
    const reset = Math.ceil(((space?.window.opened || now) + 60_000) / 1000);
    return {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(Math.max(0, limit - (space?.window.used ?? 0))),
      'x-ratelimit-reset': String(Math.max(reset, Math.ceil(now / 1000))),
    };
  }

  #row(who: R.Secret): R.Row {
    const now = this.clock.now();
    return { id: randomUUID(), made: now + (this.#made++ % 1000) / 1000, touched: now, space: who.space };
  }

  #scope(who: R.Secret, wanted: 'write' | 'admin'): void {
    const rank = ['read', 'write', 'admin'];
    if (rank.indexOf(who.scope) < rank.indexOf(wanted)) throw new Refusal(403, 'forbidden', 'This key may not do that.');
  }

  #body(who: R.Secret, text: string, rules: readonly Rule[], patch = false): Body {
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      throw new Refusal(400, 'validation_error', 'That is no JSON.');
    }
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new Refusal(400, 'validation_error', 'An object is wanted.');
    const known =
      this.#has('patch-unchecked') && patch
        ? []
        : complain(body as Body, [...rules, ...(this.#more.get(rules) ?? [])], patch, (id) =>
            who.space.people.some((p) => p.id === id),
          );
    if (known.length > 0) {
      const status = known.some((one) => one.status === 400) ? 400 : 422;
      const told = known.filter((one) => one.status === status).map(({ field, issue }) => ({ field, issue }));
      throw new Refusal(
        status,
        'validation_error',
        'The request is not valid.',
        this.#has('first-field-only') ? told.slice(0, 1) : told,
      );
    }
    return body as Body;
  }

  #sees(who: R.Secret, row: R.Row & { project?: R.Project; visibility?: string; owner?: string }): boolean {
    const { visibility, owner } = row.project ?? row;
    return !this.#discreet || visibility !== 'private' || owner === who.owner.id;
  }

  #find<T extends R.Row>(rows: T[], id: string, who: R.Secret): T {
    const found = rows.find(
      (row) => row.id === id && ((row.space === who.space && this.#sees(who, row)) || this.#has('no-isolation')),
    );
    if (!found) throw lost();
    return found;
  }

  #page<T extends R.Row>(rows: T[], url: URL, show: (row: T) => object, sorts: readonly string[]): Reply {
    return page(rows, url, show, sorts, (fault) => this.#has(fault));
  }

  #tell(who: R.Secret, event: string, snapshot: object, before?: object): void {
    const hooks = this.#hooks.filter((hook) => hook.space === who.space || this.#has('hook-cross-workspace'));
    if (this.#has('hook-silent') || hooks.length === 0) return;
    const shown = { ...snapshot } as { id?: string };
    const row = () => [...this.#projects, ...this.#tasks].find(({ id }) => id === shown.id);
    const fresh = () => {
      const found = row();
      return {
        ...(found === undefined
          ? shown
          : 'project' in found
            ? this.#snapshot(found as R.Task)
            : R.showProject(found as R.Project)),
      };
    };
    const made = row()?.made ?? this.clock.now();
    const { key, scope } = who;
    this.#postman.announce(hooks, { event, snapshot: shown, before: before && { ...before }, made, key, scope, fresh });
  }

  #gossip(who: R.Secret, method: string, url: URL, status: number): void {
    const event = gossipOf((fault) => this.#has(fault), method, status);
    const [, , root, id] = url.pathname.split('/').map(decodeURIComponent);
    const task = event && root === 'tasks' && this.#tasks.find((row) => row.id === id && row.space === who.space);
    if (event && task) this.#tell(who, event, this.#snapshot(task));
  }

  #route(who: R.Secret, method: string, url: URL, text: string): Reply {
    const [, , root, id, sub] = url.pathname.split('/').map(decodeURIComponent);
    const call = `${method} ${root}${id === undefined ? '' : '/:'}${sub === undefined ? '' : `/${sub}`}`;
    const own = <T extends R.Row>(rows: T[]) => rows.filter((row) => row.space === who.space && this.#sees(who, row));
    const four = ['due_date', 'created_at', 'updated_at', 'title'];
    switch (call) {
      case 'GET users/:':
        if (id !== 'me') throw lost();
        return { status: 200, body: { data: R.showProfile(who.owner) } };
      case 'GET workspace/:': {
        if (id !== 'members') throw lost();
        const rows = who.space.people.map((person, i) => ({ ...person, made: i, touched: i, space: who.space }));
        return this.#page(rows, url, R.showPerson, ['created_at']);
      }
      case 'GET projects':
        return this.#page(own(this.#projects), url, R.showProject, ['created_at', 'updated_at']);
      case 'GET tasks':
        return this.#page(own(this.#tasks), url, R.showTask, four);
      case 'GET teams':
        return this.#page(own(this.#teams), url, R.showTeam, ['created_at']);
      case 'GET projects/:':
        return { status: 200, body: { data: R.showProject(this.#find(this.#projects, id!, who)) } };
      case 'GET tasks/:':
        return { status: 200, body: { data: R.showTask(this.#find(this.#tasks, id!, who)) } };
      case 'GET teams/:':
        return { status: 200, body: { data: R.showTeamRead(this.#find(this.#teams, id!, who)) } };
      case 'GET projects/:/tasks': {
        const project = this.#find(this.#projects, id!, who);
        return this.#page(
          this.#tasks.filter((task) => task.project === project),
          url,
          R.showTask,
          four,
        );
      }
      case 'GET tasks/:/comments': {
        const task = this.#find(this.#tasks, id!, who);
        return this.#page(
          this.#comments.filter((comment) => comment.task === task),
          url,
          R.showComment,
          ['created_at'],
        );
      }
      case 'POST projects':
      case 'PATCH projects/:':
      case 'DELETE projects/:':
        return this.#writeProject(who, method, id, text);
      case 'POST projects/:/tasks':
      case 'PATCH tasks/:':
      case 'DELETE tasks/:':
        return this.#writeTask(who, method, id!, text);
      case 'POST teams':
      case 'DELETE teams/:':
        return this.#writeTeam(who, method, id, text);
      case 'POST webhooks':
        return this.#writeHook(who, text);
    }
    if (['projects', 'tasks', 'teams', 'webhooks'].includes(root ?? '') && sub === undefined) {
      return { ...new Refusal(405, 'method_not_allowed', 'Not like that.').reply, extra: { allow: 'GET' } };
    }
    throw lost();
  }

  #writeProject(who: R.Secret, method: string, id: string | undefined, text: string): Reply {
    this.#scope(who, 'write');
    if (method === 'POST') {
      const body = this.#body(who, text, PROJECT);
      const project: R.Project = { visibility: 'private', ...(body as { name: string }), ...this.#row(who), owner: who.owner.id };
      this.#projects.push(project);
      this.#tell(who, 'project.created', R.showProject(project));
      return { status: 201, body: { data: R.showProject(project) } };
    }
    const project = this.#find(this.#projects, id!, who);
    if (method === 'PATCH') {
      const before = R.showProject(project);
      Object.assign(project, this.#body(who, text, PROJECT, true), { touched: this.clock.now() });
      this.#tell(who, 'project.updated', R.showProject(project), before);
      return { status: 202, body: { data: R.showProject(project) } };
    }
    this.#projects = this.#projects.filter((row) => row !== project);
    for (const task of this.#tasks.filter((row) => row.project === project))
      this.#tell(who, 'task.deleted', this.#snapshot(task));
    if (!this.#has('tasks-outlive-project')) this.#tasks = this.#tasks.filter((row) => row.project !== project);
    if (!this.#has('hook-no-project-deleted')) this.#tell(who, 'project.deleted', { id: project.id });
    return { status: 204 };
  }

  #snapshot({ id, title, project, status, assignee_id }: R.Task): object {
    const short = { id, title, project_id: project.id, status };
    return this.#has('hook-no-assignee') ? short : { ...short, assignee_id: assignee_id ?? null };
  }

  #writeTask(who: R.Secret, method: string, id: string, text: string): Reply {
    this.#scope(who, 'write');
    const apply = (body: Body) => {
      const { due_date, ...rest } = body;
      return { ...rest, ...(due_date === undefined ? {} : { due: Date.parse(String(due_date)) }) };
    };
    if (method === 'POST') {
      const project = this.#find(this.#projects, id, who);
      if (this.#has('hook-on-refusal'))
        this.#tell(who, 'task.created', { id: 'x', title: text.slice(0, 400), project_id: id, status: '', assignee_id: null });
      const body = this.#body(who, text, TASK);
      const task = { priority: 'medium', status: 'backlog', ...apply(body), ...this.#row(who), project } as R.Task;
      this.#tasks.push(task);
      this.#tell(who, 'task.created', this.#snapshot(task));
      return { status: 201, body: { data: R.showTask(task) } };
    }
    const task = this.#find(this.#tasks, id, who);
    if (method === 'PATCH') {
      const before = this.#snapshot(task);
      Object.assign(task, apply(this.#body(who, text, TASK, true)), { touched: this.clock.now() });
      if (this.#has('hook-created-on-patch')) this.#tell(who, 'task.created', this.#snapshot(task));
      this.#tell(who, 'task.updated', this.#has('hook-stale-snapshot') ? before : this.#snapshot(task), before);
      return { status: 202, body: { data: R.showTask(task) } };
    }
    this.#tasks = this.#tasks.filter((row) => row !== task);
    this.#tell(who, 'task.deleted', this.#snapshot(task));
    return { status: 204 };
  }

  #writeTeam(who: R.Secret, method: string, id: string | undefined, text: string): Reply {
    this.#scope(who, 'admin');
    if (method === 'DELETE') {
      const team = this.#find(this.#teams, id!, who);
      this.#teams = this.#teams.filter((row) => row !== team);
      return { status: 204 };
    }
    const body = this.#body(who, text, TEAM) as { name: string; member_ids?: string[] };
    const taken = this.#teams.some((row) => row.space === who.space && row.name.toLowerCase() === body.name.toLowerCase());
    if (taken) throw new Refusal(409, 'already_exists', 'That name is taken.');
    const members = who.space.people.filter((person) => body.member_ids?.includes(person.id));
    const team: R.Team = { ...this.#row(who), name: body.name, members };
    this.#teams.push(team);
    return { status: 201, body: { data: R.showTeam(team) } };
  }

  #writeHook(who: R.Secret, text: string): Reply {
    this.#scope(who, 'admin');
    const { url, events } = this.#body(who, text, HOOK) as { url: string; events?: string[] };
    const hook = { url, events: events ?? [], secret: randomBytes(18).toString('base64url'), space: who.space };
    if (this.#has('hook-address-taken')) this.#hooks = this.#hooks.filter((each) => each.url !== url || each.space === who.space);
    this.#hooks.push(hook);
    return { status: 200, body: { secret: hook.secret, active: true } };
  }

  /** The server as a function: no socket. */
  readonly fetch = async (input: string, init: RequestInit = {}): Promise<Response> => {
    const reply = this.handle(init.method ?? 'GET', new URL(input), new Headers(init.headers), String(init.body ?? ''));
    return new Response(reply.body ? JSON.stringify(reply.body) : null, { status: reply.status, headers: reply.headers });
  };

  async listen(): Promise<string> {
    this.#server = createServer(async (request, response) => {
      let text = '';
      for await (const part of request) text += String(part);
      const headers = new Headers(
        Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const reply = this.handle(request.method ?? 'GET', new URL(request.url ?? '/', 'http://foreign'), headers, text);
      response.writeHead(reply.status, reply.headers).end(reply.body ? JSON.stringify(reply.body) : undefined);
    });
    await new Promise<void>((done) => this.#server!.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise<void>((done) => (this.#server ? this.#server.close(() => done()) : done()));
  }
}
