// Who can be assigned and join a team: only members of the workspace.
import type { Check } from '../engine/check.ts';
import { ids, isRecord, records, resource, succeeded } from '../engine/exchange.ts';
import type { Made } from '../engine/scene.ts';
import { at, clausesIn } from '../engine/spelling.ts';
import type { Tools } from '../engine/tools.ts';
import { NOBODYS } from '../engine/world.ts';
import { surelyNoMember } from '../oracle/expect.ts';
import { nameOfVictim } from '../situations/records.ts';

/** The task of the side project that has no assignee, else another one. */
const unassigned = (sideTasks: readonly Made[]): string =>
  `/tasks/${encodeURIComponent(String((sideTasks[NOBODYS] ?? sideTasks[0]!).got.id))}`;

const references: Check = {
  id: 'refusals/references',
  says: 'Only a member of the workspace can be assigned, and joins a team',
  covers: clausesIn('TASK 14 15, EP 89 91, TEAM 21 26'),
  profile: 'full',
  run: async (t: Tools) => {
    const { sideTasks, sideId } = await t.world();
    t.need(sideTasks.length > 0, 'WM-EP-008');
    const inside = `${at('projects', sideId)}/tasks`;
    const user = t.unusedId();
    const subject = `/tasks/${encodeURIComponent(String(sideTasks.at(-1)!.got.id))}`;
    await t.post(inside, { title: t.name('no-user'), assignee_id: user });
    // With an assignee so far, and without one. An email is no id.
    const { people, unusedIds } = t.parts.oracle.workspace('own');
    const names = [...(t.parts.scene.memberNames ?? [])].map(String);
    const email = names.find((name) => /^[^@]+@[^@]+$/.test(name) && !people.has(name));
    if (email !== undefined) unusedIds.add(email);
    const body = { assignee_id: email ?? user, title: 'half', description: 'half', priority: 'low', status: 'in_review' };
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
    const unknown = await t.post('/teams', { name, member_ids: [user] }, { as: t.strong });
    t.note('WM-TEAM-026', succeeded(unknown) ? 'ignored' : `refused with ${unknown.status}`, unknown);
    if (!succeeded(unknown)) return void t.must('WM-TEAM-021', t.refused(unknown), `returns ${unknown.status}`, unknown);
    if (!t.parts.scene.victim) t.parts.scene.taken = true;
    const read = await t.get(at('teams', resource(unknown).id));
    const joined = Array.isArray(resource(read).members) ? (resource(read).members as unknown[]).filter(isRecord) : [];
    t.must('WM-TEAM-021', !joined.some((member) => member.id === user), 'an id of no user becomes a member', unknown, read);
  },
};

/** A user of the other workspace who is none of ours. */
const foreigner: Check = {
  id: 'refusals/foreign-references',
  says: 'A user of another workspace can neither be assigned nor join a team',
  covers: clausesIn('TASK 16 53, ISO 18'),
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
    const ended = inside ? 'joins a team' : `in a new team causes a ${y.status}`;
    t.must('WM-ISO-018', !inside && y.status < 500, `a user of another workspace ${ended}`, y);
  },
};

export const referenceChecks: readonly Check[] = [references, foreigner];
