// Changes of the run on the target, derived from its exchanges: each change is an event that is to be announced.
import { type Exchange, type Json, records, resource, succeeded, text } from '../engine/exchange.ts';
import { instant, SHAPES } from '../engine/shapes.ts';
import { sameValue } from './judge.ts';
import { rivals, sentBody, target } from './model.ts';

/** The workspace of the run's own keys, and that of the other key. */
export type Space = 'own' | 'other';
type Kind = 'task' | 'project';

/** Known fields of a record; a field that is not in it is not known. */
export type State = ReadonlyMap<string, unknown>;

export interface Change {
  /** The name of its event. */
  readonly event: string;
  readonly id: string;
  readonly space: Space;
  /** Why it may go unannounced; undefined: it must be announced. */
  readonly open?: 'cascade' | 'no change' | 'unclear' | undefined;
  /** The record right after the change; for a deletion, right before. */
  readonly state: State;
  readonly by: Exchange;
}

/** A write that did not succeed. */
export interface Refusal {
  readonly event: string;
  /** The id of the record itself, or of the project that it was to be created in. */
  readonly id: string | undefined;
  readonly space: Space;
  readonly sent: Json;
  readonly by: Exchange;
  /** False when the response leaves open whether it had an effect. */
  readonly sure: boolean;
}

interface Known {
  readonly space: Space;
  /** The project of a task. */
  readonly project?: string | undefined;
  state: Map<string, unknown>;
  gone: boolean;
}

const fieldsOf = (kind: Kind): readonly string[] => SHAPES[kind].map(({ name }) => name);

/** Fields that no request changes. */
const SERVER_SET: ReadonlySet<string> = new Set(['id', 'project_id', 'created_at', 'updated_at']);
const writtenOf = (kind: Kind): readonly string[] => fieldsOf(kind).filter((field) => !SERVER_SET.has(field));

/** Fields that may have no value, which a response shows as null or by leaving them out. */
const OPTIONAL: ReadonlySet<string> = new Set(['description', 'assignee_id', 'due_date']);

/** Whether two values of a field say the same. A service may read its clock once more for updated_at. */
export const sameState = (field: string, a: unknown, b: unknown): boolean =>
  sameValue(field, a, b) || (field === 'updated_at' && Math.abs(instant(a) - instant(b)) < 1000);

const VERBS: Readonly<Record<string, string>> = { POST: 'created', PATCH: 'updated', DELETE: 'deleted' };

/** The id in the path: of the record, or of the project that a task is created in. */
const idIn = (x: Exchange): string | undefined => (x.operation ? target(x, x.operation)?.id : undefined);

/** The fields of a record in a response; nothing when it does not show one. */
const shown = (kind: Kind, row: Json): Map<string, unknown> => {
  const fields = fieldsOf(kind).filter((field) => row[field] !== undefined || OPTIONAL.has(field));
  const isThere = fields.some((field) => !OPTIONAL.has(field));
  return new Map(isThere ? fields.map((field) => [field, row[field] ?? null]) : []);
};

const withoutTimes = (state: State): State => new Map([...state].filter(([field]) => field !== 'updated_at'));

/** The state before a deletion, which may move updated_at. */
const lastOf = ({ state }: Known): State => withoutTimes(state);

const OWN: readonly string[] = ['admin', 'write', 'read'];

/** A write that should not have succeeded is judged elsewhere. */
const mayGo = (x: Exchange, space: Space): Change['open'] =>
  (space === 'other' ? ['other'] : ['admin', 'write']).includes(x.as) ? undefined : 'unclear';

export class ChangeLog {
  readonly changes: Change[] = [];
  readonly refusals: Refusal[] = [];
  /** The users of the run's own keys, who have long joined. */
  readonly people = new Set<string>();
  /** Ids of what a create made whose response got lost; it was removed again. */
  readonly orphans: ReadonlySet<string>;
  readonly #known = new Map<string, Known>();

  constructor(orphans: ReadonlySet<string> = new Set()) {
    this.orphans = orphans;
  }

  /** Learns from an exchange of the run. Worlds of a control API keep to themselves. */
  notice(x: Exchange): void {
    const kind = x.operation?.shape;
    if (x.world !== undefined) return;
    if (kind === 'profile' && succeeded(x) && OWN.includes(x.as)) this.people.add(String(resource(x).id));
    if (kind !== 'task' && kind !== 'project') return;
    if (x.method !== 'GET') this.#write(x, kind);
    else if (succeeded(x)) for (const row of x.operation?.returns === 'list' ? records(x) : [resource(x)]) this.#read(kind, row);
  }

  /** The workspace of a record that the run has made; undefined for any other. */
  spaceOf(kind: string, id: unknown): Space | undefined {
    return this.#known.get(`${kind} ${String(id)}`)?.space;
  }

  /** A read that contradicts what the write before it showed leaves the field unknown: some other requirement is broken. */
  #read(kind: Kind, row: Json): void {
    const known = this.#known.get(`${kind} ${String(row.id)}`);
    if (!known) return;
    for (const [field, value] of shown(kind, row)) {
      if (!known.state.has(field)) continue;
      if (!sameState(field, known.state.get(field), value)) known.state.delete(field);
    }
  }

  #write(x: Exchange, kind: Kind): void {
    const event = `${kind}.${VERBS[x.method]}`;
    const space: Space = x.as === 'other' ? 'other' : 'own';
    const known = this.#known.get(`${kind} ${idIn(x)}`);
    // A response that got lost leaves open which try had the effect: see Exchange.lost.
    if (x.lost && x.method === 'DELETE' && x.status === 404 && known && !known.gone) this.#deleted(x, kind, event, space);
    else if (!succeeded(x)) {
      const sure = x.status >= 400 && x.status < 500;
      this.refusals.push({ event, id: idIn(x), space, sent: sentBody(x), by: x, sure });
      if (known && !sure) known.state = new Map();
    } else if (x.method === 'POST') this.#created(x, kind, event, space);
    else if (x.method === 'PATCH') this.#updated(x, kind, event, space);
    else this.#deleted(x, kind, event, space);
  }

  #created(x: Exchange, kind: Kind, event: string, space: Space): void {
    const id = text(resource(x).id);
    const project = kind === 'task' ? idIn(x) : undefined;
    if (id === undefined) {
      this.refusals.push({ event, id: project, space, sent: sentBody(x), by: x, sure: false });
      return;
    }
    const state = this.#agreed(kind, x, new Map(project === undefined ? [] : [['project_id', project]]));
    this.#known.set(`${kind} ${id}`, { space, project, state, gone: false });
    this.changes.push({ event, id, space, state, by: x, open: mayGo(x, space) });
  }

  #updated(x: Exchange, kind: Kind, event: string, space: Space): void {
    const id = idIn(x)!;
    const known = this.#find(kind, id, space);
    const before = known.state;
    const after = shown(kind, resource(x));
    const others = rivals(x, { kind, id });
    const changed = writtenOf(kind).some(
      (field) => before.has(field) && !others.has(field) && !sameState(field, before.get(field), after.get(field)),
    );
    const unknown = after.size === 0 || writtenOf(kind).some((field) => field in sentBody(x) && !before.has(field));
    known.state = this.#agreed(kind, x, before);
    const open = known.gone || after.size === 0 ? 'unclear' : changed ? undefined : unknown ? 'unclear' : 'no change';
    this.changes.push({ event, id, space: known.space, state: known.state, by: x, open: mayGo(x, known.space) ?? open });
    // A try before it may have done the same.
    for (let n = 0; n < (x.lost ?? 0); n++)
      this.changes.push({ event, id, space: known.space, state: withoutTimes(known.state), by: x, open: 'unclear' });
  }

  #deleted(x: Exchange, kind: Kind, event: string, space: Space): void {
    const id = idIn(x)!;
    const known = this.#find(kind, id, space);
    const open = mayGo(x, known.space) ?? (known.gone ? 'unclear' : undefined);
    this.changes.push({ event, id, space: known.space, state: lastOf(known), by: x, open });
    known.gone = true;
    if (kind !== 'project') return;
    for (const [key, task] of this.#known) {
      if (task.project !== id || task.gone) continue;
      const of = key.slice('task '.length);
      this.changes.push({ event: 'task.deleted', id: of, space: task.space, state: lastOf(task), by: x, open: 'cascade' });
      task.gone = true;
    }
  }

  #find(kind: Kind, id: string, space: Space): Known {
    const found = this.#known.get(`${kind} ${id}`) ?? { space, state: new Map<string, unknown>(), gone: false };
    this.#known.set(`${kind} ${id}`, found);
    return found;
  }

  /** The fields that the response to a write shows, without what contradicts the request or what was known before. */
  #agreed(kind: Kind, x: Exchange, before: State): Map<string, unknown> {
    const sent = sentBody(x);
    const others = rivals(x, { kind, id: idIn(x) ?? '' });
    const agrees = (field: string, value: unknown): boolean => {
      if (others.has(field)) return false;
      if (field === 'updated_at') return others.size === 0;
      if (field in sent && writtenOf(kind).includes(field)) return sameState(field, sent[field], value);
      return !before.has(field) || sameState(field, before.get(field), value);
    };
    return new Map([...shown(kind, resource(x))].filter(([field, value]) => agrees(field, value)));
  }
}
