// What a task may not be: each request breaks one rule of a body that is otherwise accepted.

import type { Check } from '../engine/check.ts';
import { faultyFields, idOf, ids, records, resource, succeeded } from '../engine/exchange.ts';
import type { Tools } from '../engine/tools.ts';
import { namesField } from '../engine/tools.ts';

export const taskRuleChecks: readonly Check[] = [
  {
    id: 'tasks/body-rules',
    says: 'Missing, wrongly typed, over-long and unlisted values are refused on create',
    covers: [
      ...['004', '017', '018', '019', '023', '024', '026', '027', '031', '032'].map((n) => `WM-TASK-${n}`),
      'WM-ERR-013',
      'WM-ERR-006',
      'WM-ERR-017',
    ],
    profile: 'core',
    run: async (t: Tools) => {
      const { tasks, sideId } = await t.world();
      t.need(tasks.length > 0, 'WM-EP-008');
      const at = `/projects/${encodeURIComponent(sideId)}/tasks`;
      const title = 'wm refused';
      t.refusal('WM-TASK-004', await t.post(at, { description: 'no title' }), [400], 'title');
      t.refusal('WM-TASK-024', await t.post(at, { title: '' }), [422, 400], 'title');
      const over = await t.post(at, { title: 'w'.repeat(256) });
      if (t.refusal('WM-TASK-023', over, [422, 400], 'title'))
        t.should('WM-ERR-013', over.status === 422, 'a title too long is 400', over);
      t.refusal('WM-TASK-026', await t.post(at, { title, description: 'w'.repeat(10_001) }), [422, 400], 'description');
      t.refusal('WM-TASK-027', await t.post(at, { title: 5 }), [400], 'title');
      if (t.knows('1.3')) t.refusal('WM-TASK-031', await t.post(at, { title, priority: 5 }), [400], 'priority');
      t.refusal('WM-TASK-032', await t.post(at, { title, status: 5 }), [400], 'status');
      if (t.knows('1.3')) t.refusal('WM-TASK-017', await t.post(at, { title, priority: 'extreme' }), [422, 400], 'priority');
      t.refusal('WM-TASK-018', await t.post(at, { title, status: 'nonsense' }), [422, 400], 'status');
      t.refusal('WM-TASK-019', await t.post(at, { title, due_date: 'tomorrow' }), [422, 400], 'due_date');
      const two = await t.post(at, { title: 'w'.repeat(256), description: 'w'.repeat(10_001) });
      if ([400, 422].includes(two.status) && faultyFields(two).length > 0) {
        const both = namesField(two, 'title') && namesField(two, 'description');
        t.must('WM-ERR-006', both, 'details.fields names only one of two failing fields', two);
      }
      const listed = await t.get(`${at}?limit=100`);
      const leaked = records(listed).filter(
        (item) => item.title === title || item.title === '' || /^w{9}/.test(String(item.title)),
      );
      const accepted = t.record.findings.some(
        (finding) => finding.status === 'failed' && /^WM-TASK-0(17|18|19|23|24|26|31|32)$/.test(finding.requirement),
      );
      if (!accepted) t.must('WM-ERR-017', leaked.length === 0, 'a refused create left a task', listed);
    },
  },
  {
    id: 'tasks/more-types',
    says: 'Wrong types of the other fields are refused with 400',
    covers: ['WM-TASK-028', 'WM-TASK-029', 'WM-TASK-030', 'WM-ERR-027'],
    profile: 'full',
    run: async (t: Tools) => {
      const { tasks, sideId } = await t.world();
      t.need(tasks.length > 0, 'WM-EP-008');
      const at = `/projects/${encodeURIComponent(sideId)}/tasks`;
      t.refusal('WM-TASK-028', await t.post(at, { title: 'wm refused', description: 5 }), [400], 'description');
      t.refusal('WM-TASK-029', await t.post(at, { title: 'wm refused', assignee_id: 5 }), [400], 'assignee_id');
      t.refusal('WM-TASK-030', await t.post(at, { title: 'wm refused', due_date: 5 }), [400], 'due_date');
      t.refusal('WM-ERR-027', await t.post(at, ['wm refused']), [400]);
    },
  },
  {
    id: 'tasks/assignee',
    says: 'Only a member of the workspace can be assigned',
    covers: ['WM-TASK-014', 'WM-TASK-015'],
    profile: 'full',
    run: async (t: Tools) => {
      const { sideId, mainId, tasks, sideTasks } = await t.world();
      t.need(tasks.length > 0, 'WM-EP-008');
      const at = `/projects/${encodeURIComponent(sideId)}/tasks`;
      t.refusal('WM-TASK-014', await t.post(at, { title: 'wm nobody', assignee_id: mainId }), [400, 404, 409, 422]);
      const made = sideTasks[0]?.got.id;
      if (made !== undefined) {
        const given = await t.patch(`/tasks/${encodeURIComponent(String(made))}`, { assignee_id: mainId });
        t.refusal('WM-TASK-014', given, [400, 404, 409, 422]);
      }
      const id = await t.sharedTeam();
      t.refusal('WM-TASK-015', await t.post(at, { title: 'wm team', assignee_id: id }), [400, 404, 409, 422]);
    },
  },
  {
    id: 'tasks/foreign-assignee',
    says: 'A user of another workspace cannot be assigned',
    covers: ['WM-TASK-016'],
    needs: ['other'],
    profile: 'full',
    run: async (t: Tools) => {
      const { sideId, members } = await t.world();
      const others = ids(records(await t.get('/workspace/members?limit=100', { as: 'other' }))).filter(
        (id) => !members.includes(id),
      );
      if (!others[0]) t.skip('NO_FIXTURE(user of the other workspace alone)');
      const x = await t.post(`/projects/${encodeURIComponent(sideId)}/tasks`, { title: 'wm foreigner', assignee_id: others[0] });
      t.refusal('WM-TASK-016', x, [400, 404, 409, 422]);
    },
  },
  {
    id: 'tasks/server-set',
    says: 'What the server sets is not taken from the body',
    covers: ['WM-TASK-034', 'WM-TASK-042', 'WM-PROJ-028', 'WM-PROJ-029'],
    profile: 'full',
    run: async (t: Tools) => {
      const { sideId, mainId } = await t.world();
      const at = `/projects/${encodeURIComponent(sideId)}/tasks`;
      const moved = await t.post(at, { title: 'wm moved', project_id: mainId });
      if (succeeded(moved))
        t.must('WM-TASK-034', resource(moved).project_id !== mainId, 'project_id of the body is adopted', moved);
      else t.must('WM-TASK-034', t.refused(moved), `answers ${moved.status}`, moved);
      if (resource(moved).project_id === mainId) await t.delete(`/tasks/${encodeURIComponent(String(resource(moved).id))}`);
      const own = await t.post(at, { title: 'wm own id', id: 'task_wmct', created_at: '2001-01-01T00:00:00Z' });
      const adopted = idOf(resource(own)) === 'task_wmct' || String(resource(own).created_at).startsWith('2001-01-01');
      t.should('WM-TASK-042', !succeeded(own) || !adopted, 'an id or created_at of the body is adopted', own);
      const project = await t.post('/projects', { name: t.name('own-id'), id: 'proj_wmct', wmct_unknown: true });
      t.should('WM-PROJ-028', idOf(resource(project)) !== 'proj_wmct', 'an id of the body is adopted', project);
      t.note('WM-PROJ-029', succeeded(project) ? 'ignored' : `refused with ${project.status}`, project);
      t.observe('unknown-body-fields', succeeded(project) ? 'ignored' : 'refused');
    },
  },
];
