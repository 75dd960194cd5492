// Tools of a check: the shared world, records of its own, walks through lists, refusals.
import { fieldOf, type Kind } from '../oracle/model.ts';
import type { FieldRule } from '../oracle/rules.ts';
import type { Call } from './client.ts';
import type { Exchange, Json } from './exchange.ts';
import { metaOf, records, refused, succeeded, text } from './exchange.ts';
import { cursorOf, type Walk } from './follow.ts';
import { createdId, withoutId } from './made.ts';
import { walkByOffset } from './offset.ts';
import { operationOf } from './operations.ts';
import { PROFILES, type Profile } from './options.ts';
import { Requests } from './requests.ts';
import { otherThan, samplesOf } from './samples.ts';
import type { World } from './scene.ts';
import { Blocked } from './unjudged.ts';
import { buildWorld } from './world.ts';

/** This many requests further rows may fill up: with the waits of the Free plan less than ten minutes. */
const FULL = 550;
/** The requests that certainly follow beside the cleanup: the last looks, and a story of events not yet played. */
const LAST = 10;
const STORY = 38;

export class Tools extends Requests {
  /** The smallest limit that lists take as it is; 1 unless the preflight found another. */
  get smallestLimit(): number {
    return this.parts.scene.smallestLimit;
  }
  /** Whether the run's profile is this one or a larger one. */
  within(profile: Profile): boolean {
    return PROFILES.indexOf(this.parts.profile) >= PROFILES.indexOf(profile);
  }
  /** Whether there is no budget of requests. */
  get thorough(): boolean {
    return this.parts.thorough;
  }
  /** Whether this many more requests leave enough of the budget for the end. @param told the story of events was played */
  affords(requests: number, told = this.parts.receiver === undefined): boolean {
    const { client, oracle } = this.parts;
    const used = client.requests - client.quotaRequests;
    const spaces = [oracle.workspace('own'), oracle.workspace('other')];
    const cleanup = spaces.reduce((sum, space) => sum + space.live('project').length + space.live('team').length, 0);
    return this.thorough || used + requests + cleanup + LAST + (told ? 0 : STORY) <= FULL;
  }
  /** Whether a list takes an order; undefined: no request has shown it, though a list of such records may have refused it. */
  sorts(list: string, sort: string): boolean | 'not elsewhere' | undefined {
    const { sorts } = this.parts.scene;
    const of = (name: string | undefined) => sorts.get(`${name} ${sort.replace('-', '')}`);
    return of(operationOf('GET', list)?.id) ?? (of(list.split('/').at(-1)) === false ? 'not elsewhere' : undefined);
  }
  /** The known value of a field of a record of ours, without a request. */
  known(kind: Kind, id: unknown, field: string): unknown {
    const entry = this.parts.oracle.workspace('own').get(kind, String(id));
    return entry && fieldOf(entry, field);
  }
  /** Values that a field takes. */
  samples(rule: FieldRule): readonly unknown[] {
    return samplesOf(rule, (refers) => this.ids(refers));
  }
  /** The fields of a record that the document alone names, each with a value that it does not hold. */
  others(kind: 'project' | 'task', id: unknown): Json {
    const rules = this.parts.rules.update[kind].filter(({ named, shown }) => !named && shown);
    const value = (rule: FieldRule) => otherThan(rule, (refers) => this.ids(refers), this.known(kind, id, rule.name));
    return Object.fromEntries(rules.map((rule) => [rule.name, value(rule)] as const).filter(([, one]) => one !== undefined));
  }

  /** An id that looks like a member's and belongs to no user. */
  unusedId(): string {
    const { world } = this.parts.scene;
    return this.parts.oracle.unusedId(world && 'members' in world ? world.members[0] : undefined);
  }

  /** The shared records of the run. */
  async world(): Promise<World> {
    const { scene } = this.parts;
    try {
      scene.world ??= await buildWorld(this);
    } catch (cause) {
      if (!(cause instanceof Blocked)) throw cause;
      scene.world = cause;
    }
    if (scene.world instanceof Blocked) throw scene.world;
    return scene.world;
  }

  /** A project of this check alone, which every key of the workspace sees: of a private one that is open. */
  async project(label: string, call?: Call, visibility: 'private' | 'team' | 'public' = 'team'): Promise<string> {
    // On a virtual clock no two are made at one moment: else no order by time could be told.
    if (this.time.virtual) await this.time.sleep(1100);
    return this.made(await this.post('/projects', { name: this.name(label), visibility }, call), 'WM-EP-002');
  }

  async task(project: string, body: Json, call?: Call): Promise<string> {
    const path = `/projects/${project}/tasks`;
    let response = await this.post(path, body, call);
    // Who was named may have left.
    if (!succeeded(response) && this.parts.oracle.doubts && body.assignee_id !== undefined) {
      const { assignee_id: _, ...rest } = body;
      response = await this.post(path, rest, call);
    }
    return this.made(response, 'WM-EP-008');
  }

  /** The id of what was made; without one the check ends, and the requirement says why. */
  made(x: Exchange, requirement: string): string {
    const id = createdId(x);
    this.need(id !== undefined, withoutId(x) ?? requirement);
    return id;
  }

  /** The members of the other workspace, as its key sees them. */
  async membersOfOther(): Promise<Exchange> {
    const { scene } = this.parts;
    scene.membersOfOther ??= await this.get('/workspace/members?limit=100', { as: 'other' });
    return scene.membersOfOther;
  }

  /** A team that checks share who only look at it. */
  async sharedTeam(): Promise<string> {
    const { scene } = this.parts;
    if (scene.team !== undefined) return scene.team;
    const { members } = await this.world();
    const { id } = await this.team({ name: this.name('shared'), member_ids: members.slice(0, 5) });
    scene.team = id;
    return id;
  }

  async team(body: Json, requirement = 'WM-EP-016'): Promise<{ id: string; response: Exchange }> {
    let response = await this.post('/teams', body, { as: this.strong });
    // Who was named may have left; the first is the user of our key.
    if (!succeeded(response) && this.parts.oracle.doubts && Array.isArray(body.member_ids))
      response = await this.post('/teams', { ...body, member_ids: body.member_ids.slice(0, 1) }, { as: this.strong });
    // Which scope teams need is open.
    if (response.status === 403 && !this.has('admin')) this.skip('NO_KEY(admin)');
    return { id: this.made(response, requirement), response };
  }

  /**
   * Follows next_cursor to the end; gives up after some pages. A limit below the smallest one is raised to it.
   */
  async walk(path: string, maxPages: number, call?: Call): Promise<Walk> {
    if (!this.knows('1.1')) return walkByOffset((at) => this.send('GET', at, call), path, maxPages);
    for (let tries = 1; ; tries++) {
      const before = this.parts.oracle.suspicions;
      const walked = await this.#walk(path, maxPages, call);
      // A fault that others may have caused is one when it comes again and again.
      if (tries === 3 || this.parts.oracle.suspicions === before) return walked;
    }
  }

  async #walk(path: string, maxPages: number, call?: Call): Promise<Walk> {
    const { client } = this.parts;
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
      x = await client.cursors.next(list, cursor, ask, (response) => client.onResponse(response));
      if (x.status === 400 || x.status === 422)
        this.must('WM-LIST-004', false, `a request with a cursor returns ${x.status}, whatever goes with it`, pages.at(-1)!, x);
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

  /** Judges a refusal: its status, its code, and that details.fields names the field. @param why what is wrong with the request */
  refusal(requirement: string, x: Exchange, statuses: readonly number[], why: string, field?: string): boolean {
    return this.parts.oracle.refusal(x, { requirement, statuses, why, ...(field === undefined ? {} : { fields: [field] }) });
  }

  refused(x: Exchange): boolean {
    return refused(x);
  }
}
