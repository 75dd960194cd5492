// The state before the traffic, as far as it was seen, as a seed with pseudonyms. At most 20,000 records, and stand-ins up to as many of a kind.
import { checkSeed } from '../../mock/seed/read.ts';
import { seedText } from '../../mock/seed/write.ts';
import { getOrMake } from '../../service/contract/keyed.ts';
import { SCOPES } from '../../service/contract/states.ts';
import { toUtc } from '../../service/validation/formats.ts';
import { BLANKS, FIELDS, ofEach, type RecordName, textOrder } from '../../service/world/records.ts';
import { type LooseRecord, type ReadExchange, recordFrom } from './read-exchange.ts';
import { kindOfText, type WriteText } from './redact-traffic.ts';
import { type FieldValues, hasValues, SeenLists } from './seen-lists.ts';

const MAX_SEEN_RECORDS = 20_000;
type Draft = Record<string, unknown> & { id: string };

/** The id of a record that no response showed. */
const unseenId = (kind: RecordName, n: number): string => `${kind.slice(0, 4)}_unseen_${n}`;
const UNSEEN_ID = /^(user|proj|task|comm|team)_unseen_\d+$/;

class SeenWorkspace {
  /** As they were seen first. */
  readonly records = ofEach(() => new Map<string, LooseRecord>());
  /** Those that requests changed, as they are now; undefined: deleted. */
  readonly changed = ofEach(() => new Map<string, LooseRecord | undefined>());
  readonly lists = new SeenLists();
  /** Users by the roles of keys. */
  readonly owners = new Map<string, string>();
  /** How much of its kind the list shows that gave a record its place. */
  readonly listed = new Map<string, number>();

  /** How many more records with these values there are now than before the traffic. */
  changeIn(kind: RecordName, values: FieldValues, created: ReadonlySet<string>): number {
    const count = (one: LooseRecord | undefined) => Number(one !== undefined && hasValues(values, one));
    const before = (id: string) => (created.has(id) ? undefined : this.records[kind].get(id));
    return [...this.changed[kind]].reduce((sum, [id, now]) => sum + count(now) - count(before(id)), 0);
  }

  /** @param now undefined: it is deleted, and the tasks in it */
  noteChange(kind: RecordName, id: string, now: LooseRecord | undefined): void {
    const changed = this.changed[kind];
    if (changed.has(id) || changed.size < MAX_SEEN_RECORDS) changed.set(id, now);
    for (const tasks of now || kind !== 'projects' ? [] : [this.records.tasks, this.changed.tasks])
      for (const one of [...tasks.values()]) if (one?.project_id === id) this.noteChange('tasks', one.id, undefined);
  }
}

/** 2: a list of all records in the order of their creation; 1: of some; 0: another response. */
const widthOf = ({ row, variable, parameters, records }: ReadExchange): number => {
  const times = records.map(({ record }) => String(record.created_at));
  const turns = times.slice(1).map((time, i) => textOrder(times[i]!, time));
  const sort = parameters.find(([name]) => name === 'sort')?.[1] ?? 'created_at';
  if (!row?.list || !/^-?created_at$/.test(sort) || (turns.includes(1) && turns.includes(-1))) return 0;
  return variable === undefined && !parameters.some(([name]) => name.startsWith('filter')) ? 2 : 1;
};

export class SeedOfTraffic {
  readonly #workspaces = new Map<string, SeenWorkspace>();
  /** Records that the traffic itself created, and those in them. */
  readonly #created = new Set<string>();
  #count = 0;
  #now: number | undefined;

  observe(read: ReadExchange): void {
    const { as, id, row, kind, variable, succeeded, records, sent, at, traffic } = read;
    this.#now ??= at;
    if (!row || !succeeded) return;
    const workspace = getOrMake(this.#workspaces, as === 'other' ? 'ws_other' : 'ws_main', () => new SeenWorkspace());
    if (id === 'getMe' && records[0]) workspace.owners.set(as, records[0].record.id);
    // It existed, whatever it was.
    if (row.finds && variable && traffic.method !== 'PATCH') this.#see(workspace, row.finds, { id: variable });
    for (const { kind: own, record } of records) {
      if (traffic.method === 'POST') this.#created.add(record.id);
      else this.#see(workspace, own, record, widthOf(read));
      if (traffic.method !== 'GET') workspace.noteChange(own, record.id, record);
    }
    if (traffic.method === 'DELETE' && row.finds && variable) workspace.noteChange(row.finds, variable, undefined);
    if (row.list && kind) workspace.lists.note(kind, read, (values) => workspace.changeIn(kind, values, this.#created));
    for (const one of traffic.method === 'POST' ? [sent.assignee_id, sent.member_ids].flat() : [])
      if (typeof one === 'string' && one !== '') this.#see(workspace, 'users', { id: one });
  }

  /** Keeps what was seen first: a later response may show a change. Users and teams are shown in parts. */
  #see(workspace: SeenWorkspace, kind: RecordName, record: LooseRecord, width = 0): void {
    const records = workspace.records[kind];
    if (this.#created.has(String(record.project_id)) || this.#created.has(String(record.task_id))) this.#created.add(record.id);
    // A faulty service may show a record of another workspace.
    const isElsewhere = [...this.#workspaces.values()].some((one) => one !== workspace && one.records[kind].has(record.id));
    const isLoose = kind === 'comments' && !record.task_id;
    if (isElsewhere || isLoose || this.#created.has(record.id)) return;
    const known = records.get(record.id);
    if (!known && this.#count >= MAX_SEEN_RECORDS) return;
    if (!known) this.#count += 1;
    // Members, and records of one moment, have the order of the seed.
    if (width > (workspace.listed.get(record.id) ?? 0)) {
      records.delete(record.id);
      workspace.listed.set(record.id, width);
    }
    const isWhole = known && 'created_at' in known && kind !== 'users' && kind !== 'teams';
    records.set(record.id, isWhole ? known : { ...record, ...known });
  }

  /** @param write gives the pseudonym of a text. @param isNewestFirst the order of lists that are asked for none */
  async text(write: WriteText, isNewestFirst: boolean): Promise<string> {
    if (this.#workspaces.size === 0) this.#workspaces.set('ws_main', new SeenWorkspace());
    const all = [...this.#workspaces].map(([id, one]) =>
      draftWorkspace(id, one, write, isNewestFirst ? '-created_at' : 'created_at'),
    );
    // Its clock runs: what tests make at one frozen moment would have another order.
    const check = (workspaces: readonly object[]) =>
      checkSeed({ workspaces }, { name: 'the seed of the traffic', now: this.#now ?? 0 });
    // Where one workspace names a record of the other, the first one alone makes a seed.
    return seedText(await check(all).catch(() => check(all.slice(0, 1))), 'yaml');
  }
}

/** A record of the seed: values that break a rule of the spec are left out or cut. */
const draftRecord = (kind: RecordName, seen: LooseRecord, write: WriteText): Draft => {
  const record = recordFrom(kind, seen, undefined);
  const fields = FIELDS[kind].flatMap(({ name, schema }) => {
    const value = record[name];
    const [words, max] = [schema['x-extensible-enum'] ?? schema.enum, schema.maxLength] as [(readonly unknown[])?, number?];
    if (value == null || name === 'state' || (words && !words.includes(value))) return [];
    if (schema.format === 'date-time') return toUtc(String(value)) === undefined ? [] : [[name, value]];
    const shown = (text: string) => {
      if (UNSEEN_ID.test(text)) return text;
      const textKind = kindOfText(name, text);
      return textKind === undefined ? text : write(textKind, text);
    };
    if (name === 'member_ids')
      return [[name, [value].flat().flatMap((one) => (typeof one === 'string' && one !== '' ? shown(one) : []))]];
    if (typeof value !== 'string') return [];
    const text = shown(value);
    return text === '' && name !== 'description' ? [] : [[name, [...text].slice(0, max).join('')]];
  });
  return { ...Object.fromEntries(fields), id: UNSEEN_ID.test(seen.id) ? seen.id : write('id', seen.id) };
};

/** A member list shows no times: each is as old as the one before it, so that the order stays. */
const spreadTimes = (users: readonly Draft[], start: string): void => {
  let latest = users.map(({ created_at }) => created_at).find((time) => typeof time === 'string') ?? start;
  for (const user of users) {
    if (typeof user.created_at === 'string' && user.created_at > String(latest)) latest = user.created_at;
    user.created_at = latest;
  }
};

/** The records that were seen, those that they name, and stand-ins that lists lack of the totals that were seen. */
const completeRecords = ({ records, lists }: SeenWorkspace) => {
  const all: Record<RecordName, LooseRecord[]> = ofEach((kind) => [...records[kind].values()]);
  const valuesOf = (kind: RecordName, name: string) => all[kind].map((one) => one[name]);
  const addNamed = (kind: RecordName, named: readonly unknown[]) => {
    const known = new Set(valuesOf(kind, 'id'));
    for (const id of new Set(named)) if (typeof id === 'string' && id !== '' && !known.has(id)) all[kind].push({ id });
  };
  const addUnseen = (kind: RecordName) => {
    const parents = { project_id: valuesOf('projects', 'id'), task_id: valuesOf('tasks', 'id') };
    let n = 0;
    for (const [values, count] of lists.missing(kind, all[kind], parents))
      for (let i = 0; i < count && all[kind].length < MAX_SEEN_RECORDS; i++) {
        while (records[kind].has(unseenId(kind, ++n)));
        all[kind].push({ ...values, id: unseenId(kind, n) });
      }
  };
  addNamed('tasks', valuesOf('comments', 'task_id'));
  addNamed('projects', valuesOf('tasks', 'project_id'));
  for (const kind of ['projects', 'tasks', 'comments'] as const) addUnseen(kind);
  const project_id = all.projects[0]?.id ?? unseenId('projects', 0);
  all.tasks = all.tasks.map((task) => ({ project_id, ...task }));
  addNamed('projects', valuesOf('tasks', 'project_id'));
  const people = [valuesOf('projects', 'owner_id'), valuesOf('tasks', 'assignee_id'), valuesOf('comments', 'author_id')];
  addNamed('users', [...people, valuesOf('teams', 'member_ids')].flat(2));
  for (const kind of ['users', 'teams'] as const) addUnseen(kind);
  if (all.users.length === 0) addNamed('users', [unseenId('users', 0)]);
  return all;
};

const draftWorkspace = (id: string, workspace: SeenWorkspace, write: WriteText, defaultOrder: string) => {
  const all = completeRecords(workspace);
  const draft = (kind: RecordName, one: LooseRecord): Draft => {
    if ('created_at' in one) return draftRecord(kind, one, write);
    const place = workspace.lists.placeOf(kind, { ...BLANKS[kind], ...one }, defaultOrder);
    const { title, ...rest } = draftRecord(kind, { ...place, ...one }, write);
    return { ...rest, title: 'title' in place && !('title' in one) ? `${String(title).slice(0, 254)}~` : title };
  };
  const { users, projects, tasks, comments, teams } = ofEach((kind) => all[kind].map((one) => draft(kind, one)));
  spreadTimes(users, '2024-07-01T09:00:00.000Z');
  const names = new Set<unknown>();
  for (const [i, team] of teams.entries()) {
    if (names.has(team.name)) team.name = `Team ${i + 1}`;
    names.add(team.name);
    // A list shows how many members a team has, not which.
    const { member_count: count, member_ids: shown = [] } = all.teams[i]!;
    if ([shown].flat().length === 0) team.member_ids = users.slice(0, Number(count ?? 0)).map((user) => user.id);
  }
  for (const task of tasks) task.title ??= '(not seen)';
  for (const comment of comments) comment.body ??= 'A comment';
  for (const list of [projects, tasks, comments, teams])
    list.sort((a, b) => textOrder(String(a.created_at), String(b.created_at)));
  const ownerOf = (role: string) => users.find((user) => user.id === write('id', workspace.owners.get(role) ?? '')) ?? users[0]!;
  const keys = SCOPES.map((scope) => {
    return { value: `wm_${id}_${scope}`, scope, user_id: ownerOf(id === 'ws_other' ? 'other' : scope).id };
  });
  const name = id === 'ws_other' ? 'Other workspace' : 'Workspace';
  return { id, name, plan: 'unlimited', users, api_keys: keys, projects, tasks, comments, teams };
};
