// A world with no more than what one request met, and its response under a choice.
import { checkSeedNow } from '../../mock/seed/read.ts';
import type { Choices } from '../../service/contract/choices.ts';
import { isObject } from '../../service/contract/schema.ts';
import { SCOPES } from '../../service/contract/states.ts';
import { handleRequest } from '../../service/http/endpoint.ts';
import { withPageText } from '../../service/http/exchange.ts';
import { RequestInfo } from '../../service/http/request-info.ts';
import { responseHeaders } from '../../service/http/respond.ts';
import { readJson } from '../../service/validation/json-text.ts';
import { FIELDS, type RecordName } from '../../service/world/records.ts';
import { World } from '../../service/world/world.ts';
import type { KnownRecords } from './known-records.ts';
import { headerOf, type LooseRecord, type ReadExchange, recordFrom } from './read-exchange.ts';
import type { ComparedResponse } from './signature.ts';

export const TWIN_WORKSPACE = 'ws_twin';
const EPOCH = '2000-01-01T00:00:00.000Z';
const USER = 'user_twin';
/** Values that no response showed. */
const STAND_INS = { created_at: EPOCH, updated_at: EPOCH, owner_id: USER, author_id: USER, name: 'Name', title: 'Title' };
const USER_FIELDS = Object.values(FIELDS)
  .flat()
  .filter(({ name, refers }) => refers === 'users' && /^(assignee_id|member_ids)$/.test(name))
  .map(({ name }) => name);

const plantBlank = (): World => {
  const users = [{ id: USER, name: 'Twin', email: 'twin@example.test', created_at: EPOCH }];
  const api_keys = SCOPES.map((scope) => ({ id: `key_${scope}`, value: `wm_twin_${scope}`, scope }));
  const workspaces = [{ id: TWIN_WORKSPACE, requests_per_minute: 1e9, users, api_keys }];
  return World.plant(checkSeedNow({ now: EPOCH, workspaces }, { name: 'twin', now: 0 }));
};
let blank: World | undefined;

const isScope = (as: string): boolean => (SCOPES as readonly string[]).includes(as);

/** Whether the key's scope, as far as it is known, explains the status. */
const isKeyKnown = ({ as, status, traffic: { requestHeaders } }: ReadExchange): boolean =>
  headerOf(requestHeaders, 'content-encoding') === undefined &&
  (status === 401 ? !isScope(as) : !/^(nobody|revoked)$/.test(as) && (status !== 403 || isScope(as)));

/** A task that a first page of tasks with a due date, or of tasks without one, would show if it came first. */
const findOtherDue = ({ as, parameters, records, got, variable }: ReadExchange, known: KnownRecords): LooseRecord | undefined => {
  const given = new Map(parameters);
  const empty = new Set(records.map(({ record }) => record.due_date == null));
  const isFirst = isObject(got.meta) && got.meta.has_more === true && !given.has('cursor');
  if (!isFirst || empty.size !== 1 || !/^-?due_date$/.test(given.get('sort') ?? '')) return undefined;
  const wanted = parameters.flatMap(([name, value]) => (name.startsWith('filter[') ? [[name.slice(7, -1), value] as const] : []));
  if (variable !== undefined) wanted.push(['project_id', variable]);
  const isOther = (task: LooseRecord) => (task.due_date == null) !== empty.has(true);
  return known.all(as, 'tasks').find((task) => isOther(task) && wanted.every(([name, value]) => task[name] === value));
};

/** @param before the record in the path, as it was last. @returns undefined where the request met what is not known */
export const worldFor = (read: ReadExchange, known: KnownRecords, before: LooseRecord | undefined): World | undefined => {
  const { as, row, id, variable, status, succeeded, sent, got, records, at, traffic } = read;
  if (!isKeyKnown(read)) return undefined;
  blank ??= plantBlank();
  const world = blank.fork();
  world.clock.set(Math.max(at, Date.parse(String(before?.updated_at ?? EPOCH)) + 1000));
  const put = (kind: RecordName, record: LooseRecord) => {
    const value = { ...STAND_INS, ...record } as never;
    world.store[kind].put({ value, workspace: TWIN_WORKSPACE, sequence: world.nextSequence() });
  };
  const putUnknown = (kind: RecordName, one: string) => put(kind, recordFrom(kind, { id: one }, undefined));
  const isBeforeRecord = [401, 403, 404].includes(status);
  if (traffic.method !== 'POST') for (const { kind, record } of records) put(kind, recordFrom(kind, record, undefined));
  const other = findOtherDue(read, known);
  if (other) put('tasks', other);
  if (id === 'getMe' && records[0])
    for (const { value, ...place } of world.store.keys.all())
      world.store.keys.put({ ...place, value: { ...value, user_id: records[0].record.id } });
  if (row?.finds && variable !== undefined && !isBeforeRecord) {
    if (before) put(row.finds, before);
    else if (!succeeded && !known.isGone(as, variable)) return undefined;
    else if (succeeded && !world.store[row.finds].get(variable)) putUnknown(row.finds, variable);
  }
  if (id === 'createTeam') {
    const isNamed = ({ name }: LooseRecord) =>
      String(name).toLowerCase() === String(sent.name).toLowerCase() && (status !== 201 || name !== sent.name);
    const named = known.all(as, 'teams').filter(isNamed);
    for (const team of named) put('teams', team);
    if (status === 409 && named.length === 0) put('teams', recordFrom('teams', { id: 'team_twin', name: sent.name }, undefined));
  }
  const failing = JSON.stringify((isObject(got.error) && got.error.details) ?? '');
  for (const name of row?.body ? USER_FIELDS : [])
    for (const one of [sent[name]].flat()) {
      if (typeof one !== 'string') continue;
      const user = known.get(as, 'users', one);
      if (user) put('users', user);
      // A 404 says as little of the body as a success: it may be valid.
      else if (succeeded || status === 404) putUnknown('users', one);
      else if (!failing.includes(name) && !isBeforeRecord) return undefined;
    }
  return world;
};

export const respondWith = (
  world: World,
  choices: Choices,
  { as, id, variable, traffic, status }: ReadExchange,
  target: string,
): ComparedResponse => {
  const copy = world.fork();
  copy.terms = { ...copy.terms, choices };
  const request = new RequestInfo({
    operation: id,
    variable,
    method: traffic.method,
    url: `http://twin.test/v1${target}`,
    headers: [],
    authorization: status === 401 ? undefined : `Bearer wm_twin_${isScope(as) ? as : 'admin'}`,
    contentType: headerOf(traffic.requestHeaders, 'content-type'),
    body: { text: traffic.requestBody ?? '' },
  });
  const response = withPageText({ response: handleRequest(copy, request), terms: copy.terms });
  const headers = responseHeaders(response, 0);
  return { status: response.status, header: (name) => headers[name], body: readJson(response.text ?? '') };
};
