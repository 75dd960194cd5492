// The operations on projects and tasks.
import type { Answer, Call, Comment, Fields, Project, Row, Task } from '../model.ts';
import { Events } from './events.ts';

const without = <T>(rows: readonly T[], gone: T): T[] => rows.filter((row) => row !== gone);

export class Operations extends Events {
  // Finding

  sees(call: Call, record: { readonly workspace: string }, _what: 'project' | 'task' | 'team'): boolean {
    return record.workspace === call.workspace?.id;
  }

  sameId(stored: string, asked: string, _what: 'project' | 'task' | 'team'): boolean {
    return stored === asked;
  }

  projectOf(call: Call): Project {
    const id = call.ids.project ?? '';
    const found = this.db.projects.find((each) => this.sameId(each.id, id, 'project') && this.sees(call, each, 'project'));
    if (!found) throw this.notFound(call, 'project');
    return found;
  }

  taskOf(call: Call): Task {
    const id = call.ids.task ?? '';
    const found = this.db.tasks.find((each) => this.sameId(each.id, id, 'task') && this.sees(call, each, 'task'));
    if (!found) throw this.notFound(call, 'task');
    return found;
  }

  // Projects

  projectRows(call: Call): readonly Row[] {
    return this.db.projects.filter((each) => each.workspace === call.workspace?.id);
  }

  listProjects(call: Call): Answer {
    return this.list(call, {
      name: 'project',
      rows: () => this.projectRows(call),
      filters: ['visibility'],
      show: (row: Project) => this.showProject(row, 'row'),
    });
  }

  newProject(values: Fields, call: Call): Project {
    const now = this.now();
    return {
      id: this.newId('proj'),
      workspace: call.workspace?.id ?? '',
      owner: call.key?.user ?? '',
      name: values.name as string,
      description: (values.description as string | null | undefined) ?? null,
      visibility: (values.visibility as string | undefined) ?? 'private',
      created: now,
      updated: now,
      nth: this.nextNth(),
    };
  }

  createProject(call: Call): Answer {
    const project = this.newProject(this.readFields(call, 'project', 'create'), call);
    this.saveProject(project, call);
    this.projectEvent('project.created', project, call);
    return this.single(this.showProject(project, 'created'), 'created', 201);
  }

  saveProject(project: Project, _call: Call): void {
    this.db.projects.push(project);
  }

  readProject(call: Call): Answer {
    return this.single(this.showProject(this.projectOf(call), 'read'), 'read');
  }

  changeProject(call: Call): Answer {
    const project = this.projectOf(call);
    const values = this.readFields(call, 'project', 'change');
    if (this.assignProject(project, values, call)) {
      this.touch(project, 'project', values);
      this.projectEvent('project.updated', project, call);
    }
    return this.single(this.showProject(project, 'changed'), 'changed', this.style.patchStatus);
  }

  /** Sets the values that were sent; true when this counts as an update. */
  assignProject(project: Project, values: Fields, _call: Call): boolean {
    const before = JSON.stringify(project);
    Object.assign(project, values);
    return this.style.emptyPatch === 'touches' || before !== JSON.stringify(project);
  }

  touch(record: { updated: number }, _what: 'project' | 'task', _values: Fields): void {
    record.updated = this.now();
  }

  deleteProject(call: Call): Answer {
    const project = this.projectOf(call);
    const tasks = this.tasksOfDeleted(project);
    if (this.style.cascadeEvents) for (const task of tasks) this.taskEvent('task.deleted', task, call);
    for (const task of tasks) this.removeTask(task, 'project');
    this.removeProject(project, call);
    this.projectEvent('project.deleted', project, call);
    return this.empty();
  }

  /** The tasks that go with a project. */
  tasksOfDeleted(project: Project): Task[] {
    return this.db.tasks.filter((task) => task.project === project.id);
  }

  removeProject(project: Project, _call: Call): void {
    this.db.projects = without(this.db.projects, project);
  }

  // Tasks

  allTaskRows(call: Call): readonly Row[] {
    return this.db.tasks.filter((task) => task.workspace === call.workspace?.id);
  }

  projectTaskRows(call: Call, project: Project): readonly Row[] {
    return this.allTaskRows(call).filter((task) => (task as Task).project === project.id);
  }

  listTasks(call: Call): Answer {
    return this.list(call, {
      name: 'task',
      rows: () => this.allTaskRows(call),
      filters: ['status', 'assignee_id', 'project_id', 'priority'],
      show: (row: Task) => this.showTask(row, 'row'),
    });
  }

  listProjectTasks(call: Call): Answer {
    const project = this.projectOf(call);
    const also = this.style.projectFilterInProject;
    return this.list(call, {
      name: 'task',
      rows: () => this.projectTaskRows(call, project),
      filters: ['status', 'assignee_id', 'priority', ...(also === 'combined' ? ['project_id'] : [])],
      ignored: also === 'ignored' ? ['project_id'] : [],
      show: (row: Task) => this.showTask(row, 'row'),
    });
  }

  newTask(values: Fields, project: Project, call: Call): Task {
    const now = this.now();
    return {
      id: this.newId('task'),
      workspace: call.workspace?.id ?? '',
      project: project.id,
      title: values.title as string,
      description: (values.description as string | null | undefined) ?? null,
      assignee: (values.assignee_id as string | null | undefined) ?? null,
      due: (values.due_date as number | null | undefined) ?? null,
      priority: (values.priority as string | undefined) ?? 'medium',
      status: (values.status as string | undefined) ?? 'backlog',
      created: now,
      updated: now,
      nth: this.nextNth(),
    };
  }

  createTask(call: Call): Answer {
    const project = this.projectOf(call);
    const task = this.newTask(this.readFields(call, 'task', 'create'), project, call);
    this.saveTask(task, call);
    this.taskEvent('task.created', task, call);
    return this.single(this.showTask(task, 'created'), 'created', 201);
  }

  saveTask(task: Task, _call: Call): void {
    this.db.tasks.push(task);
  }

  readTask(call: Call): Answer {
    return this.single(this.showTask(this.taskOf(call), 'read'), 'read');
  }

  changeTask(call: Call): Answer {
    const task = this.taskOf(call);
    const values = this.readFields(call, 'task', 'change');
    if (this.assignTask(task, values, call)) {
      this.touch(task, 'task', values);
      this.taskEvent('task.updated', task, call);
    }
    return this.single(this.showTask(task, 'changed'), 'changed', this.style.patchStatus);
  }

  assignTask(task: Task, values: Fields, _call: Call): boolean {
    const before = JSON.stringify(task);
    const { assignee_id, due_date, ...rest } = values;
    Object.assign(task, rest);
    if (assignee_id !== undefined) task.assignee = assignee_id as string | null;
    if (due_date !== undefined) task.due = due_date as number | null;
    return this.style.emptyPatch === 'touches' || before !== JSON.stringify(task);
  }

  deleteTask(call: Call): Answer {
    const task = this.taskOf(call);
    this.removeTask(task, 'itself');
    this.taskEvent('task.deleted', task, call);
    return this.empty();
  }

  /** Removes a task and its comments, by itself or with its project. */
  removeTask(task: Task, _because: 'itself' | 'project'): void {
    this.removeComments(task);
    this.db.tasks = without(this.db.tasks, task);
  }

  removeComments(task: Task): void {
    this.db.comments = this.db.comments.filter((comment) => comment.task !== task.id);
  }

  commentRows(_call: Call, task: Task): readonly Row[] {
    return this.db.comments.filter((comment) => comment.task === task.id);
  }

  listComments(call: Call): Answer {
    const task = this.taskOf(call);
    return this.list(call, {
      name: 'comment',
      rows: () => this.commentRows(call, task),
      filters: [],
      show: (row: Comment) => this.showComment(row),
    });
  }
}
