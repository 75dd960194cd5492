// Tasks: creation as sent, defaults, reads, updates.

import type { Check } from '../engine/check.ts';
import { absent, resource, succeeded } from '../engine/exchange.ts';
import { instant } from '../engine/shapes.ts';
import type { Tools } from '../engine/tools.ts';
import { GRID, MARKUP, STATUSES } from '../engine/world.ts';

export const taskChecks: readonly Check[] = [
  {
    id: 'tasks/create',
    says: 'Tasks are created as sent, with the defaults for what is left out',
    covers: [
      ...[
        '002',
        '003',
        '005',
        '006',
        '007',
        '008',
        '009',
        '010',
        '011',
        '020',
        '021',
        '022',
        '025',
        '038',
        '039',
        '040',
        '041',
      ].map((n) => `WM-TASK-${n}`),
      ...['WM-EP-008', 'WM-USER-015', 'WM-TASK-037'],
    ],
    profile: 'core',
    run: async (t: Tools) => {
      const { attempts, tasks, mainId, members } = await t.world();
      const special = new Map<number, string>([
        [GRID.shortTitle, 'WM-TASK-021'],
        [GRID.longTitle, 'WM-TASK-022'],
        [GRID.accented, 'WM-TASK-040'],
        [GRID.longText, 'WM-TASK-025'],
      ]);
      attempts.forEach(({ answer, sent }, i) => {
        const requirement = special.get(i) ?? (sent.assignee_id === undefined ? 'WM-EP-008' : 'WM-USER-015');
        t.must(requirement, succeeded(answer), `task ${i} of the grid is answered ${answer.status}`, answer);
      });
      if (members.length === 0) t.record.judged.delete('WM-USER-015');
      for (const { sent, got, answer } of tasks) {
        const is = (requirement: string, name: string, same: boolean) => {
          if (name in sent)
            t.must(requirement, same, `${name} is ${JSON.stringify(got[name])?.slice(0, 60)}, not as sent`, answer);
        };
        t.must(
          'WM-TASK-002',
          got.project_id === undefined || got.project_id === mainId,
          'project_id is not that of the path',
          answer,
        );
        is('WM-TASK-003', 'title', got.title === sent.title);
        is('WM-TASK-006', 'assignee_id', got.assignee_id === sent.assignee_id);
        is(
          'WM-TASK-007',
          'due_date',
          instant(got.due_date) === instant(sent.due_date) || sameSecond(got.due_date, sent.due_date),
        );
        is('WM-TASK-008', 'priority', got.priority === sent.priority);
        is('WM-TASK-010', 'status', got.status === sent.status);
        is(sent.description === MARKUP ? 'WM-TASK-039' : 'WM-TASK-005', 'description', got.description === sent.description);
      }
      const bare = attempts[GRID.shortTitle];
      if (bare?.ok) {
        t.must('WM-TASK-009', bare.got.priority === 'medium', `priority is ${String(bare.got.priority)} by default`, bare.answer);
        t.must('WM-TASK-011', bare.got.status === 'backlog', `status is ${String(bare.got.status)} by default`, bare.answer);
      }
      const alone = await t.post(`/projects/${encodeURIComponent(mainId)}/tasks`, { title: 'z wm alone' });
      t.must('WM-TASK-041', succeeded(alone), 'a task with a title alone is refused', alone);
      if (!succeeded(alone)) return;
      t.must('WM-TASK-020', absent(resource(alone).due_date), 'a task without due_date has one', alone);
      t.note('WM-TASK-038', resource(alone).due_date === null ? 'null' : 'left out', alone);
      t.observe('absent-values', resource(alone).due_date === null ? 'null' : 'left-out');
      await t.delete(`/tasks/${encodeURIComponent(String(resource(alone).id))}`);
    },
  },
  {
    id: 'tasks/read',
    says: 'A task is read by its id alone and as it was created',
    covers: ['WM-EP-009', 'WM-EP-039', 'WM-ENV-005', 'WM-GEN-009'],
    profile: 'core',
    run: async (t: Tools) => {
      const { tasks, sideTasks } = await t.world();
      for (const made of [tasks[0], sideTasks[0]]) {
        if (!made) continue;
        const x = await t.get(`/tasks/${encodeURIComponent(String(made.got.id))}`);
        t.must('WM-EP-039', succeeded(x), `a task is not read by its id: ${x.status}`, x);
        if (!succeeded(x)) continue;
        t.must('WM-EP-009', true, '');
        t.must('WM-GEN-009', true, '');
        const names = ['id', 'project_id', 'title', 'assignee_id', 'priority', 'status', 'created_at'];
        const both = names.filter((name) => name in made.got && name in resource(x));
        t.must(
          'WM-ENV-005',
          both.every((name) => resource(x)[name] === made.got[name]),
          'the read answers another task',
          made.answer,
          x,
        );
      }
    },
  },
  {
    id: 'tasks/update',
    says: 'PATCH changes each of the create fields, leaves the rest, answers the updated task and keeps it',
    covers: [
      ...['010', '021', '040', '041', '042', '043', '044', '045', '046', '047', '048'].map((n) => `WM-EP-${n}`),
      ...['WM-STATE-001', 'WM-STATE-002', 'WM-STATE-003', 'WM-TASK-035', 'WM-TASK-036', 'WM-TASK-037', 'WM-ERR-018'],
    ],
    profile: 'core',
    run: async (t: Tools) => {
      const { sideId, members } = await t.world();
      const made = await t.post(`/projects/${encodeURIComponent(sideId)}/tasks`, {
        title: 'wm before',
        description: 'before',
        priority: 'low',
        status: 'todo',
        due_date: '2031-03-01T08:00:00Z',
      });
      t.need(succeeded(made), 'WM-EP-008');
      const at = `/tasks/${encodeURIComponent(String(resource(made).id))}`;
      await t.time.sleep(1100);
      const titled = await t.patch(at, { title: 'wm after é' });
      t.must('WM-EP-010', succeeded(titled), `PATCH answers ${titled.status}`, titled);
      if (!succeeded(titled)) t.need(false, 'WM-EP-010');
      t.note('WM-EP-021', String(titled.status), titled);
      const read = await t.get(at);
      const now = resource(read);
      const kept = now.title === 'wm after é';
      const told = resource(titled).title === 'wm after é';
      t.must('WM-EP-040', kept || told, 'PATCH does not change title', titled, read);
      if (kept && titled.text !== '') t.must('WM-EP-046', told, 'PATCH answers the task as it was', titled, read);
      if (told) t.must('WM-EP-047', kept, 'PATCH is answered and not kept', titled, read);
      const stayed = ['description', 'priority', 'status', 'project_id'].every((name) => now[name] === resource(made)[name]);
      t.must(
        'WM-EP-045',
        stayed && instant(now.due_date) === instant(resource(made).due_date),
        'PATCH of title changes other fields',
        titled,
        read,
      );
      t.must(
        'WM-TASK-035',
        now.created_at === undefined || instant(now.created_at) === instant(resource(made).created_at),
        'created_at moved',
        made,
        read,
      );
      const [before, after] = [instant(resource(made).updated_at), instant(now.updated_at)];
      t.must('WM-TASK-036', !(after < before), 'updated_at moved backwards', made, read);
      t.note('WM-TASK-037', after > before ? 'it moves' : 'it stays', read);
      const stale = after > before && instant(resource(titled).updated_at) === before;
      if (told) t.must('WM-EP-046', !stale, 'PATCH answers updated_at as it was', titled, read);
      const rest: Record<string, unknown> = {
        description: 'after',
        due_date: '2031-04-02T09:30:00Z',
        priority: 'urgent',
        status: 'in_progress',
      };
      if (members[0]) rest.assignee_id = members[0];
      const many = await t.patch(at, rest);
      const result = resource(await t.get(at));
      t.must('WM-EP-041', result.description === 'after', 'PATCH does not change description', many);
      t.must('WM-EP-043', instant(result.due_date) === instant(rest.due_date), 'PATCH does not change due_date', many);
      t.must('WM-EP-044', result.priority === 'urgent', 'PATCH does not change priority', many);
      if (members[0]) t.must('WM-EP-042', result.assignee_id === members[0], 'PATCH does not change assignee_id', many);
      t.note('WM-STATE-002', succeeded(many) ? 'todo to in_progress is allowed' : `todo to in_progress is ${many.status}`, many);
      if (succeeded(many)) t.must('WM-STATE-001', result.status === 'in_progress', 'PATCH does not change status', many);
      for (const status of ['backlog', 'in_review', 'done'] as const) {
        const x = await t.patch(at, { status });
        if (succeeded(x))
          t.must(
            'WM-STATE-001',
            resource(x).status === status || x.text === '',
            `PATCH to ${status} shows ${String(resource(x).status)}`,
            x,
          );
        else t.note('WM-STATE-002', `to ${status}: ${x.status}`, x);
      }
      const long = await t.patch(at, { title: 'w'.repeat(256) });
      t.must('WM-EP-048', t.refused(long), `PATCH with a title too long is answered ${long.status}`, long);
      const half = await t.patch(at, { title: 'wm half', status: 'nonsense' });
      t.must('WM-EP-048', t.refused(half), `PATCH with an unlisted status is answered ${half.status}`, half);
      const last = await t.get(at);
      t.must(
        'WM-STATE-003',
        (STATUSES as readonly unknown[]).includes(resource(last).status),
        'a refused status is stored',
        half,
        last,
      );
      if (instant(result.due_date) === instant(rest.due_date)) {
        const same = instant(resource(last).due_date) === instant(rest.due_date);
        t.must('WM-EP-045', same, 'PATCH of status changes due_date', last);
      }
      if (t.refused(half))
        t.should('WM-ERR-018', resource(last).title !== 'wm half', 'a refused PATCH changes a field', half, last);
      await t.delete(at);
    },
  },
];

const sameSecond = (got: unknown, sent: unknown) => Math.floor(instant(got) / 1000) === Math.floor(instant(sent) / 1000);
