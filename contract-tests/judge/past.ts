// The past of one server: the call under way, records as they were, and those that are gone.
import { around } from './reference/around.ts';
import type { Service } from './reference/service/service.ts';

export type Shape = Record<string, unknown>;

export class Past {
  call: Shape | undefined;
  requests = 0;
  /** Records as they were made, and as they were before their last change. */
  readonly first = new Map<string, Shape>();
  readonly before = new Map<string, Shape>();
  readonly changed = new Map<string, number>();
  /** The key that made a record. */
  readonly makers = new Map<string, unknown>();
  /** The members that a record was made without. */
  readonly bare = new Map<string, Shape>();
  /** Deleted records; `cascaded` are tasks that went with their project. */
  readonly gone: Record<'tasks' | 'cascaded' | 'projects' | 'teams', Shape[]> = {
    tasks: [],
    cascaded: [],
    projects: [],
    teams: [],
  };

  constructor(service: Service) {
    const { db } = service as unknown as { db: Record<string, Shape[]> };
    let lacking: Shape = {};
    const made = (record: Shape = {}) => {
      this.first.set(String(record.id), { ...record });
      this.bare.set(String(record.id), lacking);
      this.makers.set(String(record.id), (this.call?.key as Shape | undefined)?.value);
    };
    const lack = (values: Shape) => {
      const names = ['priority', 'status', 'visibility'];
      lacking = Object.fromEntries(names.map((name) => [name, values[name] === undefined]));
    };
    const changes = (record: Shape) => {
      this.before.set(String(record.id), { ...record });
      this.changed.set(String(record.id), service.now());
    };
    const watched: Readonly<Record<string, (one: Shape, because: unknown) => unknown>> = {
      respond: (call) => {
        this.call = call;
        this.requests += 1;
      },
      saveTask: made,
      saveProject: made,
      newTask: lack,
      newProject: lack,
      assignTask: changes,
      assignProject: changes,
      removeTask: (task, because) => {
        this.gone.tasks.push(task);
        if (because === 'project') this.gone.cascaded.push(task);
      },
      removeProject: (project) => this.gone.projects.push(project),
      removeTeam: (team) => this.gone.teams.push(team),
      createTeam: () => {},
      createWebhook: () => {},
    };
    for (const record of [...(db.projects ?? []), ...(db.tasks ?? [])]) this.first.set(String(record.id), { ...record });
    for (const [step, see] of Object.entries(watched))
      around(service, step as 'createTeam', (was, ...args: unknown[]) => {
        see(args[0] as Shape, args[1]);
        const result = (was as (...args: unknown[]) => unknown)(...args);
        if (step === 'createTeam') made(db.teams?.at(-1));
        if (step === 'createWebhook') made(db.hooks?.at(-1));
        return result as never;
      });
  }
}
