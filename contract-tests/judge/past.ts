// What one server has seen: records as they were, and those that are gone.
import type { Service } from './reference/service/service.ts';

export type Shape = Record<string, unknown>;

const remember = (store: Map<string, Shape>, record: Shape | undefined): void => {
  if (record) store.set(String(record.id), { ...record });
};

/** What one server has seen: the call under way, and records as they were. */
export class Past {
  call: Shape | undefined;
  requests = 0;
  private lacking: Shape = {};
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
    const watch = (step: keyof Service & string, see: (args: Shape[]) => void, done: () => void = () => {}): void => {
      const was = (service[step] as (...args: unknown[]) => unknown).bind(service);
      Object.assign(service, {
        [step]: (...args: Shape[]) => {
          see(args);
          const result = was(...args);
          done();
          return result;
        },
      });
    };
    const { db } = service as unknown as { db: Record<string, Shape[]> };
    for (const record of [...(db.projects ?? []), ...(db.tasks ?? [])]) remember(this.first, record);
    const made = (record: Shape | undefined) => {
      remember(this.first, record);
      this.bare.set(String(record?.id), this.lacking);
      this.makers.set(String(record?.id), (this.call?.key as Shape | undefined)?.value);
    };
    const changes = ([record]: Shape[]) => {
      remember(this.before, record);
      this.changed.set(String(record?.id), service.now());
    };
    watch('answer', ([call]) => {
      this.call = call;
      this.requests += 1;
    });
    for (const step of ['saveTask', 'saveProject'] as const) watch(step, ([record]) => made(record));
    for (const step of ['newTask', 'newProject'] as const)
      watch(step, ([values]) => {
        this.lacking = Object.fromEntries(
          ['priority', 'status', 'visibility'].map((name) => [name, values?.[name] === undefined]),
        );
      });
    watch(
      'createTeam',
      () => {},
      () => made(db.teams?.at(-1)),
    );
    watch(
      'createWebhook',
      () => {},
      () => made(db.hooks?.at(-1)),
    );
    for (const step of ['assignTask', 'assignProject'] as const) watch(step, changes);
    watch('removeTask', ([task, because]) => {
      if (task) this.gone.tasks.push(task);
      if (task && String(because) === 'project') this.gone.cascaded.push(task);
    });
    watch('removeProject', ([project]) => void (project && this.gone.projects.push(project)));
    watch('removeTeam', ([team]) => void (team && this.gone.teams.push(team)));
  }
}
