// Where a row runs: the server, the step's arguments, and the request and records that they lead to.
import type { Past, Shape } from './past.ts';
import type { Service } from './reference/service/service.ts';

export abstract class Place {
  result: unknown;
  row: unknown;
  error: unknown;
  readonly service: Service;
  readonly past: Past;
  readonly notes: Map<string, unknown>;
  readonly args: Shape;

  constructor(service: Service, past: Past, notes: Map<string, unknown>, args: Shape) {
    this.service = service;
    this.past = past;
    this.notes = notes;
    this.args = args;
  }

  /** What a path leads to. */
  abstract get(path: string): unknown;

  get call(): Shape {
    return (this.args.call ?? (this.args.query as Shape | undefined)?.call ?? this.past.call ?? {}) as Shape;
  }

  /** The record that the step is about. */
  get record(): Shape {
    const { task, project, row, team, hook, record } = this.args;
    return (this.row ?? record ?? task ?? project ?? row ?? team ?? hook ?? this.named ?? {}) as Shape;
  }

  /** The record that the path names, of whichever workspace. */
  get named(): Shape | undefined {
    const id = decodeURIComponent(String(this.call.path).split('/')[2] ?? '');
    const { projects, tasks, teams } = this.service.db;
    return [...projects, ...tasks, ...teams].find((each) => each.id === id) as Shape | undefined;
  }

  get body(): Shape {
    try {
      return Object(JSON.parse(String(this.call.text))) as Shape;
    } catch {
      return {};
    }
  }

  /** The operation that a request is for, also before it is let in. */
  get asked(): unknown {
    try {
      return this.service.route(this.call as never).operation;
    } catch {
      return undefined;
    }
  }

  /** What was noted under a name for the value of a path, before it is noted anew. */
  note(name: string, path: string, next: (known: unknown) => unknown): unknown {
    const slot = `${name} ${path} ${path === '' ? '' : String(this.get(path))}`;
    const known = this.notes.get(slot);
    this.notes.set(slot, next(known));
    return known;
  }
}
