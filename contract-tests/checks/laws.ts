// The requirements that the laws judge on every response, as a check; some can be told only at the end.

import type { Check } from '../engine/check.ts';
import { clausesIn } from '../engine/spelling.ts';
import type { Tools } from '../engine/tools.ts';
import { FIELDS } from '../situations/lists.ts';

/** Enough for a list of members or comments that one look did not settle. */
const MAX_PAGES = 5;

export const lawChecks: readonly Check[] = [
  {
    id: 'laws',
    says: 'What holds on every response of the run',
    covers: clausesIn(
      'GEN 1 2 7 11 13-17, ENV 1-4 6, PROJ 1 9 10 31, TASK 1 12 13 45-47, USER 1-13 16-18, TEAM 1 2 8-11 13 14',
      'META 1-4 6 7 10 11 16, ERR 1-3 5 7 10 12 14 40, RATE 1-4 6-9 13 27-30, AUTH 7 15, EP 13 14, SCOPE 14 16 17, LIST 3 20, VER 5 8',
    ),
    profile: 'read-only',
    last: true,
    run: async (t: Tools) => {
      const takes = FIELDS.map((field) => t.parts.scene.sorts.get(`tasks ${field}`));
      if (takes.some((one) => one !== undefined))
        t.must('WM-SORT-014', !takes.every((one) => one === false), 'no field sorts tasks');
      const { world } = t.parts.scene;
      if (world && 'side' in world) t.must('WM-VER-005', world.side.ok, 'a project with its documented fields alone is refused');
      for (const { message, shown } of t.parts.oracle.budget.miscounts()) t.must('WM-RATE-010', false, message, ...shown);
      const overdue = t.parts.oracle.budget.overdue();
      if (overdue) t.must('WM-RATE-022', false, overdue.message, ...overdue.shown);
      const hasty = t.parts.oracle.budget.hasty();
      if (hasty) t.must('WM-RATE-022', false, hasty.message, ...hasty.shown);
      t.note('WM-VER-008', 'unknown fields are tolerated');
      // Whether a DELETE that returned 500 though it was done was bad luck, the next one tells.
      if (t.parts.client.halfDone.has('delete_task')) {
        const task = await t.task(encodeURIComponent(await t.project('half-done')), { title: t.name('half-done') });
        await t.delete(`/tasks/${encodeURIComponent(task)}`);
      }
      for (let look = 0; look < 2; look++)
        for (const { path, query, as } of t.parts.oracle.unsettled)
          await t.walk(`${path}${query && `?${query}`}`, MAX_PAGES, { as: as === 'keyless' ? t.main : as });
    },
  },
];
