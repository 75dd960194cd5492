// Teams: fields, unique names, members, rules.
import type { Check } from '../engine/check.ts';
import { errorOf, ids, isRecord, type Json, records, resource, succeeded } from '../engine/exchange.ts';
import { createdId, type Tools } from '../engine/tools.ts';

const at = (id: string) => `/teams/${encodeURIComponent(id)}`;
const membersOf = (team: Json): string[] => (Array.isArray(team.members) ? ids(team.members.filter(isRecord)) : []);
const post = (t: Tools, body: unknown) => t.post('/teams', body, { as: t.strong });

export const teamChecks: readonly Check[] = [
  {
    id: 'teams/create',
    says: 'A team is created with its members, read with them, and listed',
    covers: ['002', '006', '007', '012', '022', '025', '026', '021']
      .map((n) => `WM-TEAM-${n}`)
      .concat('WM-EP-016', 'WM-EP-017', 'WM-EP-053'),
    profile: 'core',
    run: async (t: Tools) => {
      const members = ids(records(await t.get('/workspace/members?limit=100'))).slice(0, 2);
      const name = t.name('team');
      const made = await post(t, { name, member_ids: members });
      const id = createdId(made);
      t.need(succeeded(made) && id !== undefined, succeeded(made) ? 'WM-TEAM-001' : 'WM-EP-016');
      t.must('WM-EP-016', true, '');
      t.must('WM-TEAM-002', resource(made).name === name, 'name is not as sent', made);
      const count = resource(made).member_count;
      const read = await t.get(at(id));
      t.must('WM-EP-017', succeeded(read), `answers ${read.status}`, read);
      t.should('WM-TEAM-012', !('member_count' in resource(read)), 'the single read has member_count', read);
      if (Array.isArray(resource(read).members)) {
        const found = membersOf(resource(read));
        t.must(
          'WM-TEAM-007',
          members.every((member) => found.includes(member)),
          'a user of member_ids is no member',
          made,
          read,
        );
        if (typeof count === 'number')
          t.must('WM-TEAM-022', count === found.length, `member_count is ${count} of ${found.length}`, made, read);
      }
      const { times, last } = await t.count('/teams', id);
      if (times !== undefined) t.must('WM-EP-053', times === 1, `the team is in the list ${times} times`, last);
      const listed = records(last).find((team) => team.id === id)?.member_count;
      if (typeof listed === 'number' && Array.isArray(resource(read).members)) {
        const found = membersOf(resource(read)).length;
        t.must('WM-TEAM-022', listed === found, `member_count is ${listed} of ${found} in the list`, read, last);
      }
      t.must('WM-TEAM-006', (await t.sharedTeam()) !== '', 'a team without member_ids is refused');
      if (members[0]) {
        const twice = await post(t, { name: t.name('twice'), member_ids: [members[0], members[0]] });
        t.observe('repeated-ids', succeeded(twice) ? 'collapsed' : 'refused');
        if (succeeded(twice)) t.should('WM-TEAM-025', resource(twice).member_count === 1, 'a repeated id counts twice', twice);
        else t.should('WM-TEAM-025', t.refused(twice), `answers ${twice.status}`, twice);
      }
      const stranger = (await t.world()).mainId;
      const unknown = await post(t, { name: t.name('stranger'), member_ids: [stranger] });
      t.note('WM-TEAM-026', succeeded(unknown) ? 'ignored' : `refused with ${unknown.status}`, unknown);
      const joined = succeeded(unknown) ? membersOf(resource(await t.get(at(createdId(unknown) ?? '-')))) : [];
      t.must('WM-TEAM-021', !joined.includes(stranger), 'an id of nobody becomes a member', unknown);
    },
  },
  {
    id: 'teams/rules',
    says: 'Names have 1 to 100 characters, the body its types, and the list its pages',
    covers: ['003', '015', '016', '017', '018', '019', '020'].map((n) => `WM-TEAM-${n}`).concat('WM-LIST-031', 'WM-EP-015'),
    profile: 'full',
    run: async (t: Tools) => {
      const longest = await post(t, { name: t.name('l').padEnd(100, 'n') });
      t.must('WM-TEAM-016', succeeded(longest), 'a name of 100 characters is refused', longest);
      if (!succeeded(longest)) t.need(false, 'WM-TEAM-016');
      await t.team({ name: t.name('page') });
      const { pages, items } = await t.walk('/teams?limit=1', 2);
      t.must('WM-EP-015', succeeded(pages[0]!), `answers ${pages[0]!.status}`, pages[0]!);
      if (pages.length > 1) {
        const fresh = new Set(items.map((item) => item.id)).size === items.length && records(pages[1]!).length > 0;
        t.must('WM-LIST-031', fresh, 'the cursor of teams does not lead on', ...pages);
      }
      t.refusal('WM-TEAM-017', await post(t, { name: t.name('o').padEnd(101, 'n') }), [422, 400], 'name');
      t.refusal('WM-TEAM-018', await post(t, { name: '' }), [422, 400], 'name');
      t.refusal('WM-TEAM-003', await post(t, { member_ids: [] }), [400], 'name');
      t.refusal('WM-TEAM-019', await post(t, { name: 5 }), [400], 'name');
      t.refusal('WM-TEAM-020', await post(t, { name: t.name('typed'), member_ids: 'all' }), [400], 'member_ids');
      let one = await post(t, { name: 'w' });
      if (one.status === 409) one = await post(t, { name: 'é' });
      t.must('WM-TEAM-015', succeeded(one) || one.status === 409, 'a name of one character is refused', one);
      const id = createdId(one);
      if (succeeded(one) && id) await t.delete(at(id), { as: t.strong });
    },
  },
  {
    id: 'teams/unique-names',
    says: 'A name in use is a conflict, and free again after deletion',
    covers: ['WM-TEAM-004', 'WM-TEAM-023', 'WM-TEAM-024', 'WM-ERR-015', 'WM-ERR-012', 'WM-EP-018'],
    profile: 'full',
    run: async (t: Tools) => {
      const name = t.name('unique');
      const { id } = await t.team({ name });
      const twin = await post(t, { name });
      t.must('WM-TEAM-004', twin.status === 409, `a name in use is answered ${twin.status}`, twin);
      if (twin.status === 409) {
        t.note('WM-ERR-015', String(errorOf(twin).code), twin);
        t.observe('conflict-code', String(errorOf(twin).code));
        const again = await post(t, { name });
        t.must('WM-ERR-012', errorOf(again).code === errorOf(twin).code, 'the same conflict gives another code', twin, again);
      }
      const upper = await post(t, { name: name.toUpperCase() });
      t.note('WM-TEAM-024', succeeded(upper) ? 'two names' : 'one name', upper);
      t.observe('team-name-comparison', succeeded(upper) ? 'exact' : upper.status === 409 ? 'ignore-case' : undefined);
      const gone = await t.delete(at(id), { as: t.strong });
      t.must('WM-EP-018', succeeded(gone), `DELETE answers ${gone.status}`, gone);
      if (!succeeded(gone) || twin.status !== 409) return;
      const upperId = createdId(upper);
      if (succeeded(upper) && upperId) await t.delete(at(upperId), { as: t.strong });
      const reused = await post(t, { name });
      t.must('WM-TEAM-023', succeeded(reused), `the name of a deleted team is answered ${reused.status}`, reused);
    },
  },
];
