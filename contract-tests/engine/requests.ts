// Requests in each role, and judgements: what a check asks and says, and what sets up its records.
import type { ChangeLog } from '../oracle/changes.ts';
import { sameValue } from '../oracle/judge.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { Refers, Rules, Written } from '../oracle/rules.ts';
import type { Observations } from './choices.ts';
import type { Call, Client } from './client.ts';
import type { Control } from './control.ts';
import type { Detected } from './detect.ts';
import type { Exchange } from './exchange.ts';
import { isRecord } from './exchange.ts';
import { wholeByOffset } from './offset.ts';
import { operationOf } from './operations.ts';
import type { Profile } from './options.ts';
import type { Receiver } from './receiver.ts';
import type { Recorder, Told } from './recorder.ts';
import type { Redactor } from './redact.ts';
import { isIn, type Release } from './releases.ts';
import { samplesOf } from './samples.ts';
import type { Scene } from './scene.ts';
import type { Role } from './terms.ts';
import { type Skew, type Time, WORTH_TELLING_MS } from './time.ts';
import { Blocked, Skipped } from './unjudged.ts';

export interface Parts {
  readonly client: Client;
  readonly record: Recorder;
  readonly choices: Observations;
  readonly time: Time;
  readonly redactor: Redactor;
  readonly control: Control | undefined;
  readonly receiver: Receiver | undefined;
  readonly receiverUrl: string | undefined;
  /** The changes of the run so far. */
  readonly changes: ChangeLog;
  readonly runName: string;
  readonly profile: Profile;
  readonly thorough: boolean;
  /** The OpenAPI document's rules for bodies and filters. */
  readonly rules: Rules;
  readonly oracle: Oracle;
  readonly skew: Skew;
  /** How long a delivery is waited for, in milliseconds. */
  readonly patienceMs: number;
  readonly mainRole: Role;
  readonly roles: ReadonlySet<Role>;
  readonly commentedTask: string | undefined;
  /** The release that is judged by, and the one that the target showed itself to be. */
  readonly release: Release;
  readonly detected: Detected | undefined;
  /** The value of a key; for headers that are malformed on purpose. */
  readonly keyOf: (role: Role) => string;
  /** Tells the reader who watches the run. */
  readonly tell: (line: string) => void;
  /** Things that the parts of a run leave for one another. */
  readonly scene: Scene;
}

const TOLD_AGAIN_MS = 30_000;

/** Tools of every check and of the making of the shared records. */
export class Requests {
  readonly parts: Parts;
  /** The last reason that was given for a wait. */
  #told: { readonly what: string; readonly at: number } | undefined;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  get record(): Recorder {
    return this.parts.record;
  }
  get time(): Time {
    return this.parts.time;
  }
  get main(): Role {
    return this.parts.mainRole;
  }
  /** The target's clock, as its responses show it. */
  get skew(): Skew {
    return this.parts.skew;
  }
  /** The most powerful role at hand: teams and webhooks may ask for it. */
  get strong(): Role {
    return this.has('admin') ? 'admin' : this.main;
  }

  /** The least powerful role at hand: what is read with it need not be read again for its scope. */
  get reader(): Role {
    return this.has('read') ? 'read' : this.main;
  }
  has(role: Role): boolean {
    return this.parts.roles.has(role);
  }

  name(label: string): string {
    return `${this.parts.runName}-${label}`;
  }

  send(method: string, path: string, call: Call = {}): Promise<Exchange> {
    // Whatever a check would do: this profile changes nothing.
    if (this.parts.profile === 'read-only' && method !== 'GET') throw new Skipped('PROFILE');
    const body = method === 'POST' ? this.#whole(path, call) : call.body;
    const as = call.as ?? (call.key ? undefined : this.main);
    return this.parts.client.send(method, path, { ...call, as, body });
  }
  /** Ids that a field may hold, as far as the run knows any. */
  ids(refers: Refers, space: 'own' | 'other' = 'own'): readonly string[] {
    const { world } = this.parts.scene;
    const known = this.parts.oracle.workspace(space);
    if (refers === 'users') return (space === 'own' && world && 'members' in world && world.members) || [...known.people];
    const kind = refers === 'tasks' ? 'task' : 'project';
    return known
      .live(kind)
      .slice(0, 2)
      .map(({ id }) => id);
  }
  /** The body of a create with what the document alone asks for; where it says more than the least, with what may be there too. */
  #whole(path: string, { body, as, base }: Call): unknown {
    const kind = operationOf('POST', path)?.shape as Written | undefined;
    const rules = (kind && this.parts.rules.create[kind])?.filter(({ named }) => !named) ?? [];
    if (!isRecord(body) || rules.length === 0) return body;
    const count = this.parts.scene.completedBodies++;
    const least = Object.keys(body).length === 1 || rules.some(({ name }) => name in body);
    const ids = (refers: Refers) => (base === undefined ? this.ids(refers, as === 'other' ? 'other' : 'own') : []);
    const more = rules.flatMap((rule) => {
      // A registration that is switched off would tell of no event.
      const means = kind === 'webhook' && rule.kind === 'boolean';
      if (rule.name in body || (!rule.required && (least || means))) return [];
      // A value that is there anyway would not show whether it is taken.
      const samples = samplesOf(rule, ids).filter((value) => !sameValue(rule.name, value, rule.fallback));
      return samples.length > 0 ? [[rule.name, samples[count % samples.length]]] : [];
    });
    return { ...body, ...Object.fromEntries(more) };
  }
  /** Waits until this many requests can follow each other, and each shows in Remaining. */
  room(requests: number): Promise<void> {
    return this.parts.client.room(requests);
  }

  /** Whether the release that is judged by has what that one brought. */
  knows(since: Release): boolean {
    return isIn({ since }, this.parts.release);
  }

  get(path: string, call?: Call): Promise<Exchange> {
    return this.knows('1.1') ? this.send('GET', path, call) : wholeByOffset((at) => this.send('GET', at, call), path);
  }
  post(path: string, body: unknown, call: Call = {}): Promise<Exchange> {
    return this.send('POST', path, { ...call, body: this.#known(body) });
  }
  patch(path: string, body: unknown, call: Call = {}): Promise<Exchange> {
    return this.send('PATCH', path, { ...call, body: this.#known(body) });
  }
  /** A body without the fields that the release does not know. */
  #known(body: unknown): unknown {
    if (this.knows('1.3') || !isRecord(body) || !('priority' in body)) return body;
    const { priority: _, ...rest } = body;
    return rest;
  }
  delete(path: string, call?: Call): Promise<Exchange> {
    return this.send('DELETE', path, call);
  }

  must(requirement: string, ok: boolean, told: string | Told, ...x: readonly Exchange[]): boolean {
    return this.record.must(requirement, ok, told, ...x);
  }
  note(requirement: string, told: string | Told, ...x: readonly Exchange[]): void {
    this.record.note(requirement, told, ...x);
  }
  observe(name: string, value: string | undefined): void {
    this.parts.choices.observe(name, value);
  }
  /** Says what is waited for, and for how long at most, where that takes real time. */
  waits(what: string, ms: number): void {
    const [now, last] = [this.time.now(), this.#told];
    if (this.time.virtual || ms < WORTH_TELLING_MS || (last?.what === what && now - last.at < TOLD_AGAIN_MS)) return;
    this.#told = { what, at: now };
    this.parts.tell(`waiting for ${what}: up to ${Math.ceil(ms / 1000)} s`);
  }
  skip(reason: string): never {
    throw new Skipped(reason);
  }
  /** Ends the check when what it builds on is broken. */
  need(ok: boolean, requirement: string): asserts ok {
    if (!ok) throw new Blocked(requirement);
  }
}
