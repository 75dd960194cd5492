// What a check works with: requests in each role, judgements, the shared world, walks through lists.

import type { ChangeLog } from '../oracle/changes.ts';
import { sameValue } from '../oracle/judge.ts';
import { fieldOf, type Kind } from '../oracle/model.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { FieldRule, Refers, Rules, Written } from '../oracle/rules.ts';
import { Blocked, Skipped } from './check.ts';
import type { Observations } from './choices.ts';
import type { Call, Client } from './client.ts';
import type { Control } from './control.ts';
import type { Detected } from './detect.ts';
import type { Exchange, Json } from './exchange.ts';
import { errorOf, faultyFields, isRecord, metaOf, records, refused, succeeded, text } from './exchange.ts';
import { cursorOf } from './follow.ts';
import { createdId, withoutId } from './made.ts';
import { walkByOffset, wholeByOffset } from './offset.ts';
import { operationOf } from './operations.ts';
import { PROFILES, type Profile } from './options.ts';
import type { Receiver } from './receiver.ts';
import type { Recorder, Told } from './recorder.ts';
import type { Redactor } from './redact.ts';
import { isIn, type Release } from './releases.ts';
import { otherThan, samplesOf } from './samples.ts';
import type { Role } from './terms.ts';
import type { Skew, Time } from './time.ts';
import { buildWorld, type World } from './world.ts';

export interface Walk {
  readonly pages: readonly Exchange[];
  readonly items: readonly Json[];
  /** True when the last page said that no more follow. */
  readonly ended: boolean;
  /** Others wrote to the list between its pages. */
  readonly moved: boolean;
}

export interface Parts {
  readonly client: Client;
  readonly record: Recorder;
  readonly choices: Observations;
  readonly time: Time;
  readonly redactor: Redactor;
  readonly control: Control | undefined;
  readonly receiver: Receiver | undefined;
  readonly receiverUrl: string | undefined;
  /** What the run has changed so far. */
  readonly changes: ChangeLog;
  readonly runName: string;
  readonly profile: Profile;
  readonly thorough: boolean;
  /** What the OpenAPI document says of bodies and filters. */
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
  /** Facts that checks leave for one another within a run. */
  readonly shared: Map<string, unknown>;
}

/** No more requests does a full run send. */
const FULL = 420;
/** What follows for certain: the cleanup, with events their story and the quota. */
const AT_THE_END = { without: 14, withEvents: 52 } as const;

export class Tools {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get parts(): Parts {
    return this.#parts;
  }
  get record(): Recorder {
    return this.#parts.record;
  }
  get time(): Time {
    return this.#parts.time;
  }
  get main(): Role {
    return this.#parts.mainRole;
  }
  /** The target's clock, as its answers show it. */
  get skew(): Skew {
    return this.#parts.skew;
  }
  /** The smallest limit that lists take as it is; 1 unless the preflight found another. */
  get smallestLimit(): number {
    return (this.#parts.shared.get('smallestLimit') as number | undefined) ?? 1;
  }
  /** The most powerful role at hand: teams and webhooks may ask for it. */
  get strong(): Role {
    return this.has('admin') ? 'admin' : this.main;
  }

  /** The least powerful role at hand: what is read with it need not be read again for its scope. */
  get reader(): Role {
    return this.has('read') ? 'read' : this.main;
  }
  /** Whether the run's profile is this one or a larger one. */
  within(profile: Profile): boolean {
    return PROFILES.indexOf(this.#parts.profile) >= PROFILES.indexOf(profile);
  }
  /** Whether there is no budget of requests. */
  get thorough(): boolean {
    return this.#parts.thorough;
  }
  /** Whether so many requests more leave enough of the budget for what comes at the end. */
  affords(requests: number): boolean {
    const { client, receiver } = this.#parts;
    const used = client.requests - client.quotaRequests;
    return this.thorough || used + requests + (receiver ? AT_THE_END.withEvents : AT_THE_END.without) <= FULL;
  }
  /** What is known of a field of a record of ours, without asking. */
  known(kind: Kind, id: unknown, field: string): unknown {
    const entry = this.#parts.oracle.workspace('own').get(kind, String(id));
    return entry && fieldOf(entry, field);
  }
  /** Values that a field takes. */
  samples(rule: FieldRule): readonly unknown[] {
    return samplesOf(rule, (refers) => this.ids(refers));
  }
  /** Ids that a field may hold, as far as the run knows any. */
  ids(refers: Refers, space: 'own' | 'other' = 'own'): readonly string[] {
    const world = this.#parts.shared.get('world') as World | undefined;
    const known = this.#parts.oracle.workspace(space);
    if (refers === 'users') return (space === 'own' && world?.members) || [...known.people];
    const kind = refers === 'tasks' ? 'task' : 'project';
    return known
      .live(kind)
      .slice(0, 2)
      .map(({ id }) => id);
  }
  /** The fields of a record that the document alone names, each with a value that it does not hold. */
  others(kind: 'project' | 'task', id: unknown): Json {
    const rules = this.#parts.rules.update[kind].filter(({ named, shown }) => !named && shown);
    const value = (rule: FieldRule) => otherThan(rule, (refers) => this.ids(refers), this.known(kind, id, rule.name));
    return Object.fromEntries(rules.map((rule) => [rule.name, value(rule)] as const).filter(([, one]) => one !== undefined));
  }

  /** An id that looks like a member's and is nobody's. */
  nobody(): string {
    const world = this.#parts.shared.get('world') as World | undefined;
    return this.#parts.oracle.nobody(world?.members[0]);
  }

  has(role: Role): boolean {
    return this.#parts.roles.has(role);
  }

  name(label: string): string {
    return `${this.#parts.runName}-${label}`;
  }

  send(method: string, path: string, call: Call = {}): Promise<Exchange> {
    // Whatever a check would do: this profile changes nothing.
    if (this.#parts.profile === 'read-only' && method !== 'GET') throw new Skipped('PROFILE');
    const body = method === 'POST' ? this.#whole(path, call) : call.body;
    const as = call.as ?? (call.key ? undefined : this.main);
    return this.#parts.client.send(method, path, { ...call, as, body });
  }
  /** The body of a create with what the document alone asks for; where it says more than the least, with what may be there too. */
  #whole(path: string, { body, as, base }: Call): unknown {
    const kind = operationOf('POST', path)?.shape as Written | undefined;
    const rules = (kind && this.#parts.rules.create[kind])?.filter(({ named }) => !named) ?? [];
    if (!isRecord(body) || rules.length === 0) return body;
    const count = Number(this.#parts.shared.get('bodies') ?? 0);
    this.#parts.shared.set('bodies', count + 1);
    const least = Object.keys(body).length === 1 || rules.some(({ name }) => name in body);
    const ids = (refers: Refers) => (base === undefined ? this.ids(refers, as === 'other' ? 'other' : 'own') : []);
    const more = rules.flatMap((rule) => {
      // A registration that is switched off would tell of no event.
      const means = kind === 'webhook' && rule.kind === 'boolean';
      if (rule.name in body || (!rule.required && (least || means))) return [];
      // What is there anyway would not show whether it is taken.
      const samples = samplesOf(rule, ids).filter((value) => !sameValue(rule.name, value, rule.fallback));
      return samples.length > 0 ? [[rule.name, samples[count % samples.length]]] : [];
    });
    return { ...body, ...Object.fromEntries(more) };
  }
  /** Waits until so many requests can follow each other, and each shows in Remaining. */
  room(requests: number): Promise<void> {
    return this.#parts.client.room(requests);
  }

  /** Whether the release that is judged by has what that one brought. */
  knows(since: Release): boolean {
    return isIn({ since }, this.#parts.release);
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
    this.#parts.choices.observe(name, value);
  }
  skip(reason: string): never {
    throw new Skipped(reason);
  }
  /** Ends the check when what it builds on is broken. */
  need(ok: boolean, requirement: string): asserts ok {
    if (!ok) throw new Blocked(requirement);
  }

  /** The shared records of the run. */
  async world(): Promise<World> {
    const known = this.#parts.shared.get('world') as World | Blocked | undefined;
    if (known instanceof Blocked) throw known;
    if (known) return known;
    try {
      const world = await buildWorld(this);
      this.#parts.shared.set('world', world);
      return world;
    } catch (cause) {
      if (cause instanceof Blocked) this.#parts.shared.set('world', cause);
      throw cause;
    }
  }

  /** A project of this check alone, which every key of the workspace sees: of a private one that is open. */
  async project(label: string, call?: Call, visibility: 'team' | 'public' = 'team'): Promise<string> {
    // On a virtual clock no two are made at one moment: else no order by time could be told.
    if (this.time.virtual) await this.time.sleep(1100);
    return this.made(await this.post('/projects', { name: this.name(label), visibility }, call), 'WM-EP-002');
  }

  async task(project: string, body: Json, call?: Call): Promise<string> {
    return this.made(await this.post(`/projects/${project}/tasks`, body, call), 'WM-EP-008');
  }

  /** The id of what was made; without one the check ends, and the requirement says why. */
  made(x: Exchange, requirement: string): string {
    const id = createdId(x);
    this.need(id !== undefined, withoutId(x) ?? requirement);
    return id;
  }

  /** The members of the other workspace, as its key sees them. */
  async membersOfOther(): Promise<Exchange> {
    const known = this.#parts.shared.get('members of other') as Exchange | undefined;
    if (known) return known;
    const listed = await this.get('/workspace/members?limit=100', { as: 'other' });
    this.#parts.shared.set('members of other', listed);
    return listed;
  }

  /** A team that checks share who only look at it. */
  async sharedTeam(): Promise<string> {
    const known = this.#parts.shared.get('team') as string | undefined;
    if (known) return known;
    const { members } = await this.world();
    const { id } = await this.team({ name: this.name('shared'), member_ids: members.slice(0, 5) });
    this.#parts.shared.set('team', id);
    return id;
  }

  async team(body: Json, requirement = 'WM-EP-016'): Promise<{ id: string; answer: Exchange }> {
    let answer = await this.post('/teams', body, { as: this.strong });
    // Who was named may have left; the first is the user of our key.
    if (!succeeded(answer) && this.#parts.oracle.doubts && Array.isArray(body.member_ids))
      answer = await this.post('/teams', { ...body, member_ids: body.member_ids.slice(0, 1) }, { as: this.strong });
    return { id: this.made(answer, requirement), answer };
  }

  /**
   * Follows next_cursor to the end; gives up after some pages. A limit below the smallest one is raised to it.
   */
  async walk(path: string, maxPages: number, call?: Call): Promise<Walk> {
    if (!this.knows('1.1')) return walkByOffset((at) => this.send('GET', at, call), path, maxPages);
    for (let tries = 1; ; tries++) {
      const before = this.#parts.oracle.suspicions;
      const walked = await this.#walk(path, maxPages, call);
      // What others may have caused is a fault when it comes again and again.
      if (tries === 3 || this.#parts.oracle.suspicions === before) return walked;
    }
  }

  async #walk(path: string, maxPages: number, call?: Call): Promise<Walk> {
    const { client } = this.#parts;
    const list = path.replace(/([?&]limit=)(\d+)/, (_, name, limit) => `${name}${Math.max(Number(limit), this.smallestLimit)}`);
    const pages: Exchange[] = [];
    let x = await this.get(list, call);
    for (;;) {
      pages.push(x);
      const cursor = cursorOf(x);
      const more = succeeded(x) && metaOf(x).has_more !== false && cursor !== undefined;
      if (!more || pages.length >= maxPages) {
        const ended = succeeded(x) && (metaOf(x).has_more === false || text(metaOf(x).next_cursor) === undefined);
        const moved = pages.some((page) => metaOf(page).total !== metaOf(pages[0]!).total);
        return { pages, items: pages.flatMap(records), ended, moved };
      }
      const ask = (target: string) => this.send('GET', target, { ...call, quiet: true });
      x = await client.cursors.next(list, cursor, ask, (answer) => client.onAnswer(answer));
      if (x.status === 400 || x.status === 422)
        this.must('WM-LIST-004', false, `a cursor is answered ${x.status}, whatever goes with it`, pages.at(-1)!, x);
    }
  }

  /** How often a record is in a list that others write to; undefined when the list is too long to tell, or never stands still. */
  async count(path: string, id: string, call?: Call): Promise<{ times: number | undefined; last: Exchange }> {
    const glue = path.includes('?') ? '&' : '?';
    for (let tries = 1; ; tries++) {
      const { pages, items, ended, moved } = await this.walk(`${path}${glue}limit=100`, 10, call);
      const times = items.filter((item) => item.id === id).length;
      const last = pages.at(-1)!;
      const sure = pages.length === 1 || !moved;
      if (sure || tries === 3) return { times: sure && (times > 0 || ended) ? times : undefined, last };
    }
  }

  /** Judges a refusal: its status, its code, and that details.fields names the field. */
  refusal(requirement: string, x: Exchange, statuses: readonly number[], field?: string): boolean {
    const said = succeeded(x) ? 'is accepted' : `is answered ${x.status}`;
    const told = {
      message: `${x.method} ${x.path}: the request ${said}`,
      expected: statuses.join(' or '),
      got: String(x.status),
    };
    if (!this.must(requirement, statuses.includes(x.status), told, x)) return false;
    if (field === undefined || ![400, 422].includes(x.status)) return true;
    const { code, details } = errorOf(x);
    if (typeof code === 'string') this.must('WM-ERR-009', code === 'validation_error', `the code is ${JSON.stringify(code)}`, x);
    const fields = isRecord(details) ? details.fields : undefined;
    if (isRecord(errorOf(x)) && (details === undefined || isRecord(details))) {
      const listed = this.must(
        'WM-ERR-004',
        Array.isArray(fields) && fields.length > 0,
        'a validation error has no details.fields',
        x,
      );
      const pairs = listed && (fields as unknown[]).every((entry) => isRecord(entry) && typeof entry.field === 'string');
      if (pairs) this.must('WM-ERR-006', namesField(x, field), `details.fields does not name ${field}`, x);
    }
    return true;
  }

  refused(x: Exchange): boolean {
    return refused(x);
  }
}

/** True when details.fields names the field, alone or at the end of a path. */
export const namesField = (x: Exchange, field: string): boolean =>
  faultyFields(x).some(
    (name) =>
      name === field ||
      name
        .split(/[./[\]]/)
        .filter(Boolean)
        .includes(field),
  );
