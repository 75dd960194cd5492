// What no body may be: each field of each create and update × each way to be wrong, several fields to a request.
import type { Check } from '../engine/check.ts';
import {
  type Exchange,
  errorOf,
  faultyFields,
  ids,
  isRecord,
  type Json,
  namesField,
  records,
  resource,
  succeeded,
} from '../engine/exchange.ts';
import type { Made } from '../engine/scene.ts';
import { at } from '../engine/spelling.ts';
import type { Tools } from '../engine/tools.ts';
import { NOBODYS } from '../engine/world.ts';
import { surelyNoMember } from '../oracle/expect.ts';
import type { Written } from '../oracle/rules.ts';
import { nameOfVictim } from '../situations/records.ts';
import { type Pack, packsOf } from './wrong-values.ts';

interface Place {
  readonly resource: Written;
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  /** A body that is accepted, made anew each time, so that a record that should not be is known by its name. */
  readonly good: () => Json;
}

let count = 0;
const send = (t: Tools, { method, path, resource: kind }: Place, body: unknown): Promise<Exchange> =>
  t.send(method, path, { as: kind === 'team' ? t.strong : t.main, body });

const bodyOf = (place: Place, { wrong, without }: Pack): Json => {
  const absent = Object.fromEntries((without ?? []).map((name) => [name, undefined]));
  return { ...place.good(), ...absent, ...wrong };
};

/** One request for all faults; where it leaves one unnamed, or is accepted, a request for each tells which is overlooked. */
const refuse = async (t: Tools, place: Place, pack: Pack): Promise<Exchange> => {
  const x = await send(t, place, bodyOf(place, pack));
  const names = Object.keys(pack.wrong);
  if (names.length < 2) return x;
  // What names no field at all is judged as that.
  if (!succeeded(x) && (![400, 422].includes(x.status) || faultyFields(x).length === 0)) return x;
  const overlooked = succeeded(x) ? names : names.filter((name) => !namesField(x, name));
  let blamed = false;
  for (const name of overlooked) {
    const alone = await send(t, place, bodyOf(place, { ...pack, wrong: { [name]: pack.wrong[name] } }));
    blamed ||= succeeded(alone);
  }
  if (overlooked.length > 0 && !blamed) {
    if (succeeded(x)) t.must('WM-ERR-028', false, 'several faults in one body are accepted, though none is alone', x);
    else t.must('WM-ERR-006', false, `details.fields does not name ${overlooked.join(', ')}`, x);
  }
  return x;
};

/** In the order of the places: a list of one body is no body, and an empty one no empty update. */
const noObject = (place: Place, i: number): unknown => [null, [place.good()], 'wm', [], [place.good()]][i];

const places = async (t: Tools): Promise<Place[]> => {
  const { sideId, sideTasks, members } = await t.world();
  const project = `/projects/${encodeURIComponent(sideId)}`;
  const task = sideTasks.at(-1);
  const name = () => t.name(`refused-${++count}`);
  return [
    { resource: 'project', method: 'POST', path: '/projects', good: () => ({ name: name(), description: name() }) },
    { resource: 'task', method: 'POST', path: `${project}/tasks`, good: () => ({ title: name(), description: 'refused' }) },
    ...(t.knows('1.2')
      ? [
          {
            resource: 'team',
            method: 'POST',
            path: '/teams',
            good: () => ({ name: name(), member_ids: members.slice(0, 1) }),
          } as const,
        ]
      : []),
    // What is right in a refused update must not be kept either.
    {
      resource: 'project',
      method: 'PATCH',
      path: project,
      good: () => ({ name: t.name(`half-${++count}`), description: `half ${count}`, visibility: 'private' }),
    },
    ...(task
      ? [
          {
            resource: 'task',
            method: 'PATCH',
            path: `/tasks/${encodeURIComponent(String(task.got.id))}`,
            good: () => ({ description: `half ${++count}`, due_date: '2033-03-03T03:03:03Z', title: 'half' }),
          } as const,
        ]
      : []),
  ];
};

const known = (t: Tools, { resource: kind, method }: Place) =>
  method === 'POST' ? t.parts.rules.create[kind] : t.parts.rules.update[kind];

const judgesOf = (kind: Written, method: string): readonly string[] => {
  const id = (prefix: string, ...numbers: string[]) => numbers.map((n) => `WM-${prefix}-${n}`);
  if (method === 'PATCH') {
    const [from, to] = kind === 'project' ? [77, 83] : [84, 97];
    const own = Array.from({ length: to - from + 1 }, (_, i) => `WM-EP-${String(from + i).padStart(3, '0')}`);
    return [...own.filter((id) => id !== 'WM-EP-089' && id !== 'WM-EP-091')];
  }
  if (kind === 'project') return id('PROJ', '003', '008', '015', '016', '018', '019', '020', '021');
  if (kind === 'task')
    return id('TASK', '004', '017', '018', '019', '048', '023', '024', '026', '027', '028', '029', '030', '031', '032');
  return id('TEAM', '003', '017', '018', '019', '020', '027');
};

const ofPlace = (kind: Written, method: 'POST' | 'PATCH'): Check => ({
  id: `refusals/${method === 'POST' ? 'create' : 'update'}-${kind}`,
  says: `A ${method} of a ${kind} with a field that is missing, wrongly typed, too long, empty or unlisted is refused and names it`,
  covers: [
    ...judgesOf(kind, method),
    'WM-ERR-004',
    'WM-ERR-006',
    'WM-ERR-009',
    'WM-ERR-013',
    'WM-ERR-021',
    'WM-ERR-028',
    'WM-ERR-038',
    'WM-GEN-015',
  ],
  profile: 'core',
  run: async (t: Tools) => {
    if (kind === 'team' && !t.knows('1.2')) return;
    const place = (await places(t)).find((one) => one.resource === kind && one.method === method);
    t.need(place !== undefined, 'WM-EP-008');
    const { members } = await t.world();
    for (const pack of packsOf(known(t, place), method === 'POST', members[0])) {
      if (!t.within(pack.profile) || (pack.thorough && !t.thorough)) continue;
      const x = await refuse(t, place, pack);
      const [value] = Object.values(pack.wrong);
      if (value !== 'nonsense') continue;
      t.note('WM-ERR-021', String(x.status), x);
      t.observe('value-fault-status', String(x.status));
    }
  },
});

/** What is no object, or no JSON, or nothing. */
const shapes: Check = {
  id: 'refusals/shapes',
  says: 'A body that is no JSON, no object or empty is refused with 400',
  covers: ['WM-ERR-008', 'WM-ERR-027', 'WM-ERR-032', 'WM-ERR-033', 'WM-ERR-034', 'WM-ERR-035', 'WM-ERR-036'],
  profile: 'core',
  run: async (t: Tools) => {
    const all = await places(t);
    for (const [i, place] of all.entries()) {
      const as = place.resource === 'team' ? t.strong : t.main;
      // Cut short, or with something behind it.
      const whole = JSON.stringify(place.good());
      const broken = i % 2 === 0 ? whole.slice(0, -1) : `${whole} wm`;
      // A parser serves every operation: one create, one update and the first of all tell of it.
      const [text, other] = [
        i === 0 || (t.within('full') && i % 2 === 1),
        i === 1 || (t.within('full') && (i === 0 || i === all.length - 1)),
      ];
      if (text || t.thorough) await t.send(place.method, place.path, { as, raw: broken });
      if (other || t.thorough) await send(t, place, noObject(place, i));
      if (place.method === 'POST' && (i === 0 ? t.within('full') : t.thorough))
        await t.send(place.method, place.path, { as, raw: '', headers: { 'content-type': 'application/json' } });
    }
  },
};

/** The task of the side project that nobody is assigned to, else another one. */
const unassigned = (sideTasks: readonly Made[]): string =>
  `/tasks/${encodeURIComponent(String((sideTasks[NOBODYS] ?? sideTasks[0]!).got.id))}`;

const references: Check = {
  id: 'refusals/references',
  says: 'Only a member of the workspace can be assigned, and joins a team',
  covers: ['WM-TASK-014', 'WM-TASK-015', 'WM-EP-089', 'WM-EP-091', 'WM-TEAM-021', 'WM-TEAM-026'],
  profile: 'full',
  run: async (t: Tools) => {
    const { sideTasks, sideId } = await t.world();
    t.need(sideTasks.length > 0, 'WM-EP-008');
    const inside = `${at('projects', sideId)}/tasks`;
    const nobody = t.nobody();
    const subject = `/tasks/${encodeURIComponent(String(sideTasks.at(-1)!.got.id))}`;
    await t.post(inside, { title: t.name(`nobody-${++count}`), assignee_id: nobody });
    // Whoever is assigned so far, and though nobody is.
    const body = { assignee_id: nobody, title: 'half reference', description: 'half reference', priority: 'low' };
    await t.patch(unassigned(sideTasks), body);
    if (!t.knows('1.2')) return;
    const team = await t.sharedTeam();
    if (surelyNoMember(t.parts.oracle.workspace('own'), team)) {
      t.refusal(
        'WM-TASK-015',
        await t.post(inside, { title: t.name('team'), assignee_id: team }),
        [400, 404, 422],
        'a team as assignee_id',
      );
      t.refusal('WM-EP-091', await t.patch(subject, { assignee_id: team }), [400, 404, 422], 'a team as assignee_id');
    }
    // The name is needed later: what was refused has taken none.
    const name = t.parts.scene.victim ? t.name('stranger') : nameOfVictim(t);
    const unknown = await t.post('/teams', { name, member_ids: [nobody] }, { as: t.strong });
    t.note('WM-TEAM-026', succeeded(unknown) ? 'ignored' : `refused with ${unknown.status}`, unknown);
    if (!succeeded(unknown)) return void t.must('WM-TEAM-021', t.refused(unknown), `answers ${unknown.status}`, unknown);
    if (!t.parts.scene.victim) t.parts.scene.taken = true;
    const read = await t.get(at('teams', resource(unknown).id));
    const joined = Array.isArray(resource(read).members) ? (resource(read).members as unknown[]).filter(isRecord) : [];
    t.must('WM-TEAM-021', !joined.some((member) => member.id === nobody), 'an id of nobody becomes a member', unknown, read);
  },
};

/** A user of the other workspace who is none of ours. */
const foreigner: Check = {
  id: 'refusals/foreign-references',
  says: 'A user of another workspace can neither be assigned nor join a team',
  covers: ['WM-TASK-016', 'WM-TASK-053', 'WM-ISO-018'],
  needs: ['other'],
  profile: 'full',
  run: async (t: Tools) => {
    const { sideId, members, sideTasks } = await t.world();
    const others = ids(records(await t.membersOfOther()));
    const foreign = others.find((id) => !members.includes(id));
    if (!foreign) t.skip('NO_FIXTURE(user of the other workspace alone)');
    const statuses = [400, 404, 409, 422];
    const why = 'a user of another workspace as assignee_id';
    const made = await t.post(`/projects/${encodeURIComponent(sideId)}/tasks`, {
      title: t.name('foreigner'),
      assignee_id: foreign,
    });
    t.refusal('WM-TASK-016', made, statuses, why);
    if (sideTasks.length > 0)
      t.refusal('WM-TASK-053', await t.patch(unassigned(sideTasks), { assignee_id: foreign }), statuses, why);
    if (!t.knows('1.2')) return;
    const y = await t.post(
      '/teams',
      { name: t.name('foreigner'), member_ids: [...members.slice(0, 1), foreign] },
      { as: t.strong },
    );
    const id = succeeded(y) ? String(resource(y).id) : undefined;
    const joined = id ? resource(await t.get(`/teams/${encodeURIComponent(id)}`)).members : [];
    const inside = Array.isArray(joined) && joined.some((member: { id?: unknown }) => member.id === foreign);
    const ended = inside ? 'joins a team' : `in a new team is answered ${y.status}`;
    t.must('WM-ISO-018', !inside && y.status < 500, `a user of another workspace ${ended}`, y);
  },
};

/** Looks at what the refused requests may have left or changed. */
const effects: Check = {
  id: 'refusals/effects',
  says: 'A request that was refused creates and changes nothing',
  covers: ['WM-ERR-017', 'WM-ERR-018', 'WM-ERR-041', 'WM-STATE-003', 'WM-ERR-025'],
  profile: 'core',
  run: async (t: Tools) => {
    const { sideId, sideTasks } = await t.world();
    t.need(sideTasks.length > 0, 'WM-EP-008');
    const at = `/projects/${encodeURIComponent(sideId)}`;
    const mixed = await t.post(`${at}/tasks`, { title: 5, description: 'w'.repeat(10_001) });
    const fields = (errorOf(mixed).details as Json | undefined)?.fields;
    const all = Array.isArray(fields) && fields.length > 1;
    t.note('WM-ERR-025', `${mixed.status}, ${Array.isArray(fields) ? fields.length : 0} fields`, mixed);
    t.observe('mixed-faults', mixed.status === 422 ? (all ? '422-all' : '422') : all ? '400-all' : '400-structural');
    const list = await t.get(`${at}/tasks?limit=100`);
    const subject = records(list).find(({ id }) => id === sideTasks.at(-1)!.got.id);
    const statuses = t.parts.rules.create.task.find(({ name }) => name === 'status')?.values ?? [];
    if (subject) t.must('WM-STATE-003', statuses.includes(String(subject.status)), 'a refused status is stored', list);
  },
};

export const refusalChecks: readonly Check[] = [
  ofPlace('project', 'POST'),
  ofPlace('task', 'POST'),
  ofPlace('project', 'PATCH'),
  ofPlace('task', 'PATCH'),
  ofPlace('team', 'POST'),
  shapes,
  references,
  foreigner,
  effects,
];
