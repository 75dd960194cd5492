// The operations, and the way of a request through all steps.
import {
  type Call,
  type Comment,
  EVENT_NAMES,
  type Fields,
  type Hook,
  type Member,
  OPERATIONS,
  type Operation,
  Problem,
  type Project,
  type Row,
  type ServiceResponse,
  type Task,
  type Team,
} from '../model.ts';
import { Events } from './events.ts';

export interface Route {
  readonly operation: Operation;
  readonly ids: Readonly<Record<string, string>>;
}

type Kind = 'project' | 'task' | 'team';

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The path variables when a path fits a pattern. */
const pathVariables = (pattern: string, path: string): Record<string, string> | undefined => {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  const fits = (part: string, index: number) => (part.startsWith(':') ? given[index] !== '' : part === given[index]);
  if (wanted.length !== given.length || !wanted.every(fits)) return undefined;
  return Object.fromEntries(
    wanted.flatMap((part, index) => (part.startsWith(':') ? [[part.slice(1), decoded(given[index] ?? '')]] : [])),
  );
};

export class Service extends Events {
  // Records

  sees = (call: Call, record: { readonly workspace: string }, _what: Kind): boolean => record.workspace === call.workspace?.id;
  sameId = (stored: string, asked: string, _what: Kind): boolean => stored === asked;

  private found = <T extends Row>(rows: readonly T[], call: Call, what: Kind): T => {
    const id = call.ids[what] ?? '';
    const found = rows.find((each) => this.sameId(each.id, id, what) && this.sees(call, each, what));
    if (!found) throw this.notFound(call, what);
    return found;
  };

  projectOf = (call: Call): Project => this.found(this.db.projects, call, 'project');
  taskOf = (call: Call): Task => this.found(this.db.tasks, call, 'task');
  teamOf = (call: Call): Team => this.found(this.db.teams, call, 'team');

  private here = <T extends Row>(rows: readonly T[], call: Call): T[] =>
    rows.filter((each) => each.workspace === call.workspace?.id);

  /** Members of every new record. */
  private fresh = (prefix: string, call: Call) => {
    const now = this.now();
    return { id: this.newId(prefix), workspace: call.workspace?.id ?? '', created: now, updated: now, nth: this.nextNth() };
  };

  /** Sets the values that were sent; true when this counts as an update. */
  private assign = (record: Project | Task, values: Fields): boolean => {
    const before = JSON.stringify(record);
    Object.assign(record, values);
    return this.style.emptyPatch === 'touches' || before !== JSON.stringify(record);
  };

  touch = (record: { updated: number }, _what: 'project' | 'task', _values: Fields): void => {
    record.updated = this.now();
  };

  // Projects

  projectRows = (call: Call): readonly Row[] => this.here(this.db.projects, call);

  listProjects = (call: Call): ServiceResponse => {
    const show = (row: Project) => this.showProject(row, 'row');
    return this.list(call, { name: 'project', rows: () => this.projectRows(call), filters: ['visibility'], show });
  };

  newProject = (values: Fields, call: Call): Project => ({
    ...this.fresh('proj', call),
    owner: call.key?.user ?? '',
    name: values.name as string,
    description: (values.description ?? null) as string | null,
    visibility: (values.visibility ?? 'private') as string,
  });

  createProject = (call: Call): ServiceResponse => {
    const project = this.newProject(this.readFields(call, 'project', 'create'), call);
    this.saveProject(project, call);
    this.projectEvent('project.created', project, call);
    return this.single(this.showProject(project, 'created'), 'created', 201);
  };

  saveProject = (project: Project, _call: Call): void => void this.db.projects.push(project);
  readProject = (call: Call): ServiceResponse => this.single(this.showProject(this.projectOf(call), 'read'), 'read');

  changeProject = (call: Call): ServiceResponse => {
    const project = this.projectOf(call);
    const values = this.readFields(call, 'project', 'change');
    if (this.assignProject(project, values, call)) {
      this.touch(project, 'project', values);
      this.projectEvent('project.updated', project, call);
    }
    return this.single(this.showProject(project, 'changed'), 'changed', this.style.patchStatus);
  };

  assignProject = (project: Project, values: Fields, _call: Call): boolean => this.assign(project, values);

  deleteProject = (call: Call): ServiceResponse => {
    const project = this.projectOf(call);
    const tasks = this.tasksOfDeleted(project);
    if (this.style.cascadeEvents) for (const task of tasks) this.taskEvent('task.deleted', task, call);
    for (const task of tasks) this.removeTask(task, 'project');
    this.removeProject(project, call);
    this.projectEvent('project.deleted', project, call);
    return this.empty();
  };

  /** The tasks that go with a project. */
  tasksOfDeleted = (project: Project): Task[] => this.db.tasks.filter((task) => task.project === project.id);

  removeProject = (project: Project, _call: Call): void => {
    this.db.projects = this.db.projects.filter((each) => each !== project);
  };

  // Tasks

  allTaskRows = (call: Call): readonly Row[] => this.here(this.db.tasks, call);
  projectTaskRows = (call: Call, project: Project): readonly Row[] =>
    this.allTaskRows(call).filter((task) => (task as Task).project === project.id);

  listTasks = (call: Call): ServiceResponse => {
    const filters = ['status', 'assignee_id', 'project_id', 'priority'];
    const show = (row: Task) => this.showTask(row, 'row');
    return this.list(call, { name: 'task', rows: () => this.allTaskRows(call), filters, show });
  };

  listProjectTasks = (call: Call): ServiceResponse => {
    const project = this.projectOf(call);
    const also = this.style.projectFilterInProject;
    const filters = ['status', 'assignee_id', 'priority', ...(also === 'combined' ? ['project_id'] : [])];
    const ignored = also === 'ignored' ? ['project_id'] : [];
    const show = (row: Task) => this.showTask(row, 'row');
    return this.list(call, { name: 'task', rows: () => this.projectTaskRows(call, project), filters, ignored, show });
  };

  newTask = (values: Fields, project: Project, call: Call): Task => ({
    ...this.fresh('task', call),
    project: project.id,
    title: values.title as string,
    description: (values.description ?? null) as string | null,
    assignee: (values.assignee_id ?? null) as string | null,
    due: (values.due_date ?? null) as number | null,
    priority: (values.priority ?? 'medium') as string,
    status: (values.status ?? 'backlog') as string,
  });

  createTask = (call: Call): ServiceResponse => {
    const project = this.projectOf(call);
    const task = this.newTask(this.readFields(call, 'task', 'create'), project, call);
    this.saveTask(task, call);
    this.taskEvent('task.created', task, call);
    return this.single(this.showTask(task, 'created'), 'created', 201);
  };

  saveTask = (task: Task, _call: Call): void => void this.db.tasks.push(task);
  readTask = (call: Call): ServiceResponse => this.single(this.showTask(this.taskOf(call), 'read'), 'read');

  changeTask = (call: Call): ServiceResponse => {
    const task = this.taskOf(call);
    const values = this.readFields(call, 'task', 'change');
    if (this.assignTask(task, values, call)) {
      this.touch(task, 'task', values);
      this.taskEvent('task.updated', task, call);
    }
    return this.single(this.showTask(task, 'changed'), 'changed', this.style.patchStatus);
  };

  assignTask = (task: Task, values: Fields, _call: Call): boolean => {
    const { assignee_id: assignee, due_date: due, ...rest } = values;
    return this.assign(task, { ...rest, ...(assignee === undefined ? {} : { assignee }), ...(due === undefined ? {} : { due }) });
  };

  deleteTask = (call: Call): ServiceResponse => {
    const task = this.taskOf(call);
    this.removeTask(task, 'itself');
    this.taskEvent('task.deleted', task, call);
    return this.empty();
  };

  /** Removes a task and its comments, by itself or with its project. */
  removeTask = (task: Task, _because: 'itself' | 'project'): void => {
    this.removeComments(task);
    this.db.tasks = this.db.tasks.filter((each) => each !== task);
  };

  removeComments = (task: Task): void => {
    this.db.comments = this.db.comments.filter((comment) => comment.task !== task.id);
  };

  commentRows = (_call: Call, task: Task): readonly Row[] => this.db.comments.filter((comment) => comment.task === task.id);

  listComments = (call: Call): ServiceResponse => {
    const task = this.taskOf(call);
    const show = (row: Comment) => this.showComment(row);
    return this.list(call, { name: 'comment', rows: () => this.commentRows(call, task), filters: [], show });
  };

  // People

  profileOf = (call: Call): string => call.key?.user ?? '';

  readMe = (call: Call): ServiceResponse => {
    const user = this.db.users.find(({ id }) => id === this.profileOf(call));
    if (!user) throw this.notFound(call, 'user');
    return this.single(this.showProfile(user, this.roleOf(user.id, call.workspace?.id ?? '') ?? 'member'), 'read');
  };

  memberRows = (call: Call): readonly Row[] =>
    this.db.memberships
      .filter(({ workspace }) => workspace === call.workspace?.id)
      .flatMap(({ workspace, role, ...membership }, nth): Member[] => {
        const user = this.db.users.find(({ id }) => id === membership.user);
        return user ? [{ id: user.id, workspace, created: user.created, updated: user.created, nth, user, role }] : [];
      });

  listMembers = (call: Call): ServiceResponse => {
    const show = (row: Member) => this.showMember(row);
    return this.list(call, { name: 'member', rows: () => this.memberRows(call), filters: [], show });
  };

  // Teams

  teamRows = (call: Call): readonly Row[] => this.here(this.db.teams, call);

  listTeams = (call: Call): ServiceResponse => {
    const show = (row: Team) => this.showTeam(row, 'row');
    return this.list(call, { name: 'team', rows: () => this.teamRows(call), filters: [], show });
  };

  isNameTaken = (name: string, call: Call, _ids: readonly string[]): boolean =>
    this.here(this.db.teams, call).some((each) => each.name === name);

  membersOfNew = (values: Fields, call: Call): readonly string[] => {
    const sent = (values.member_ids ?? []) as string[];
    return this.style.creatorJoins ? [...new Set([call.key?.user ?? '', ...sent])] : sent;
  };

  createTeam = (call: Call): ServiceResponse => {
    const values = this.readFields(call, 'team', 'create');
    const members = this.membersOfNew(values, call);
    const name = values.name as string;
    if (this.isNameTaken(name, call, members)) throw this.conflict(call);
    const team: Team = { ...this.fresh('team', call), name, members };
    this.db.teams.push(team);
    return this.single(this.showTeam(team, 'created'), 'created', 201);
  };

  readTeam = (call: Call): ServiceResponse => this.single(this.showWholeTeam(this.teamOf(call)), 'read');

  deleteTeam = (call: Call): ServiceResponse => {
    this.removeTeam(this.teamOf(call), call);
    return this.empty();
  };

  removeTeam = (team: Team, _call: Call): void => {
    this.db.teams = this.db.teams.filter((each) => each !== team);
  };

  // Webhooks

  createWebhook = (call: Call): ServiceResponse => {
    const values = this.readFields(call, 'webhook', 'create');
    const events = (values.events ?? EVENT_NAMES) as string[];
    const hook: Hook = { ...this.fresh('hook', call), url: values.url as string, events, secret: this.newId('secret') };
    this.db.hooks.push(hook);
    const shown = this.showHook(hook);
    return { status: this.style.webhookStatus, body: this.style.webhookBody === 'data' ? { data: shown } : shown, headers: {} };
  };

  showHook = (hook: Hook): Fields => ({ id: hook.id, url: hook.url, events: hook.events, secret: hook.secret });

  // The way of a request

  patternsOf = (): readonly (readonly [method: string, pattern: string, operation: Operation])[] => OPERATIONS;

  route = (call: Call): Route => {
    for (const [method, pattern, operation] of this.patternsOf()) {
      const ids = method === call.method ? pathVariables(pattern, call.path) : undefined;
      if (ids) return { operation, ids };
    }
    throw this.undocumented(call);
  };

  undocumented = (call: Call): Problem => {
    const known = OPERATIONS.some(([, pattern]) => pathVariables(pattern, call.path));
    return known && this.style.undocumentedStatus === 405
      ? new Problem(405, 'method_not_allowed', 'No such method here.')
      : this.notFound(call, 'resource');
  };

  /** Fails when the path names something that is not there. */
  locate = (call: Call): void => {
    if (call.ids.project !== undefined) this.projectOf(call);
    if (call.ids.task !== undefined) this.taskOf(call);
    if (call.ids.team !== undefined) this.teamOf(call);
  };

  /** Runs an operation; a step of its own so that all responses of success pass here. */
  perform = (call: Call, operation: Operation): ServiceResponse => this[operation](call);

  serve = (call: Call): ServiceResponse => {
    call.key = this.authenticate(call);
    call.workspace = this.workspaceOf(call.key);
    this.charge(call);
    const { operation, ids } = this.route(call);
    Object.assign(call, { operation, ids });
    if (this.style.first === 'existence') this.locate(call);
    this.authorise(call, operation);
    return this.perform(call, operation);
  };

  fail = (error: unknown, _call: Call): ServiceResponse => {
    const problem = error instanceof Problem ? error : new Problem(500, 'internal_error', `Something broke: ${error}`);
    return { status: problem.status, body: this.errorBody(problem), headers: {} };
  };

  /** The whole response to a request. */
  respond = (call: Call): ServiceResponse => {
    let response: ServiceResponse;
    try {
      response = this.serve(call);
    } catch (error) {
      response = this.fail(error, call);
    }
    this.refund(call, response);
    return { ...response, headers: { ...response.headers, ...this.quotaHeaders(call, response) } };
  };

  /** The bytes of a response's body; undefined for none. */
  write = (response: ServiceResponse, _call: Call): { readonly text: string | undefined; readonly type: string } => ({
    text: response.body === undefined ? undefined : JSON.stringify(response.body),
    type: 'application/json',
  });
}
