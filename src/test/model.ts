// The service in a hundred lines, as plain as can be: what its specification says of projects and tasks, with arrays and loops.

export type ModelTask = Readonly<
  Record<'id' | 'project_id' | 'title' | 'priority' | 'status' | 'created_at' | 'updated_at', string>
> &
  Readonly<Record<'assignee_id' | 'due_date', string | null>>;
export type TaskFields = Partial<Pick<ModelTask, 'title' | 'assignee_id' | 'due_date' | 'priority' | 'status'>>;
export type SortField = 'created_at' | 'updated_at' | 'due_date' | 'title';

export interface ModelQuery {
  readonly filters: Partial<Record<'status' | 'priority' | 'assignee_id' | 'project_id', string>>;
  readonly sort?: SortField;
  readonly down: boolean;
}

export class Model {
  now: number;
  projects: readonly string[];
  /** In the order of their creation. */
  tasks: readonly ModelTask[];
  readonly members: readonly string[];

  constructor(now: number, projects: readonly string[], tasks: readonly ModelTask[], members: readonly string[]) {
    [this.now, this.projects, this.tasks, this.members] = [now, projects, tasks, members];
  }

  copy(): Model {
    return new Model(this.now, this.projects, this.tasks, this.members);
  }

  become({ now, projects, tasks }: Model): void {
    [this.now, this.projects, this.tasks] = [now, projects, tasks];
  }

  /** Spec, Limits: 1 to 255 characters. Resources: the assignee is a member of the workspace. */
  refusal({ title, assignee_id }: TaskFields): number | undefined {
    const wrongLength = title !== undefined && (title.length < 1 || title.length > 255);
    const stranger = assignee_id !== undefined && assignee_id !== null && !this.members.includes(assignee_id);
    return wrongLength || stranger ? 422 : undefined;
  }

  /** @returns the task without its id, which the service makes. */
  draft(project_id: string, fields: TaskFields & { readonly title: string }): Omit<ModelTask, 'id'> {
    const at = new Date(this.now).toISOString();
    const defaults = { assignee_id: null, due_date: null, priority: 'medium', status: 'backlog' };
    return { project_id, ...defaults, ...fields, created_at: at, updated_at: at };
  }

  add(task: ModelTask): void {
    this.tasks = [...this.tasks, task];
  }

  /** A patch that changes nothing is no update. */
  patch(id: string, fields: TaskFields): ModelTask {
    const old = this.tasks.find((task) => task.id === id)!;
    const changes = Object.entries(fields).some(([field, value]) => old[field as keyof TaskFields] !== value);
    const task = changes ? { ...old, ...fields, updated_at: new Date(this.now).toISOString() } : old;
    this.tasks = this.tasks.map((each) => (each.id === id ? task : each));
    return task;
  }

  remove(id: string): void {
    this.tasks = this.tasks.filter((task) => task.id !== id);
  }

  removeProject(id: string): void {
    this.projects = this.projects.filter((project) => project !== id);
    this.tasks = this.tasks.filter((task) => task.project_id !== id);
  }

  /** The whole list, in order. Filters combine with AND; what has no due date comes last; equals come in the order of creation. */
  list({ filters, sort = 'created_at', down }: ModelQuery): readonly ModelTask[] {
    const fits = (task: ModelTask) => Object.entries(filters).every(([field, value]) => task[field as keyof ModelTask] === value);
    const compare = (a: ModelTask, b: ModelTask): number => {
      const [x, y] = [a[sort], b[sort]];
      if (x === y) return 0;
      if (x === null || y === null) return x === null ? 1 : -1;
      return (x < y ? -1 : 1) * (down ? -1 : 1);
    };
    return this.tasks.filter(fits).toSorted(compare);
  }
}
