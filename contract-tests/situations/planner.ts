// Sends rows: those that a profile takes, in the order of their tiers, then as many more as the budget of requests has room for.
import type { Check } from '../engine/check.ts';
import { type Exchange, faultyFields, isRecord, type Json, namesField, succeeded } from '../engine/exchange.ts';
import { cursorOf } from '../engine/follow.ts';
import { NoResponse } from '../engine/infra.ts';
import { createdId } from '../engine/made.ts';
import { operationOf } from '../engine/operations.ts';
import { isIn } from '../engine/releases.ts';
import type { Role } from '../engine/terms.ts';
import type { Tools } from '../engine/tools.ts';
import { Blocked, Skipped } from '../engine/unjudged.ts';
import { storyIsTold } from '../stories/events.ts';
import { meaningOf } from './records.ts';
import { type Area, costOf, type Row, readStep, type Step, type Tier } from './row.ts';

/** A row names what is not there: the rest of it is not sent. */
class Unavailable extends Error {}

const NAME = /\{([\w.]+)\}/g;

/** The names of a row, as far as its steps have used or made them. */
class Names {
  readonly #t: Tools;
  readonly #known = new Map<string, string | undefined>();

  constructor(t: Tools) {
    this.#t = t;
  }

  set(name: string, value: string | undefined): void {
    this.#known.set(name, value);
  }

  async get(name: string): Promise<string | undefined> {
    if (!this.#known.has(name)) this.#known.set(name, await meaningOf(this.#t, name));
    return this.#known.get(name);
  }

  async path(template: string): Promise<string> {
    let path = template;
    for (const [whole, name] of template.matchAll(NAME)) {
      const value = await this.get(name!);
      if (value === undefined) throw new Unavailable(`NO_FIXTURE(${name})`);
      path = path.replace(whole, encodeURIComponent(value));
    }
    return path;
  }

  /** A body with ids in place of names; what there is none of is left out. */
  async body(value: unknown): Promise<unknown> {
    if (Array.isArray(value)) return (await Promise.all(value.map((one) => this.body(one)))).filter((one) => one !== undefined);
    if (isRecord(value)) {
      const entries: [string, unknown][] = [];
      for (const [name, one] of Object.entries(value)) entries.push([name, await this.body(one)]);
      return Object.fromEntries(entries);
    }
    if (typeof value !== 'string') return value;
    const alone = /^\{([\w.]+)\}$/.exec(value)?.[1];
    if (alone !== undefined) return this.get(alone);
    return value.replaceAll('{run}', this.#t.parts.runName).replaceAll('{n}', () => String(++this.#t.parts.scene.intruders));
  }
}

/** A list's query as the target takes it: no smaller limit than it has, no order that it is known to refuse, no field of a later release. */
const adaptQuery = (t: Tools, path: string): string => {
  if (path.includes('filter[priority]') && !t.knows('1.3')) throw new Unavailable('RELEASE(1.3)');
  const [list = '', query] = path.split('?', 2);
  if (query === undefined) return path;
  const parts = query.split('&').map((part) => {
    const limit = /^limit=(\d+)$/.exec(part)?.[1];
    return limit && Number(limit) > 0 && Number(limit) < t.smallestLimit ? `limit=${t.smallestLimit}` : part;
  });
  const sort = parts.find((part) => part.startsWith('sort='));
  const takes = sort && t.sorts(list, sort.slice('sort='.length));
  // A query that another list refuses is sent alone: nothing else is what this one may refuse then.
  const kept = parts.filter((part) => (part === sort ? takes !== false : takes !== 'not elsewhere' || part.startsWith('limit=')));
  return kept.length > 0 ? `${list}?${kept.join('&')}` : list;
};

const roleOf = (t: Tools, as: string | undefined): Role | 'keyless' => {
  if (as === undefined) return t.main;
  if (as === 'strong') return t.strong;
  if (as === 'reader') return t.reader;
  if (as !== 'keyless' && !t.has(as as Role)) throw new Unavailable(as === 'other' ? 'NO_SECOND_WORKSPACE' : `NO_KEY(${as})`);
  return as as Role | 'keyless';
};

/** Wrong fields that a response says nothing of; one that names none at all is judged as that. */
const overlooked = (x: Exchange, names: readonly string[]): readonly string[] => {
  if (names.length < 2) return [];
  if (succeeded(x)) return names;
  const isNamed = [400, 422].includes(x.status) && faultyFields(x).length > 0;
  return isNamed ? names.filter((name) => !namesField(x, name)) : [];
};

const sendStep = async (t: Tools, step: Step, names: Names): Promise<void> => {
  const call = readStep(step);
  // On a real clock a wait would cost a second of the run.
  if (!call) return t.time.virtual ? t.time.sleep(1100) : undefined;
  const [, given, more = {}] = typeof step === 'string' ? [step, undefined] : step;
  const as = roleOf(t, call.as);
  const path = adaptQuery(t, await names.path(call.path));
  if (call.method === 'walk') {
    names.set('cursor', cursorOf((await t.walk(path, call.pages, { as })).pages.at(-1)!));
    return;
  }
  const operation = operationOf(call.method, path.split('?', 1)[0]!);
  if (operation && !isIn(operation, t.parts.release)) throw new Unavailable(`RELEASE(${operation.since})`);
  const good = typeof given === 'function' ? given(t) : await names.body(given);
  const wrong = isRecord(more.wrong) ? ((await names.body(more.wrong)) as Json) : undefined;
  const raw = typeof more.raw === 'function' ? more.raw(JSON.stringify(good)) : more.raw;
  const sent = { as, headers: more.headers?.(t.parts.keyOf(t.main)), ...(raw === undefined ? {} : { raw }) };
  const ask = (body: unknown): Promise<Exchange> => {
    if (raw !== undefined || wrong) return t.send(call.method, path, { ...sent, body });
    if (call.method === 'GET') return t.get(path, sent);
    if (call.method === 'DELETE') return t.delete(path, sent);
    return t[call.method === 'PATCH' ? 'patch' : 'post'](path, body as Json, sent);
  };
  const x = await ask(wrong ? { ...(good as Json), ...wrong } : good);
  if (wrong) for (const name of overlooked(x, Object.keys(wrong))) await ask({ ...(good as Json), [name]: wrong[name] });
  if (operation?.returns === 'list') names.set('cursor', cursorOf(x));
  if (call.makes === undefined) return;
  const id = createdId(x);
  if (id === undefined) throw new Unavailable(`BLOCKED(${operation?.requirement ?? 'WM-EP-008'})`);
  names.set(call.makes, id);
};

/** @returns why a row, or the end of it, was not sent */
const sendRow = async (t: Tools, row: Row): Promise<string | undefined> => {
  const { client, scene } = t.parts;
  const before = client.requests;
  scene.sent.add(row.id);
  const names = new Names(t);
  try {
    for (const step of row.steps) await sendStep(t, step, names);
  } catch (cause) {
    if (!(cause instanceof Unavailable || cause instanceof Skipped)) throw cause;
    // The records that it lacks may come later.
    if (client.requests === before) scene.sent.delete(row.id);
    return cause.message;
  }
  return undefined;
};

/** The rows of a table; two tables may name theirs alike. */
const rowsOf = (t: Tools, area: Area): readonly Row[] => area.rows(t).map((one) => ({ ...one, id: `${area.id} ${one.id}` }));

/** Whether what a row shows has been seen, or can't be seen here. */
const isIdle = (t: Tools, { unless, beyond }: Row): boolean => {
  const { asked } = t.parts.scene;
  if (t.thorough) return false;
  return (unless !== undefined && asked.has(unless)) || (beyond !== undefined && (asked.total(beyond[0]) ?? 0) <= beyond[1]);
};

/** Whether a run of this profile sends a row whatever else it sends. */
const isDue = (t: Tools, row: Row): boolean => {
  if (t.parts.profile === 'read-only') return row.anywhere === true;
  if (row.alone || (row.core && t.within('full'))) return false;
  if (t.thorough) return true;
  return row.tier === 1 || (row.tier === 2 && t.within('full'));
};

/** Sends the rows of an area that are due. What is not seen then is skipped for the first reason that there was. */
const sendArea = async (t: Tools, area: Area): Promise<void> => {
  let reason: string | undefined;
  let blocked: Blocked | undefined;
  for (const row of rowsOf(t, area)) {
    if (!isDue(t, row)) {
      reason ??= t.within('full') && !row.alone ? undefined : 'PROFILE';
      continue;
    }
    if (isIdle(t, row)) continue;
    try {
      const missing = await sendRow(t, row);
      reason ??= missing;
    } catch (cause) {
      // A row may be blocked where another is not.
      if (!(cause instanceof Blocked)) throw cause;
      blocked ??= cause;
    }
  }
  if (blocked) throw blocked;
  if (reason ?? area.otherwise) throw new Skipped(reason ?? area.otherwise);
};

const READS_ALONE = (area: Area): boolean => !area.needs?.includes('write');

export const checkOf = (area: Area): Check => ({
  id: area.id,
  says: area.says,
  covers: area.covers,
  ...(area.needs ? { needs: area.needs } : {}),
  profile: READS_ALONE(area) ? 'read-only' : 'core',
  run: (t) => sendArea(t, area),
});

/** Rows that no run has sent yet, in the order of their tiers. */
const unsent = (t: Tools, areas: readonly Area[]): readonly Row[] => {
  const open = (area: Area, tier: Tier) =>
    rowsOf(t, area).filter(
      (one) => one.tier === tier && !one.alone && !one.core && !t.parts.scene.sent.has(one.id) && !isIdle(t, one),
    );
  // In turns: the first of each table says more than all of one.
  return ([1, 2, 3, 4] as const).flatMap((tier) =>
    areas
      .flatMap((area) => open(area, tier).map((one, turn) => ({ one, turn })))
      .sort((a, b) => a.turn - b.turn)
      .map(({ one }) => one),
  );
};

/** Sends further rows, one after the other. */
export const sendMore = async (t: Tools, areas: readonly Area[], affords: (row: Row) => boolean): Promise<void> => {
  for (const row of unsent(t, areas)) {
    if (!affords(row)) continue;
    try {
      await sendRow(t, row);
    } catch (cause) {
      if (!(cause instanceof Blocked || cause instanceof Skipped || cause instanceof NoResponse)) throw cause;
    }
  }
};

/** Requests that make the records which a row names, where they are gone. */
const FOR_RECORDS = 6;

/** Further rows, as many as the budget of the run has room for. */
export const moreOf = (areas: readonly Area[]): Check => ({
  id: 'situations/more',
  says: 'Further rows of the tables, as many as the budget of requests has room for',
  // The oracle tells what they show; this is what a run without them has seen already.
  covers: ['WM-GEN-001'],
  profile: 'full',
  run: async (t) => {
    await sendMore(t, areas, (row) => t.affords(costOf(row) + FOR_RECORDS, storyIsTold(t)));
    const left = unsent(t, areas);
    const cost = left.reduce((sum, row) => sum + costOf(row), 0);
    t.parts.tell(
      `situations: ${t.parts.scene.sent.size} rows sent, ${left.length} left, which take ${cost} requests beyond the budget`,
    );
  },
});
