// Projects, tasks and teams as they are created and changed: the oracle judges each response, these bring the situations.
import type { Check } from '../engine/check.ts';
import { absent, type Exchange, errorOf, type Json, resource, standsStill, succeeded } from '../engine/exchange.ts';
import { createdId } from '../engine/made.ts';
import { instant, isUtc } from '../engine/shapes.ts';
import { at, clausesIn } from '../engine/spelling.ts';
import type { Role } from '../engine/terms.ts';
import type { Tools } from '../engine/tools.ts';
import { MARKUP, ODD, TITLES } from '../engine/world.ts';

const pad = (name: string, length: number) => name.padEnd(length, 'n');

const createProjects: Check = {
  id: 'projects/create',
  says: 'A project is created as sent, with its defaults, and read as created',
  covers: clausesIn('PROJ 2 4-7 13 14 17 22 24 27 30 33, ENV 5, GEN 4 8-10, EP 2 3'),
  profile: 'core',
  run: async (t: Tools) => {
    const { main, side, mainId } = await t.world();
    t.must('WM-GEN-004', succeeded(main.response), 'a JSON body is refused', main.response);
    const unset = absent(side.got.description) ? (side.got.description === null ? 'null' : 'left out') : 'another value';
    t.note('WM-PROJ-024', unset, side.response);
    t.note('WM-PROJ-022', 'owner_id' in main.got ? 'owner_id' : 'no owner_id', main.response);
    t.observe('owner-field', 'owner_id' in main.got ? 'owner_id' : 'absent');
    t.note('WM-GEN-010', mainId.startsWith('proj_') ? 'prefixed' : 'without prefix');
    t.observe('id-style', mainId.startsWith('proj_') ? 'prefixed' : 'opaque');
    const stamp = main.got.created_at;
    if (isUtc(stamp)) {
      const digits = /\.(\d+)Z$/.exec(stamp)?.[1]?.length ?? 0;
      const fraction = { 0: 'seconds', 3: 'milliseconds', 6: 'microseconds' }[digits] ?? `${digits} digits of a second`;
      t.observe('datetime-format', stamp.endsWith('Z') ? fraction : 'offset');
    }
    const read = await t.get(at('projects', mainId), { as: t.reader });
    t.must('WM-GEN-009', succeeded(read), 'the id that the create returned is not accepted', main.response, read);
  },
};

/** Which every later list has to show whole. */
const LONG = `with a name\n\tand a tab ${'日'.repeat(700)}`;

/** Each set of fields and each change of visibility, then a look that shows wrongly changed or unchanged fields. */
const updateProject: Check = {
  id: 'projects/update',
  says: 'PATCH changes what is sent, leaves the rest, returns the updated project and keeps it',
  covers: clausesIn('EP 4 20 23-27, STATE 4, PROJ 7 11-13 26 30, GEN 14'),
  profile: 'core',
  run: async (t: Tools) => {
    const { side: made, sideId, mainId } = await t.world();
    const path = at('projects', sideId);
    /** A later change has a later time; on a real clock a wait costs a second of the run. */
    const later = () => (t.time.virtual ? t.time.sleep(1100) : Promise.resolve());
    await t.time.sleep(1100);
    await t.patch(path, { description: 'é'.repeat(1000), ...t.others('project', sideId) });
    await t.time.sleep(1100);
    const named = await t.patch(path, { name: `${t.name('renamed')} ${ODD}` });
    if (!succeeded(named)) t.need(false, 'WM-EP-004');
    t.note('WM-EP-020', String(named.status), named);
    t.observe('patch-status', String(named.status));
    // Reading is no update.
    await later();
    // Whether another user's key sees a private project is open.
    if (!succeeded(await t.get(path, { as: t.strong })) && t.strong !== t.main) await t.get(path);
    const open = await t.patch(path, { visibility: 'team', description: MARKUP, ...t.others('project', sideId) });
    if (!succeeded(open)) await t.patch(path, { description: MARKUP });
    // A read before a change shows that none is cached over it.
    await t.get(path, { as: t.strong });
    await later();
    // The last one, which few projects have: whether keys of other users see a private one is open.
    await t.patch(path, { visibility: 'public' });
    await t.patch(path, { name: pad(t.name('é'), 150).replaceAll('n', '日'), description: LONG });
    await t.patch(path, { name: 'x', visibility: 'private' });
    await later();
    // Another name than at first.
    await t.patch(path, { name: t.name('aside'), visibility: 'public' });
    // The first record is changed last: else the order of creation would do for updated_at.
    await later();
    if (t.within('full')) await t.patch(at('projects', mainId), { description: '' });
    const { last } = await t.count('/projects', sideId);
    if (standsStill(made.response, last))
      t.record.skip('WM-PROJ-011', t.record.check, 'skipped', 'HIDDEN(the clock of the target stands still)');
  },
};

const createTasks: Check = {
  id: 'tasks/create',
  says: 'Tasks are created as sent, with the defaults for what is left out, and read as created',
  covers: clausesIn('TASK 2 3 5-11 20-22 25 38-41 52, EP 8 9 39, USER 15, ENV 5, GEN 9'),
  profile: 'core',
  run: async (t: Tools) => {
    const { tasks } = await t.world();
    const alone = tasks.find((made) => made.sent.title === 'x');
    if (alone) {
      const form = alone.got.due_date === null ? 'null' : 'left out';
      t.note('WM-TASK-038', form, alone.response);
      t.observe('absent-values', form.replace(' ', '-'));
    }
    if (tasks[18]) await t.get(at('tasks', tasks[18].got.id), { as: t.reader });
  },
};

/** One field at a time; those that the document alone names ride along. */
const fieldsAlone = (t: Tools, members: readonly string[]): Json[] => {
  const rules = t.parts.rules.update.task;
  const of = (name: string) => rules.find((rule) => rule.name === name)?.values ?? [];
  return [
    { due_date: '2021-04-02T09:30:00Z' },
    { description: 'after' },
    { priority: of('priority')[0] },
    // On the one that is not begun yet.
    ...(members[0] ? [{ assignee_id: members.at(-1) }] : []),
    { status: of('status').at(-1) },
  ];
};

const updateTasks: Check = {
  id: 'tasks/update',
  says: 'PATCH changes each of the create fields, leaves the rest, returns the updated task and keeps it',
  covers: clausesIn('EP 10 21 40-47, STATE 1 2, TASK 35-37 39 51, GEN 14, LIST 52'),
  profile: 'core',
  run: async (t: Tools) => {
    const { sideId, sideTasks, members } = await t.world();
    t.need(sideTasks.length > 0, 'WM-EP-008');
    await t.time.sleep(1100);
    const nth = (i: number) => at('tasks', sideTasks[i % sideTasks.length]!.got.id);
    const first = await t.patch(nth(0), { title: `wm after ${ODD}` });
    if (!succeeded(first)) t.need(false, 'WM-EP-010');
    t.note('WM-EP-021', String(first.status), first);
    const read = await t.get(nth(0), { as: t.strong });
    const moved = instant(resource(read).updated_at) > instant(sideTasks[0]!.got.updated_at);
    t.note('WM-TASK-037', moved ? 'it moves' : 'it stays', read);
    const rules = t.parts.rules.update.task;
    const of = (name: string) => rules.find((rule) => rule.name === name)?.values ?? [];
    // Each on a task of its own whose other fields are all set.
    const single = fieldsAlone(t, members);
    for (const [i, body] of single.entries()) {
      const others = Object.entries(t.others('task', sideTasks[(i + 1) % sideTasks.length]!.got.id));
      const share = others.filter((_, at) => at % single.length === i);
      await t.patch(nth(i + 1), { ...body, ...Object.fromEntries(share) });
    }
    const look = (as: Role = t.main) => t.get(`${at('projects', sideId)}/tasks?limit=100`, { as });
    // In the order of these changes, where lists can be sorted so.
    const sorted = await t.get(`${at('projects', sideId)}/tasks?sort=updated_at&limit=100`, { as: t.strong });
    if (!succeeded(sorted)) await look(t.strong);
    let allowed = false;
    for (const [i, status] of of('status').entries()) {
      const priority = of('priority')[i % Math.max(1, of('priority').length)];
      const beside =
        i === 2
          ? { due_date: '2031-08-09T23:11:12-05:30' }
          : i === 4
            ? { description: 'with a status', assignee_id: members[0] }
            : {};
      const x = await t.patch(nth(i), {
        status,
        ...(i % 2 === 1 && priority ? { priority, title: TITLES[i], due_date: sideTasks[i]?.sent.due_date } : beside),
      });
      allowed ||= succeeded(x);
      t.note('WM-STATE-002', succeeded(x) ? 'each change is allowed' : `to ${status}: ${x.status}`, x);
      if (!succeeded(x) && i % 2 === 1 && priority) await t.patch(nth(i), { priority, title: TITLES[i] });
    }
    t.must('WM-STATE-001', allowed, 'no change of status is accepted');
    if (!t.within('full')) return void (await look());
    // Everything at once, each a little: the day stays.
    await t.patch(nth(0), {
      title: 'x',
      description: '',
      assignee_id: members[0],
      due_date: '2032-01-01T09:00:00.000Z',
      status: t.known('task', sideTasks[0]!.got.id, 'status'),
      // The subject is urgent.
      ...(of('priority').length > 0 ? { priority: of('priority')[1] } : {}),
    });
    // A finished task may get another name; a value may be sent again as it is, beside something else.
    await t.patch(nth(of('status').length - 1), { description: 'é'.repeat(10_000), title: '日'.repeat(255) });
    const third = sideTasks[3 % sideTasks.length]!.got.id;
    // Its first title again, which it has had until it got another.
    const same = { title: sideTasks[3 % sideTasks.length]!.sent.title, status: t.known('task', third, 'status') };
    await t.patch(nth(3), { ...same, description: MARKUP, due_date: '2030-06-30T23:59:59Z' });
    await look();
    // Made with another status, and of a third one until it got this.
    await t.get(`${at('projects', sideId)}/tasks?filter[status]=${of('status')[1]}&limit=100`);
  },
};

const ownValues: Check = {
  id: 'records/server-set',
  says: 'What the server sets is not taken from the body',
  covers: clausesIn('TASK 34 42 49 50, PROJ 28 29 32, EP 74'),
  profile: 'full',
  run: async (t: Tools) => {
    const { sideId, mainId, sideTasks, members } = await t.world();
    const inSide = `${at('projects', sideId)}/tasks`;
    const refusedOr = (requirement: string, x: Exchange) => {
      if (!succeeded(x)) t.must(requirement, t.refused(x), `returns ${x.status}`, x);
    };
    const set = { id: 'task_wmct', created_at: '2001-01-01T00:00:00Z', updated_at: '2001-01-01T00:00:00Z', project_id: mainId };
    const own = await t.post(inSide, { title: 'wm own id', assignee_id: members[0], ...set });
    for (const requirement of ['WM-TASK-034', 'WM-TASK-042']) refusedOr(requirement, own);
    // A target that refuses one of them may take another.
    const moved = succeeded(own) ? own : await t.post(inSide, { title: 'wm moved', project_id: mainId });
    if (resource(moved).project_id === mainId) await t.delete(at('tasks', resource(moved).id));
    const project = await t.post('/projects', {
      name: `${t.name('own-id')}\n${ODD}`,
      // A word like any other.
      description: 'null',
      id: 'proj_wmct',
      created_at: '2001-01-01T00:00:00Z',
      updated_at: '2001-01-01T00:00:00Z',
      wmct_unknown: true,
    });
    // One without a visibility, which a filter finds by the default.
    if (!succeeded(project)) await t.post('/projects', { name: t.name('own-id'), description: 'null' });
    refusedOr('WM-PROJ-028', project);
    t.note('WM-PROJ-029', succeeded(project) ? 'ignored' : `refused with ${project.status}`, project);
    t.observe('unknown-body-fields', succeeded(project) ? 'ignored' : 'refused');
    const subject = sideTasks[1];
    if (!subject) return;
    const path = at('tasks', subject.got.id);
    await t.patch(path, set);
    if (!t.thorough) return;
    await t.get(path);
    await t.patch(at('projects', sideId), { id: 'proj_wmct', created_at: '2001-01-01T00:00:00Z' });
    await t.get(at('projects', sideId));
    await t.patch(path, { description: 'é'.repeat(10_000) });
  },
};

const createTeams: Check = {
  id: 'teams/create',
  says: 'A team is created with its members, read with them, and listed',
  covers: clausesIn('TEAM 2 6 7 11 12 15 16 22 25 28-33, SCOPE 21, META 17, EP 15-17 53'),
  profile: 'core',
  run: async (t: Tools) => {
    const { members } = await t.world();
    const as = t.strong;
    const id = await t.sharedTeam();
    const read = await t.get(at('teams', id), { as: t.reader });
    t.must('WM-TEAM-012', !('member_count' in resource(read)), 'the single read has member_count', read);
    if (!t.within('full')) return void (await t.count('/teams', id, { as: t.reader }));
    const body = { name: t.name('l').padEnd(100, 'é'), member_ids: members.slice(-5) };
    const longest = await t.post('/teams', body);
    const needsAdmin = longest.status === 403;
    t.note('WM-SCOPE-021', succeeded(longest) ? 'write' : `refused with ${longest.status}`, longest);
    if (t.main === 'write') t.observe('team-scope', succeeded(longest) ? 'write' : needsAdmin ? 'admin' : undefined);
    let accepted = needsAdmin ? await t.post('/teams', body, { as }) : longest;
    // Who was named may have left; the first is the user of our key.
    if (!succeeded(accepted) && t.parts.oracle.doubts)
      accepted = await t.post('/teams', { ...body, member_ids: members.slice(0, 1) }, { as: needsAdmin ? as : t.main });
    t.must(
      'WM-TEAM-016',
      succeeded(accepted) || (needsAdmin && as === t.main),
      `POST of a team with a name of 100 characters returns ${accepted.status}`,
      accepted,
    );
    if (members[0]) {
      const by = { as: needsAdmin ? as : t.main };
      // Values that the server sets aren't taken from the body; where unknown fields are refused, that is asked alone.
      const set = { id: 'team_wmct', created_at: '2001-01-01T00:00:00Z', member_count: 7 };
      const together = t.parts.choices.seen.get('unknown-body-fields') === 'ignored';
      if (!together) {
        const own = await t.post('/teams', { name: t.name('own-id'), ...set }, by);
        if (!succeeded(own)) t.must('WM-TEAM-029', t.refused(own), `returns ${own.status}`, own);
      }
      // A project may have that name, and a team too.
      const twice = await t.post(
        '/teams',
        { name: t.name('aside'), member_ids: [members[0], members[0]], ...(together ? set : {}) },
        by,
      );
      t.observe('repeated-ids', succeeded(twice) ? 'collapsed' : 'refused');
      if (!succeeded(twice)) t.must('WM-TEAM-025', t.refused(twice), `returns ${twice.status}`, twice);
      if (!succeeded(twice) && together) t.must('WM-TEAM-029', true, '');
    }
    // A digit, and without members.
    let one = await t.post('/teams', { name: '7' }, { as });
    if (one.status === 409) one = await t.post('/teams', { name: 'é' }, { as });
    t.must('WM-TEAM-015', succeeded(one) || one.status === 409, `POST of a one-character name returns ${one.status}`, one);
    const short = createdId(one);
    if (!succeeded(one) || !short) return;
    await t.count('/teams', short, { as: t.reader });
    await t.delete(at('teams', short), { as });
  },
};

const teamNames: Check = {
  id: 'teams/unique-names',
  says: 'A name in use is a conflict',
  covers: clausesIn('TEAM 4 24 34, ERR 12 15'),
  profile: 'full',
  run: async (t: Tools) => {
    await t.sharedTeam();
    const name = t.name('shared');
    const post = (body: unknown, as = t.strong) => t.post('/teams', body, { as });
    const { members } = await t.world();
    // The name once more, with other members, by another key than the one that made it where such a key may make teams.
    const second = t.parts.choices.seen.get('team-scope') === 'write' ? t.main : t.strong;
    let twin = await post({ name, member_ids: members.slice(0, 1) }, second);
    // Who was named may have left.
    if ([400, 422].includes(twin.status)) twin = await post({ name }, second);
    if (twin.status === 409) {
      t.note('WM-ERR-015', String(errorOf(twin).code), twin);
      t.observe('conflict-code', String(errorOf(twin).code));
      const again = await post({ name, member_ids: [] });
      t.must('WM-ERR-012', errorOf(again).code === errorOf(twin).code, 'the same conflict gives another code', twin, again);
    }
    const upper = await post({ name: name.toUpperCase() });
    t.note('WM-TEAM-024', succeeded(upper) ? 'two names' : 'one name', upper);
    t.observe('team-name-comparison', succeeded(upper) ? 'exact' : upper.status === 409 ? 'ignore-case' : undefined);
  },
};

export const recordChecks: readonly Check[] = [
  createProjects,
  createTasks,
  updateProject,
  updateTasks,
  ownValues,
  createTeams,
  teamNames,
];
