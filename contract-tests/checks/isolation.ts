// Isolation: with the key of another workspace our records do not exist.

import type { Check } from '../engine/check.ts';
import { ids, metaOf, records, resource, succeeded } from '../engine/exchange.ts';
import type { Tools } from '../engine/tools.ts';
import { createdId } from '../engine/tools.ts';

export const isolationChecks: readonly Check[] = [
  {
    id: 'isolation/records',
    says: 'Each record of another workspace is 404, and stays as it was',
    covers: ['001', '002', '003', '004', '005', '006', '007', '008', '009', '010', '011', '016'].map((n) => `WM-ISO-${n}`),
    needs: ['other'],
    profile: 'full',
    run: async (t: Tools) => {
      const project = await t.project('isolated');
      const task = await t.task(project, { title: 'wm isolated' });
      const team = t.knows('1.2') ? await t.sharedTeam() : undefined;
      const as = 'other' as const;
      let intact = true;
      const absent = async (requirement: string, method: string, path: string, body?: unknown) => {
        const x = await t.send(method, path, { as, body });
        if (x.status === 403 && method !== 'GET')
          return t.record.skip(requirement, 'isolation/records', 'skipped', 'NO_KEY(other with write scope)');
        intact = t.must(requirement, x.status === 404, `${method} from another workspace is answered ${x.status}`, x) && intact;
      };
      await absent('WM-ISO-001', 'GET', `/projects/${project}`);
      await absent('WM-ISO-004', 'GET', `/projects/${project}/tasks`);
      await absent('WM-ISO-006', 'GET', `/tasks/${task}`);
      if (t.knows('1.3')) await absent('WM-ISO-009', 'GET', `/tasks/${task}/comments`);
      if (team) await absent('WM-ISO-010', 'GET', `/teams/${encodeURIComponent(team)}`);
      await absent('WM-ISO-002', 'PATCH', `/projects/${project}`, { description: 'foreign' });
      await absent('WM-ISO-007', 'PATCH', `/tasks/${task}`, { title: 'wm foreign' });
      await absent('WM-ISO-005', 'POST', `/projects/${project}/tasks`, { title: 'wm foreign' });
      await absent('WM-ISO-008', 'DELETE', `/tasks/${task}`);
      await absent('WM-ISO-003', 'DELETE', `/projects/${project}`);
      if (team) await absent('WM-ISO-011', 'DELETE', `/teams/${encodeURIComponent(team)}`);
      if (!intact) return;
      const read = await t.get(`/projects/${project}`);
      const still = await t.get(`/tasks/${task}`);
      const same =
        succeeded(read) &&
        resource(read).description !== 'foreign' &&
        succeeded(still) &&
        resource(still).title === 'wm isolated';
      t.must('WM-ISO-016', same, 'a request from another workspace had an effect', read, still);
    },
  },
  {
    id: 'isolation/lists',
    says: 'No list and no total shows records of another workspace',
    covers: ['WM-ISO-012', 'WM-ISO-013', 'WM-ISO-014', 'WM-ISO-015', 'WM-ISO-017', 'WM-GEN-005'],
    needs: ['other'],
    profile: 'full',
    run: async (t: Tools) => {
      const { mainId, tasks, members } = await t.world();
      const team = t.knows('1.2') ? await t.sharedTeam() : undefined;
      const as = 'other' as const;
      const none = async (requirement: string, path: string, id: string) => {
        const { times, last } = await t.count(path, id, { as });
        t.must(requirement, times === undefined || times === 0, 'a record of another workspace is listed', last);
      };
      await none('WM-ISO-012', '/projects', mainId);
      await none('WM-ISO-013', '/tasks', String(tasks[0]!.got.id));
      if (team) await none('WM-ISO-014', '/teams', team);
      const filtered = await t.get(`/tasks?filter[project_id]=${encodeURIComponent(mainId)}&limit=100`, { as });
      const open = succeeded(filtered) && records(filtered).length > 0;
      t.must('WM-ISO-013', !open, 'tasks of another workspace are listed', filtered);
      if (succeeded(filtered) && !open)
        t.must('WM-ISO-017', Number(metaOf(filtered).total ?? 0) === 0, 'a total counts another workspace', filtered);
      else t.must('WM-ISO-017', true, '');
      const foreignMembers = await t.get('/workspace/members?limit=100', { as });
      const strangers = ids(records(foreignMembers));
      const only = strangers.filter((id) => !members.includes(id));
      const leaked = strangers.length > 0 && only.length === 0;
      t.must('WM-ISO-015', !leaked, 'members of another workspace are listed', foreignMembers);
    },
  },
  {
    id: 'isolation/team-names',
    says: 'A team name in use in another workspace is free, and its users join no team',
    covers: ['WM-TEAM-005', 'WM-ISO-018'],
    needs: ['other'],
    profile: 'full',
    run: async (t: Tools) => {
      const name = t.name('shared-name');
      await t.team({ name });
      const x = await t.post('/teams', { name }, { as: 'other' });
      if (x.status !== 403) t.must('WM-TEAM-005', x.status !== 409, 'a name in use in another workspace is a conflict', x);
      else t.record.skip('WM-TEAM-005', 'isolation/team-names', 'skipped', 'NO_KEY(other that may create teams)');
      const { members } = await t.world();
      const foreign = ids(records(await t.get('/workspace/members?limit=100', { as: 'other' }))).find(
        (id) => !members.includes(id),
      );
      if (!foreign) t.skip('NO_FIXTURE(user of the other workspace alone)');
      const y = await t.post('/teams', { name: t.name('foreigner'), member_ids: [foreign] }, { as: t.strong });
      const id = succeeded(y) ? createdId(y) : undefined;
      const joined = id ? resource(await t.get(`/teams/${encodeURIComponent(id)}`)).members : [];
      const inside = Array.isArray(joined) && joined.some((member: { id?: unknown }) => member.id === foreign);
      t.must('WM-ISO-018', !inside && y.status < 500, 'a user of another workspace joins a team', y);
    },
  },
];
