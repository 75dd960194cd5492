// Creates, reads, changes and removes records without scopes, quota or journal; drafts are checked and completed as seeds are.
import { applyPatch, removeRecords } from '../../service/http/handlers/edit-records.ts';
import { keyWithValue } from '../../service/http/identify.ts';
import { check, type Finding, type Validate } from '../../service/validation/check.ts';
import { valueText } from '../../service/validation/show.ts';
import type { Collection, Row } from '../../service/world/collection.ts';
import { FIELDS, NAMES, type RecordName, type WorkspaceSeed } from '../../service/world/records.ts';
import type { View } from '../../service/world/view.ts';
import type { World } from '../../service/world/world.ts';
import { completeWorkspace } from '../seed/complete.ts';
import { runSync } from '../seed/pausable-work.ts';
import { mergeFaults, ruleFaults } from '../seed/rules.ts';
import { createSeedContext, idMaker } from '../seed/seed-context.ts';
import type { SeedFault } from '../seed/seed-error.ts';
import { readTime, SeedTimeReader } from '../seed/times.ts';
import * as generated from '../seed/validators.generated.ts';
import { type Call, findOr404, pageOfRows, refuse } from './call.ts';
import { dashboardView } from './owner.ts';
import { componentName, type RecordCallId, type RecordVerb, singularOf } from './record-types.ts';
import { findingsOf, refuseFindings } from './validate.ts';

type RecordInput = Readonly<Record<string, unknown>>;
type StoredValue = RecordInput & { readonly id: string };
interface RecordPlace {
  readonly world: World;
  readonly view: View;
  readonly before?: RecordInput;
}
interface RecordCall extends Pick<Call<RecordCallId>, 'variable' | 'query'> {
  readonly body: RecordInput;
}

const OLDEST_FIRST = { equal: [], by: 'created_at', descending: false, nulls: 'last' } as const;
const seedListName = (name: RecordName): string => (name === 'keys' ? 'api_keys' : name);

const storeOf = (world: World, name: RecordName) => world.store[name] as unknown as Collection<StoredValue>;

const showRecord = (world: World, name: RecordName, { value, workspace }: Row<StoredValue>) => {
  const at = world.lastUsed.get(value.id);
  const used = name === 'keys' ? { last_used_at: at === undefined ? null : new Date(at).toISOString() } : {};
  return { ...value, workspace_id: workspace, ...used };
};

export const recordWith = (world: World, name: RecordName, id: string) => {
  const row = storeOf(world, name).get(id);
  return row && showRecord(world, name, row);
};
const expectRow = (world: World, name: RecordName, id: string) => findOr404(singularOf(name), id, storeOf(world, name).get(id));

const seedValidators: Readonly<Record<RecordName, unknown>> = generated;

const shapeFaults = (world: World, name: RecordName, record: unknown): readonly Finding[] =>
  check(seedValidators[name] as Validate, record, new SeedTimeReader(world.clock.now()));

const faultsOf = ({ world, view, before }: RecordPlace, name: RecordName, record: RecordInput): readonly SeedFault[] => {
  const taken = (list: string, field: string, value: string): boolean => {
    if (list === 'workspaces' || before?.[field] === value) return false;
    if (field === 'id') return world.store[list === 'api_keys' ? 'keys' : (list as RecordName)].get(value) !== undefined;
    return list === 'teams' ? view.findBy('teams', 'name', value).length > 0 : keyWithValue(world, value) !== undefined;
  };
  const known = (refers: RecordName, id: string) => view.find(refers, id) !== undefined;
  const file = { workspaces: [{ id: view.caller.workspace, [seedListName(name)]: [record] }] };
  const rules = ruleFaults(file, { beside: { known, taken } }).map((fault) => ({ ...fault, path: fault.path.slice(4) }));
  return mergeFaults(shapeFaults(world, name, record), rules);
};

const VALUE = { kind: 'value' } as const;

const refuseFor = (faults: readonly SeedFault[]): void => {
  const taken = faults.every(({ what }) => what.startsWith('duplicate'));
  refuseFindings(
    // A missing field is a rule of new records: changes share the schema.
    faults.map((fault) => ({ ...VALUE, hint: '', ...fault, ...(fault.what === 'missing' && VALUE) })),
    taken ? 409 : undefined,
  );
};

const completeDraft = ({ world, view }: RecordPlace, name: RecordName, record: RecordInput): WorkspaceSeed => {
  const has = (id: string) => NAMES.some((kind) => world.store[kind].get(id) !== undefined);
  const emails = new Set(name === 'users' ? world.store.users.all().map(({ value }) => value.email) : []);
  const makeId = idMaker({ has }, view.choices['id-style']);
  const making = createSeedContext(new SeedTimeReader(world.clock.now()), { random: world.random, makeId, emails });
  const [first] = view.list('users', OLDEST_FIRST, []).rows(0, 1);
  const file = { id: view.caller.workspace, api_keys: [], [seedListName(name)]: [record] };
  return runSync(completeWorkspace(making, file, { first: first?.value.id ?? '' }));
};

/** The field that needs a made-up name, and that of the record's holder with its kind. */
const NEEDED: { readonly [N in RecordName]?: readonly [called: string, holder?: string, kind?: 'projects' | 'tasks'] } = {
  projects: ['name'],
  tasks: ['title', 'project_id', 'projects'],
  teams: ['name'],
  comments: ['body', 'task_id', 'tasks'],
};

/** The record with a holder: an existing one, or new ones around it, with the path to it. */
const placeRecord = (
  place: RecordPlace,
  name: RecordName,
  given: RecordInput,
): { name: RecordName; record: RecordInput; way: readonly unknown[] } => {
  const { world, view } = place;
  const [called, field, kind] = NEEDED[name] ?? [];
  let n = world.store[name].size + 1;
  while (name === 'teams' && view.findBy('teams', 'name', `Team ${n}`).length > 0) n += 1;
  const record = { ...(called && { [called]: `${componentName(name)} ${n}` }), ...given };
  if (field === undefined || kind === undefined || given[field] !== undefined) return { name, record, way: [] };
  const [first] = view.list(kind, OLDEST_FIRST, []).rows(0, 1);
  if (first) return { name, record: { ...record, [field]: first.value.id }, way: [] };
  const within = placeRecord(place, kind, { [name]: [record] });
  return { ...within, way: [...within.way, name, 0] };
};

const workspaceOf = (world: World, name: RecordName, { workspace_id: named, ...given }: RecordInput): string => {
  if (named !== undefined && !world.workspaces.has(named as string))
    refuse([{ field: 'workspace_id', issue: `must be the id of a workspace, got ${valueText(named)}` }]);
  if (named !== undefined) return named as string;
  const referred = FIELDS[name].flatMap(({ name: field, refers }) => {
    const [id] = [given[field]].flat();
    return (refers && typeof id === 'string' && world.store[refers].get(id)?.workspace) || [];
  });
  return referred[0] ?? world.workspaces.keys().next().value!;
};

/** Creates a record and its nested records. @throws Problem naming each field, with nothing changed */
const createRecord = (world: World, name: RecordName, { body }: RecordCall) => {
  const { workspace_id: _, ...given } = body;
  const place = { world, view: dashboardView(world, workspaceOf(world, name, body)) };
  const { name: outer, record, way } = placeRecord(place, name, given);
  refuseFor(faultsOf(place, outer, record).map((fault) => ({ ...fault, path: fault.path.slice(way.length) })));
  const made = completeDraft(place, outer, record);
  for (const kind of NAMES) for (const one of made[kind]) place.view.insert(kind, one);
  return recordWith(world, name, made[name][0]!.id);
};

/** Fields that no change may set. */
const FIXED = ['id', 'workspace_id', 'tasks', 'comments'];

/** @throws Problem naming each field, with nothing changed */
const updateRecord = (world: World, name: RecordName, { variable: id, body }: RecordCall) => {
  const row = expectRow(world, name, id);
  const place = { world, view: dashboardView(world, row.workspace), before: row.value };
  const fixed = FIXED.filter((field) => field in body);
  const got = (field: string) => valueText(body[field]);
  refuseFor(fixed.map((field) => ({ path: [field], what: 'fixed', expected: 'left out of a change', got: got(field) })));
  const whole = { ...place.before, ...body };
  refuseFor(faultsOf(place, name, whole).filter(({ path: [field] }) => String(field) in body));
  const [after] = completeDraft(place, name, whole)[name] as unknown as readonly RecordInput[];
  applyPatch(place.view, name, row as never, Object.fromEntries(Object.keys(body).map((field) => [field, after![field]])));
  return recordWith(world, name, id);
};

const readQueryText = (text: string, types: readonly unknown[], time: string | undefined): unknown => {
  if (text === '' && types.includes('null')) return null;
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (types.includes('integer') || types.includes('number')) return Number.isNaN(Number(text)) ? text : Number(text);
  return time ?? text;
};

/** Matching records, oldest first. @throws Problem naming each field with an impossible value */
export const readRecords = (world: World, name: RecordName, { workspace_id, ...fields }: RecordInput) => {
  const wanted: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(fields)) {
    const { schema } = FIELDS[name].find((one) => one.name === field) ?? {};
    const types = [schema?.type].flat();
    const time = schema?.format === 'date-time' ? readTime(String(value), world.clock.now()) : undefined;
    const one = typeof value === 'string' ? readQueryText(value, types, time) : value;
    if (value !== undefined) wanted[field] = types.includes('array') ? [one] : one;
  }
  const faults = shapeFaults(world, name, wanted).filter(({ path: [field] }) => String(field) in wanted);
  refuseFindings(faults.map((fault) => ({ ...fault, ...VALUE, path: fault.path.slice(0, 1) })));
  const fits = (value: unknown, one: unknown) => (Array.isArray(value) ? value.includes((one as unknown[])[0]) : value === one);
  const isWanted = ({ value, workspace }: Row<StoredValue>) =>
    (workspace_id === undefined || workspace === workspace_id) &&
    Object.entries(wanted).every(([field, one]) => fits(value[field], one));
  const rows = storeOf(world, name).all();
  return rows.filter(isWanted).map((row) => showRecord(world, name, row));
};

/** @throws Problem 400 or 422 naming each wrong parameter */
const listRecords = (world: World, name: RecordName, { query: { limit, cursor, ...fields } }: RecordCall) => {
  const page = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
  refuseFindings(findingsOf('page', page), 400);
  return pageOfRows(page, readRecords(world, name, fields));
};

const neededBy = (world: World, name: RecordName, { workspace, value: { id } }: Row<StoredValue>) => {
  if (name === 'keys' && world.store.keys.all().filter((row) => row.workspace === workspace).length === 1)
    return 'is that of the last key of its workspace, which has at least one';
  if (name !== 'users') return undefined;
  for (const kind of NAMES) {
    for (const { name: field } of FIELDS[kind].filter(({ refers }) => refers === name)) {
      const rows = storeOf(world, kind).all();
      const by = rows.find(({ value }) => [value[field]].flat().includes(id));
      if (by) return `is the ${field} of the ${singularOf(kind)} ${by.value.id}: change or remove that first`;
    }
  }
  return undefined;
};

/** Removes a record and its dependents, as the service does. @throws Problem 404, 409 */
const removeRecord = (world: World, name: RecordName, { variable }: RecordCall): void => {
  const row = expectRow(world, name, variable);
  const issue = neededBy(world, name, row);
  if (issue) refuse([{ field: 'id', issue }], 409);
  removeRecords(dashboardView(world, row.workspace), name, [row as never]);
};

export const RECORD_ACTIONS: Readonly<Record<RecordVerb, (world: World, name: RecordName, call: RecordCall) => unknown>> = {
  list: listRecords,
  get: (world, name, { variable }) => showRecord(world, name, expectRow(world, name, variable)),
  create: createRecord,
  update: updateRecord,
  delete: removeRecord,
};
