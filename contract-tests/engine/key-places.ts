// Whether each key is in its place: only signs that agree end a run, in doubt the checks judge the service.
import type { Client } from './client.ts';
import { type Exchange, errorOf, idOf, ids, isRecord, metaOf, records, refused, resource, succeeded } from './exchange.ts';
import { InfraError, NoResponse } from './infra.ts';
import { createdId } from './made.ts';
import { pathOf } from './paths.ts';
import { type Keys, VARIABLES } from './preflight.ts';
import { type Role, RunError } from './terms.ts';

export interface Place {
  readonly client: Client;
  readonly keys: Keys;
  readonly main: Role;
  /** Whether the run may write. */
  readonly writes: boolean;
  /** A part of the name of all it makes. */
  readonly run: string;
}

export interface Found {
  /** The smallest limit that lists take as it is. */
  readonly smallestLimit: number;
  /** The first tasks of the workspace. */
  readonly tasks: Exchange;
  /** The user of the main key. */
  readonly user: string | undefined;
}

const READ = 'Keys are listed in contract-tests/README.md of the repository, Staging, in CI';
const wrong = (what: string, why: string, remedy: string): RunError => new RunError(`${what}: ${why}. ${remedy}. ${READ}`);

/** No smallest limit is believed above this: a server that gives more ignores the limit. */
const MAX_LIMIT = 10;

const isList = (x: Exchange) =>
  succeeded(x) && (records(x).length > 0 || Array.isArray(isRecord(x.json) ? x.json.items : x.json));
/** A refusal as the service words it: a key that lacks a scope. */
const isForbidden = (x: Exchange) => x.status === 403 && typeof errorOf(x).code === 'string';
const isProfile = (x: Exchange) => succeeded(x) && ['id', 'email', 'name'].some((name) => typeof resource(x)[name] === 'string');

/** One key in two variables: it has one scope and one workspace. */
const checkTwins = (keys: Keys): void => {
  const given = (Object.keys(VARIABLES) as Role[]).filter((role) => keys[role]);
  for (const [i, one] of given.entries()) {
    const twin = given.slice(i + 1).find((role) => keys[role] === keys[one]);
    if (!twin) continue;
    const what = `${VARIABLES[one]} and ${VARIABLES[twin]} hold the same key`;
    if (twin === 'other' || one === 'other')
      throw wrong(what, 'it belongs to the same workspace', 'Give a key of a second workspace, or leave the second variable out');
    if (twin === 'revoked' || one === 'revoked')
      throw wrong(what, 'it cannot be revoked and in use', 'Give a key that was revoked, or leave WM_API_KEY_REVOKED out');
    throw wrong(what, 'a key has one scope', 'Give each variable a key of its own, or leave one out');
  }
};

/** The first tasks, with the smallest limit that is taken: a server may refuse a limit of 1, or raise it. */
const firstTasks = async ({ client, main }: Place): Promise<{ tasks: Exchange; smallestLimit: number }> => {
  const ask = (limit: number) => client.send('GET', `/tasks?limit=${limit}`, { as: main });
  const tasks = await ask(1);
  const raised = metaOf(tasks).limit;
  if (succeeded(tasks)) {
    const believed = typeof raised === 'number' && raised > 1 && raised <= MAX_LIMIT && records(tasks).length <= raised;
    return { tasks, smallestLimit: believed ? raised : 1 };
  }
  if (![400, 422].includes(tasks.status)) return { tasks, smallestLimit: 1 };
  for (const limit of [2, 5, MAX_LIMIT]) {
    const x = await ask(limit);
    if (succeeded(x)) return { tasks: x, smallestLimit: limit };
  }
  return { tasks, smallestLimit: 1 };
};

/** Ends the run when a key is no key: one operation that refuses it may be a fault, two are not. */
const checkAccepted = async ({ client }: Place, as: Role): Promise<void> => {
  for (const path of ['/users/me', '/workspace/members']) if ((await client.send('GET', path, { as })).status !== 401) return;
  throw new RunError(
    `${VARIABLES[as]}: the ${as} key is refused with 401: is it a key of this service, and not revoked? Give a key that works, or leave the variable out. ${READ}`,
  );
};

/** The members that a key sees, as far as one page shows them. */
const members = async ({ client }: Place, as: Role): Promise<string[]> =>
  ids(records(await client.send('GET', '/workspace/members?limit=100', { as })));

/** The main key works, and the target responds as the service does: two of three responses look like it. */
const checkService = async (p: Place): Promise<Found> => {
  const { client, main } = p;
  const me = await client.send('GET', '/users/me', { as: main });
  if (me.status === 401) await checkAccepted(p, main);
  if (me.status >= 300 && me.status < 400)
    throw new RunError(`GET /users/me returns ${me.status}: the base URL redirects; give the final one`);
  const { tasks, smallestLimit } = await firstTasks(p);
  // Any scope may read: a service that refuses it breaks the table of scopes, and no other place of the key would be right.
  const refusesReads = isForbidden(me) && isForbidden(tasks);
  if (!refusesReads && (!isProfile(me) || !isList(tasks))) {
    const listed = isList(await client.send('GET', '/workspace/members', { as: main }));
    const known = typeof errorOf(tasks).code === 'string';
    if (!isProfile(me) && !(listed && (isList(tasks) || known)))
      throw new RunError(
        `GET /users/me returns ${me.status} and no profile${me.flaw ? `, for its body ${me.flaw}` : ''}: this is not the Work-Management API, or not its base URL`,
      );
    if (isProfile(me) && !listed && !known)
      throw new RunError(
        'GET /tasks and GET /workspace/members return no lists: this is not the Work-Management API, or not its base URL',
      );
  }
  return { smallestLimit, tasks, user: idOf(resource(me)) };
};

const sameSet = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((id) => b.includes(id));

/** Ends the run when a key belongs to another workspace than the main one, by two signs beside the project that it does not find. */
const checkForeign = async (p: Place, as: Role): Promise<void> => {
  const { client, main } = p;
  const me = idOf(resource(await client.send('GET', '/users/me', { as })));
  const [ours, theirs] = [await members(p, main), await members(p, as)];
  const shared = theirs.filter((id) => ours.includes(id)).length;
  const stranger = me !== undefined && ours.length > 0 && ours.length < 100 && !ours.includes(me);
  const others = theirs.length > 0 && ours.length > 0 && shared < Math.min(theirs.length, ours.length) / 2;
  let hidden = false;
  if (stranger !== others) {
    const seen = records(await client.send('GET', '/projects', { as })).map(idOf)[0];
    hidden = seen !== undefined && (await client.send('GET', pathOf('/projects', seen), { as: main })).status === 404;
  }
  if ([stranger, others, hidden].filter(Boolean).length < 2) return;
  throw wrong(
    `${VARIABLES[main]} and ${VARIABLES[as]} hold keys of two workspaces`,
    'a project that one has made is not there for the other, and their members differ',
    'Give keys of one workspace; that of a second one belongs in WM_API_KEY_OTHER_WORKSPACE',
  );
};

/** How much of our budget two requests of another key cost, at the least of some tries; NaN when nothing tells. */
const costOf = async ({ client, main }: Place, as: Role): Promise<number> => {
  const left = async (role: Role) =>
    Number((await client.send('GET', '/users/me', { as: role })).headers.get('x-ratelimit-remaining') ?? Number.NaN);
  let least = Number.NaN;
  for (let tries = 0; tries < 3 && !(least < 2); tries++) {
    await client.room(4);
    const before = await left(main);
    for (let i = 0; i < 2; i++) await left(as);
    const fall = before - (await left(main)) - 1;
    least = Number.isNaN(least) ? fall : Math.min(least, fall);
  }
  return least;
};

/** Ends the run when the key of the second workspace is one of the first: it sees its people and its projects, and uses up its budget. */
const checkSame = async (p: Place, project: string | undefined): Promise<void> => {
  const { client, main } = p;
  const as = 'other' as const;
  const [own, theirs] = [await members(p, main), await members(p, as)];
  if (own.length === 0 || !sameSet(theirs, own)) return;
  const me = idOf(resource(await client.send('GET', '/users/me', { as })));
  if (me !== undefined && !own.includes(me)) return;
  const listed = async (role: Role) => ids(records(await client.send('GET', '/projects', { as: role })));
  const [ours, shown] = [await listed(main), await listed(as)];
  if (shown.length === 0 || !shown.some((id) => ours.includes(id) || (project !== undefined && id === project))) return;
  if (!((await costOf(p, as)) >= 2)) return;
  throw wrong(
    `${VARIABLES.other}: the other-workspace key belongs to the same workspace as ${VARIABLES[main]}`,
    'it sees the same members and projects and uses up the same budget',
    'Give a key of a second workspace, or leave it out',
  );
};

/** A project of the run; undefined when the key may not make one, or the target cannot. */
const makeProject = async ({ client, run }: Place, as: Role): Promise<{ x: Exchange; id: string | undefined }> => {
  const x = await client.send('POST', '/projects', { as, body: { name: `${run}-preflight`, visibility: 'team' } });
  return { x, id: succeeded(x) ? createdId(x) : undefined };
};

const noScope = (role: Role, swapped: boolean): RunError =>
  wrong(
    swapped ? `${VARIABLES[role]} and ${VARIABLES.read} are swapped` : `${VARIABLES[role]} holds a key with the scope read`,
    `each write of it is refused with 403${swapped ? ', and those of the read key are not' : ''}`,
    swapped ? 'Exchange the two' : `Give a key with the scope ${role}, or only WM_API_KEY_READ with the profile read-only`,
  );

/** Whether a key may read and do nothing else: one that may not read, or may do what administrators do, is no read key, whatever a service refuses it. */
const readsAlone = async ({ client }: Place, as: Role): Promise<boolean> => {
  if (isForbidden(await client.send('GET', '/users/me', { as }))) return false;
  // Without a name and without a url nothing is made, by any key.
  for (const path of ['/teams', '/webhooks'])
    if ((await client.send('POST', path, { as, body: {} })).status !== 403) return false;
  return true;
};

/** Ends the run when every kind of write of a key is refused with 403. A service that refuses one kind is judged by the checks. */
const checkMayWrite = async (p: Place, as: Role, project: string | undefined): Promise<void> => {
  const { client, keys, run } = p;
  const none = `${run}-none`;
  const tries: readonly [string, string, object][] = project
    ? [
        ['PATCH', pathOf('/projects', project), { description: 'preflight' }],
        ['POST', `${pathOf('/projects', project)}/tasks`, { title: `${run}-preflight` }],
      ]
    : [
        ['PATCH', pathOf('/projects', none), { description: 'preflight' }],
        ['PATCH', pathOf('/tasks', none), { description: 'preflight' }],
      ];
  for (const [method, path, body] of tries) if ((await client.send(method, path, { as, body })).status !== 403) return;
  if (!(await readsAlone(p, as))) return;
  const swapped = keys.read !== undefined && (await makeProject(p, 'read')).id !== undefined;
  throw noScope(as, swapped);
};

/** Ends the run when the read key may do everything, also what the write key may not: then scopes are looked at, and this is an admin key. */
const checkMayNotWrite = async (p: Place): Promise<void> => {
  const { client, main, run } = p;
  const team = (as: Role) => client.send('POST', '/teams', { as, body: { name: `${run}-preflight` } });
  if (main !== 'write' || (await team('write')).status !== 403 || !succeeded(await team('read'))) return;
  if ((await makeProject(p, 'read')).id === undefined) return;
  throw wrong(
    `${VARIABLES.read} holds a key with the scope admin`,
    `it may create teams, which ${VARIABLES.write} may not, and changes projects`,
    'Give a key with the scope read, or leave it out',
  );
};

/** With a project of the run at hand each key shows in one or two requests where it belongs. */
const checkPlaces = async (p: Place): Promise<void> => {
  const { client, keys, main } = p;
  let { x, id } = await makeProject(p, main);
  if (x.status === 403) {
    if (main !== 'admin' && keys.admin) ({ id } = await makeProject(p, 'admin'));
    await checkMayWrite(p, main, id);
  }
  if (id === undefined) return checkResponses(p);
  const at = pathOf('/projects', id);
  const reads = keys.read !== undefined && main !== 'read';
  const read = await client.send('GET', at, { as: reads ? 'read' : main });
  if (!client.confirm(at, read)) return checkResponses(p);
  if (reads) {
    if (read.status === 401) await checkAccepted(p, 'read');
    if (read.status === 404) await checkForeign(p, 'read');
    const patched = await client.send('PATCH', at, { as: 'read', body: { description: 'preflight' } });
    if (succeeded(patched)) await checkMayNotWrite(p);
  }
  if (keys.other) {
    const read = await client.send('GET', at, { as: 'other' });
    if (read.status === 401) await checkAccepted(p, 'other');
    if (succeeded(read)) await checkSame(p, id);
  }
  const last = keys.admin ? 'admin' : main;
  const deletion = await client.send('DELETE', at, { as: last }).catch((cause: unknown) => {
    if (cause instanceof NoResponse && cause.gone) return undefined;
    throw cause;
  });
  if (!deletion) return;
  if (deletion.status === 401) await checkAccepted(p, last);
  if (deletion.status === 404 && last !== main) await checkForeign(p, last);
  if (deletion.status === 403 && last !== main) {
    if ((await makeProject(p, last)).x.status === 403) await checkMayWrite(p, last, id);
  }
  if (refused(deletion) && last !== main) await client.send('DELETE', at, { as: main });
};

/** Without a write: each key is accepted, and the second workspace is one. */
const checkResponses = async (p: Place): Promise<void> => {
  const { client, keys, main } = p;
  for (const role of ['write', 'admin', 'read', 'other'] as const) {
    if (!keys[role] || role === main) continue;
    if ((await client.send('GET', '/users/me', { as: role })).status === 401) await checkAccepted(p, role);
  }
  if (keys.other) await checkSame(p, undefined);
};

/**
 * Whether this is the service, and each key in its place; in most cases eight requests.
 * @throws RunError that names the variable, when the signs agree
 */
export const checkKeyPlaces = async (p: Place): Promise<Found> => {
  checkTwins(p.keys);
  try {
    const found = await checkService(p);
    await (p.writes ? checkPlaces(p) : checkResponses(p));
    return found;
  } catch (cause) {
    if (!(cause instanceof NoResponse)) throw cause;
    throw new InfraError(`the keys could not be looked at (${cause.kind}): run again when the target responds`);
  }
};
