// Records that a response says a request made, and whether they are the run's: no other's is ever changed.
import { type Exchange, type Json, objectIn, records, resource, succeeded, text } from './exchange.ts';
import { runOf } from './names.ts';
import { pathOf, unfit } from './paths.ts';

const givenId = (x: Exchange): string | undefined => (succeeded(x) ? text(resource(x).id) : undefined);

/** The id of what a request made; undefined when it made nothing, or gave no id by which the run may name it. */
export const createdId = (x: Exchange): string | undefined => {
  const id = givenId(x);
  return id === undefined || x.strange || unfit(id) ? undefined : id;
};

/** The requirement that a response breaks which gives an id that is of no use. */
export const withoutId = (x: Exchange): string | undefined => {
  if (x.strange) return x.operation?.shape === 'project' ? 'WM-PROJ-027' : 'WM-GEN-016';
  return unfit(givenId(x) ?? 'none') ? 'WM-GEN-009' : undefined;
};

const PLACES: Readonly<Record<string, string>> = { create_project: '/projects', create_team: '/teams', create_task: '/tasks' };

/** Where what a request makes is read and deleted; undefined when it makes nothing that can be deleted. */
export const placeOf = (x: Exchange): string | undefined => PLACES[x.operation?.id ?? ''];

const LISTS: Readonly<Record<string, string>> = { project: '/projects', task: '/tasks', team: '/teams', 'team-read': '/teams' };
/** This many are remembered. */
const MAX_IDS = 20_000;

const keyOf = (path: string, as: Exchange['as']): string => `${as === 'other' ? 'other ' : ''}${path}`;

const nameOf = (row: Json): string | undefined => text(row.name) ?? text(row.title);

/** Records that responses have shown and no run has made. */
export class Strangers {
  readonly #mark: string;
  readonly #seen = new Set<string>();

  /** @param mark what every name of this run contains */
  constructor(mark: string) {
    this.#mark = mark.toLowerCase();
  }

  /** Learns from what is read. @param made paths of what this run made */
  notice(x: Exchange, made: ReadonlySet<string>): void {
    const items = LISTS[x.operation?.shape ?? ''];
    if (x.method !== 'GET' || items === undefined || !succeeded(x) || x.world !== undefined) return;
    for (const row of x.operation?.returns === 'list' ? records(x) : [resource(x)]) {
      const id = text(row.id);
      if (id === undefined || this.#seen.size >= MAX_IDS || unfit(id)) continue;
      const within = pathOf('/projects', text(row.project_id) ?? '');
      if (!made.has(pathOf(items, id)) && !made.has(within) && runOf(nameOf(row)) === undefined)
        this.add(pathOf(items, id), x.as);
    }
  }

  /** The run never writes to it from now on. */
  add(path: string, as: Exchange['as']): void {
    this.#seen.add(keyOf(path, as));
  }

  has(path: string, as: Exchange['as']): boolean {
    return this.#seen.has(keyOf(path, as));
  }

  /** Whether a record, as it is read, has a name and one that this run did not give. */
  belongsToOthers(read: Exchange): boolean {
    const name = nameOf(resource(read));
    return succeeded(read) && name !== undefined && !this.#marked(name);
  }

  /** Whether what a create returns may be another's record: one that was there before, or one of another name. */
  doubts(x: Exchange, path: string): boolean {
    if (x.world !== undefined) return false;
    if (this.has(path, x.as)) return true;
    const [sent, got] = [nameOf(objectIn(x.requestBody)), nameOf(resource(x))];
    return got !== undefined && sent !== undefined && this.#marked(sent) && !this.#marked(got);
  }

  /** Whether a record, as it is read, is what the create made. */
  isOurs(x: Exchange, read: Exchange): boolean {
    const row = resource(read);
    const within = /^\/projects\/([^/]+)\/tasks$/.exec(x.path)?.[1];
    if (within !== undefined && encodeURIComponent(text(row.project_id) ?? '') === within) return true;
    return this.#marked(nameOf(row) ?? '');
  }

  #marked(name: string): boolean {
    return name.toLowerCase().includes(this.#mark);
  }
}
