// Errors: malformed bodies, unknown ids, refused creates.

import type { Check } from '../engine/check.ts';
import { errorOf, succeeded } from '../engine/exchange.ts';
import type { Tools } from '../engine/tools.ts';

export const errorChecks: readonly Check[] = [
  {
    id: 'errors/malformed',
    says: 'Malformed JSON is refused with 400',
    covers: ['WM-ERR-008'],
    profile: 'core',
    run: async (t: Tools) => {
      const { main } = await t.world();
      t.need(main.ok, 'WM-EP-002');
      const x = await t.send('POST', '/projects', { as: t.main, raw: '{"name": "wmct' });
      t.must('WM-ERR-008', x.status === 400, `malformed JSON is answered ${x.status}`, x);
    },
  },
  {
    id: 'errors/unknown-ids',
    says: 'An id that was deleted is 404 in every place',
    covers: [
      'WM-EP-059',
      'WM-EP-060',
      'WM-EP-061',
      'WM-EP-062',
      'WM-ERR-022',
      'WM-ERR-010',
      'WM-ERR-011',
      'WM-ERR-012',
      'WM-ERR-019',
      'WM-ERR-020',
    ],
    profile: 'full',
    run: async (t: Tools) => {
      const project = await t.project('unknown');
      const task = await t.task(project, { title: 'wm unknown' });
      const gone = [await t.delete(`/tasks/${task}`), await t.delete(`/projects/${project}`)];
      t.need(gone.every(succeeded), 'WM-EP-011');
      const read = await t.get(`/projects/${project}`);
      if (succeeded(read)) t.need(false, 'WM-EP-029');
      t.must('WM-ERR-022', read.status === 404, `a deleted id is answered ${read.status}`, read);
      const is404 = async (requirement: string, method: string, path: string, body?: object) => {
        const x = await t.send(method, path, { as: t.main, body });
        if (!succeeded(x) || requirement !== 'WM-EP-059')
          t.must(requirement, x.status === 404, `${method} of an unknown id is answered ${x.status}`, x);
        return x;
      };
      await is404('WM-EP-061', 'PATCH', `/projects/${project}`, { description: 'x' });
      await is404('WM-EP-060', 'POST', `/projects/${project}/tasks`, { title: 'wm lost' });
      await is404('WM-EP-062', 'PATCH', `/tasks/${task}`, { title: 'wm lost' });
      const broken = await t.patch(`/projects/${project}`, { name: 5 });
      t.observe('check-order', broken.status === 404 ? 'record' : t.refused(broken) ? 'body' : undefined);
      const comments = await t.get(`/tasks/${task}/comments`);
      t.must('WM-EP-059', comments.status === 404, `the comments of an unknown task are answered ${comments.status}`, comments);
      const error = errorOf(read);
      t.note('WM-ERR-011', String(error.code), read);
      t.observe('not-found-code', String(error.code));
      t.note('WM-ERR-019', 'status' in error ? 'present' : 'absent', read);
      t.observe('error-status-field', 'status' in error ? 'present' : 'absent');
      t.note('WM-ERR-020', 'details' in error ? 'there' : 'left out', read);
      t.observe('error-details', 'details' in error ? 'always' : 'when-filled');
    },
  },
];
