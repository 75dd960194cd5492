// Comments: read only, so a task that has some is given, found in the workspace, or a control API makes them.

import type { Check } from '../engine/check.ts';
import { type Exchange, ids, type Json, metaOf, records, succeeded } from '../engine/exchange.ts';
import { clausesIn } from '../engine/spelling.ts';
import type { Tools } from '../engine/tools.ts';

/** A read key was seen to delete no task. */
const readerWasRefused = (t: Tools): boolean =>
  t.parts.oracle
    .workspace('own')
    .refused.some(({ x }) => x.as === 'read' && x.status === 403 && x.operation?.id === 'delete_task');

/** How many tasks of others are asked for comments at most. */
const LOOKS = 5;

/** The comments of the task that was named, else of a task of others that has some, at best more than fit a page. */
const foundComments = async (t: Tools): Promise<{ task: string; all: Exchange }> => {
  const read = (task: string) => t.get(`/tasks/${encodeURIComponent(task)}/comments?limit=100`, { as: t.reader });
  const named = t.parts.commentedTask;
  if (named) return { task: named, all: await read(named) };
  const ours = (row: Json) => t.parts.oracle.workspace('own').get('task', String(row.id))?.own === true;
  // The oldest were there before us.
  const sort = t.sorts('/tasks', 'created_at') === true ? '&sort=created_at' : '';
  const listed = await t.get(`/tasks?limit=100${sort}`, { as: t.reader });
  const others = records(listed).filter((row) => typeof row.id === 'string' && !ours(row));
  const step = Math.max(1, Math.floor(others.length / LOOKS));
  let best: { task: string; all: Exchange } | undefined;
  for (const { id } of others.filter((_, i) => i % step === 0).slice(0, LOOKS)) {
    if (!t.affords(4)) break;
    const all = await read(String(id));
    if (records(all).length > (best ? records(best.all).length : 0)) best = { task: String(id), all };
    if (records(all).length > t.smallestLimit) break;
  }
  return best ?? t.skip('NO_FIXTURE(comments)');
};

export const commentChecks: readonly Check[] = [
  {
    id: 'comments/list',
    says: 'The comments of a task are listed, page by page',
    covers: clausesIn('CMT 1-4, LIST 32, EP 12 70, META 18'),
    profile: 'read-only',
    run: async (t: Tools) => {
      const { control } = t.parts;
      const made = new Map<string, { author_id: string; body: string }>();
      let task: string;
      let all: Exchange;
      if (control && t.within('core')) {
        const world = await t.world();
        task = String(world.tasks[0]!.got.id);
        const author = String(t.parts.scene.user);
        for (const body of ['first é', 'second'])
          made.set((await control.comment(task, author, body)).id, { author_id: author, body });
        all = await t.get(`/tasks/${encodeURIComponent(task)}/comments?limit=100`, { as: t.reader });
      } else ({ task, all } = await foundComments(t));
      t.parts.scene.commented = task;
      const at = `/tasks/${encodeURIComponent(task)}/comments`;
      t.must('WM-EP-012', succeeded(all), `returns ${all.status}`, all);
      t.need(succeeded(all), 'WM-EP-012');
      const found = ids(records(all));
      if (found.length === 0) {
        if (made.size > 0) t.must('WM-EP-070', false, 'the comments of the task are missing', all);
        t.skip('NO_FIXTURE(comments)');
      }
      t.must(
        'WM-EP-070',
        [...made.keys()].every((id) => found.includes(id)),
        'a comment of the task is missing',
        all,
      );
      for (const row of records(all)) {
        const sent = made.get(String(row.id));
        if (sent)
          t.must(
            'WM-CMT-003',
            row.body === sent.body && row.author_id === sent.author_id,
            'a comment is not as it was made',
            all,
          );
      }
      const names = t.parts.scene.memberNames ?? new Set();
      const named = records(all).some(({ author_id }) => names.has(author_id));
      t.must('WM-CMT-002', !named, 'author_id is the name or the email of a member', all);
      for (const id of ['WM-CMT-001', 'WM-CMT-002', 'WM-CMT-003', 'WM-CMT-004']) t.record.judged.add(id);
      if (found.length <= t.smallestLimit) t.skip('NO_FIXTURE(more comments than fit a page)');
      // Where a read key was seen to delete nothing: neither does it what goes with a task.
      const tried = made.size > 0 && readerWasRefused(t) && t.within('full');
      const refused = tried ? await t.delete(`/tasks/${encodeURIComponent(task)}`, { as: 'read' }) : undefined;
      const { pages, items } = await t.walk(`${at}?limit=1`, 2);
      if (refused) t.must('WM-SCOPE-015', items.length > 0, 'a refused DELETE of a task deletes its comments', refused, ...pages);
      const what = ({ author_id, body, created_at }: Json) => JSON.stringify([author_id, body, created_at]);
      // Two that are alike in all but their ids are two, unless each reading has another id for one.
      const alone = records(all).filter((row, _, rows) => rows.filter((other) => what(other) === what(row)).length === 1);
      const renamed = items.some((item) => alone.some((row) => what(row) === what(item) && row.id !== item.id));
      t.must('WM-CMT-001', !renamed, 'a comment has another id when it is read again', all, ...pages);
      const fresh =
        pages.length > 1 && new Set(items.map((item) => item.id)).size === items.length && records(pages[1]!).length > 0;
      t.must('WM-LIST-032', fresh, 'the cursor of comments does not lead on', ...pages.slice(0, 2));
    },
  },
  {
    id: 'comments/none',
    says: 'A task without comments has an empty list, and no request comments it',
    covers: ['WM-CMT-006', 'WM-CMT-008'],
    profile: 'full',
    run: async (t: Tools) => {
      if (!t.knows('1.3')) return;
      const { sideTasks } = await t.world();
      t.need(sideTasks.length > 0, 'WM-EP-008');
      const at = `/tasks/${encodeURIComponent(String(sideTasks[0]!.got.id))}/comments`;
      const comment = await t.send('POST', at, { as: t.main, body: { body: 'wm comment' } });
      t.must('WM-CMT-008', t.refused(comment), `POST of a comment returns ${comment.status}`, comment);
      const empty = await t.get(at, { as: t.strong });
      const none = records(empty).length === 0 && [0, undefined].includes(metaOf(empty).total as number | undefined);
      if (succeeded(empty) && t.refused(comment)) t.must('WM-CMT-006', none, 'a new task has comments', empty);
    },
  },
];
