// Comments: read only, so a task that has some must be given, or a control API that makes them.

import type { Check } from '../engine/check.ts';
import { ids, records, resource, succeeded } from '../engine/exchange.ts';
import type { Tools } from '../engine/tools.ts';

export const commentChecks: readonly Check[] = [
  {
    id: 'comments/list',
    says: 'The comments of a task are listed, page by page',
    covers: ['WM-CMT-001', 'WM-CMT-002', 'WM-CMT-003', 'WM-CMT-004', 'WM-LIST-032', 'WM-EP-070', 'WM-EP-012', 'WM-META-018'],
    needs: ['comments'],
    profile: 'read-only',
    run: async (t: Tools) => {
      const control = t.parts.control;
      let task = t.parts.commentedTask;
      let made: string[] = [];
      if (control && !task && t.main !== 'read') {
        const world = await t.world();
        task = String(world.tasks[0]!.got.id);
        const author = String(resource(await t.get('/users/me')).id);
        made = [(await control.comment(task, author, 'first')).id, (await control.comment(task, author, 'second')).id];
      }
      if (!task) t.skip('NO_FIXTURE(comments)');
      const at = `/tasks/${encodeURIComponent(task)}/comments`;
      const all = await t.get(`${at}?limit=100`);
      t.must('WM-EP-012', succeeded(all), `answers ${all.status}`, all);
      t.need(succeeded(all), 'WM-EP-012');
      const found = ids(records(all));
      if (found.length === 0) {
        if (made.length > 0) t.must('WM-EP-070', false, 'the comments of the task are missing', all);
        t.skip('NO_FIXTURE(comments)');
      }
      t.must(
        'WM-EP-070',
        made.every((id) => found.includes(id)),
        'a comment of the task is missing',
        all,
      );
      for (const id of ['WM-CMT-001', 'WM-CMT-002', 'WM-CMT-003', 'WM-CMT-004']) t.record.judged.add(id);
      if (found.length < 2) t.skip('NO_FIXTURE(second comment)');
      const { pages, items } = await t.walk(`${at}?limit=1`, 2);
      const fresh =
        pages.length > 1 && new Set(items.map((item) => item.id)).size === items.length && records(pages[1]!).length > 0;
      t.must('WM-LIST-032', fresh, 'the cursor of comments does not lead on', ...pages.slice(0, 2));
    },
  },
];
