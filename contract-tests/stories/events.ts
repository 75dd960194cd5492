// Events: what a registration returns and refuses, and what each write of the run announces, in which envelope, to whom.

import type { Check } from '../engine/check.ts';
import { isRecord, type Json, namesField, resource, secretOf, succeeded } from '../engine/exchange.ts';
import { Kept } from '../engine/kept.ts';
import { createdId } from '../engine/made.ts';
import { isLoopback } from '../engine/preflight.ts';
import { clausesIn } from '../engine/spelling.ts';
import type { Tools } from '../engine/tools.ts';
import { Blocked } from '../engine/unjudged.ts';
import { ODD } from '../engine/world.ts';
import { judgePosts } from '../oracle/events.ts';
import type { Post } from '../oracle/pairing.ts';
import { judgeRepetition } from '../oracle/repetition.ts';
import { allArrived, ask, type Ending, hooks, hookUrl, posts, REFUSED } from './registrations.ts';
import { judgeSignatures } from './signatures.ts';

/** A row that has written there already. */
const ELSEWHERE = 'access/lists-of-other-workspace other/made';
/** Writes in the other workspace, which announce nothing to ours. */
const playElsewhere = async (t: Tools): Promise<void> => {
  const as = 'other';
  const id = createdId(await t.post('/projects', { name: t.name('events-other') }, { as }));
  if (id === undefined) return;
  const project = `/projects/${encodeURIComponent(id)}`;
  await t.post(`${project}/tasks`, { title: t.name('events-other') }, { as });
  await t.delete(project, { as });
};

type End = () => Promise<void>;
const story = new Kept<End>();

/** Whether the story was played, or there is no receiver to hear it. */
export const storyIsTold = (t: Tools): boolean => !t.parts.receiver || story.of(t) !== undefined;

/** Each kind of write, of each kind of record, and some that announce nothing; played once. @returns its end, in which all is deleted, once */
export const playStory = async (t: Tools): Promise<End> => {
  const known = story.of(t);
  if (known) return known;
  story.keep(t, async () => {});
  const { members } = await t.world();
  /** On a virtual clock what happens later has a later time. */
  const later = () => (t.time.virtual ? t.time.sleep(4000) : Promise.resolve());
  const first = await t.post('/projects', { name: t.name('events'), description: 'wm event', visibility: 'team' });
  t.need(succeeded(first), 'WM-EP-002');
  const project = `/projects/${encodeURIComponent(String(resource(first).id))}`;
  await later();
  await t.patch(project, { name: t.name('events-renamed'), description: `wm event ${ODD}`, visibility: 'private' });
  const full = {
    title: `wm event ${ODD}`,
    description: 'wm event',
    due_date: '2031-02-03T04:05:06Z',
    priority: 'high',
    status: 'todo',
    ...(members[0] ? { assignee_id: members[0] } : {}),
  };
  const made = await t.post(`${project}/tasks`, full);
  const task = `/tasks/${encodeURIComponent(String(resource(made).id))}`;
  await t.patch(task, { title: 'wm event ü', status: 'in_review' });
  await t.post(`${project}/tasks`, { title: 'wm event bare' });
  await t.patch(task, { title: 'w'.repeat(300) });
  await later();
  if (t.has('other') && !t.parts.scene.sent.has(ELSEWHERE)) await playElsewhere(t);
  const rest = [task, project];
  const end = async () => {
    for (const path of rest.splice(0)) await t.delete(path);
  };
  return story.keep(t, end);
};

interface Wrong {
  readonly field: 'url' | 'events';
  readonly requirement: string;
  readonly why: string;
  /** This fault alone. */
  readonly alone: Json;
}

/** A body with a fault in each of two fields: one refusal names both, else each is sent alone to see which one it was. */
const bothRefused = async (t: Tools, body: Json, faults: readonly Wrong[]): Promise<void> => {
  const as = t.strong;
  const x = await t.post('/webhooks', body, { as });
  if (x.status === 400 && faults.every(({ field }) => namesField(x, field))) {
    for (const { field, requirement, why } of faults) t.refusal(requirement, x, [400], why, field);
    return;
  }
  let good = true;
  for (const { field, requirement, why, alone } of faults)
    good = t.refusal(requirement, await t.post('/webhooks', alone, { as }), [400], why, field) && good;
  if (good) for (const { field, requirement, why } of faults) t.refusal(requirement, x, [400], why, field);
};

const leadsHere = async (t: Tools): Promise<boolean> => {
  const { receiver, receiverUrl } = t.parts;
  if (isLoopback(receiverUrl!)) return true;
  await fetch(hookUrl(t, 'probe'), { method: 'POST', body: '{}' }).catch(() => undefined);
  return receiver!.on('probe').length > 0;
};

/** Ends the check when no event has come at all. */
const needSome = async (t: Tools, found: readonly Post[]): Promise<void> => {
  const { to, due, letters } = found[0]!;
  if (letters.length > 0 || due.length === 0) return;
  const elsewhere = found.some((other) => other.letters.length > 0);
  if (!elsewhere && !(await leadsHere(t))) t.skip('NO_RECEIVER(its URL does not lead to the suite)');
  t.must('WM-EVT-001', false, `none of ${due.length} events comes to "${to.name}"`, due[0]!.by);
  t.need(false, 'WM-EVT-001');
};

/** Ends a check that waits for an event in vain: what is wrong with those that came is told first. */
export const neverCame = async (t: Tools, ending: Ending): Promise<never> => {
  if (ending === 'unseen') t.skip('HIDDEN(deliveries take too long to wait for)');
  const found = await allArrived(t);
  await needSome(t, found);
  judgePosts(t, t.parts.changes, found);
  const failed = t.record.findings.find(({ requirement, status }) => status === 'failed' && requirement.startsWith('WM-EVT-'));
  throw new Blocked(failed?.requirement ?? 'WM-EVT-001');
};

const NO_SECOND = 'NO_SECOND_REGISTRATION(the target refuses it)';
const HTTPS = 'https://hooks.example.com/wmct';

export const eventChecks: readonly Check[] = [
  {
    id: 'events/registration',
    says: 'A registration returns its secret once',
    covers: clausesIn('EP 19, HOOK 4-7 12 15, SCOPE 22 24'),
    needs: ['receiver', 'write'],
    profile: 'full',
    first: true,
    run: async (t: Tools) => {
      const { all, few } = await hooks(t);
      const { response } = all;
      t.must('WM-EP-019', true, '');
      t.must('WM-HOOK-004', all.secret !== undefined, 'the response has no secret', response);
      if (few) t.must('WM-HOOK-004', few.secret !== undefined, 'the response has no secret', few.response);
      else t.record.skip('WM-HOOK-012', 'events/registration', 'skipped', NO_SECOND);
      const shown = Object.keys(resource(response)).filter((name) => name !== 'secret');
      t.note('WM-HOOK-006', shown.join(', ') || 'nothing', response);
      const inData = isRecord(response.json) && isRecord(response.json.data);
      t.note('WM-HOOK-007', `${response.status}, ${inData ? 'under data' : 'at the top'}`, response);
      t.observe('webhook-create-status', String(response.status));
      t.observe('webhook-create-shape', inData ? (shown.length === 0 ? 'minimal' : 'data') : 'bare');
      if (t.has('admin')) t.must('WM-SCOPE-024', true, '');
      else t.record.skip('WM-SCOPE-024', 'events/registration', 'skipped', 'NO_KEY(admin)');
      t.note('WM-SCOPE-022', t.parts.choices.seen.get('webhook-scope') ?? 'unknown');
      t.must('WM-HOOK-005', true, '');
      if (!t.parts.receiverUrl?.startsWith('https:')) t.observe('webhook-url', 'loopback-too');
    },
  },
  {
    id: 'events/registration-rules',
    says: 'A registration without a proper url and list of events, or by a read key, is refused',
    covers: clausesIn('HOOK 1-3 8 13 14, SCOPE 13'),
    needs: ['receiver', 'write'],
    profile: 'full',
    run: async (t: Tools) => {
      await hooks(t);
      const as = t.strong;
      const events = ['task.deleted'];
      const wrong = (url: unknown, list: unknown) =>
        bothRefused(t, { url, events: list }, [
          {
            field: 'url',
            requirement: url === null ? 'WM-HOOK-001' : 'WM-HOOK-003',
            why: `the url ${JSON.stringify(url)}`,
            alone: { url, events },
          },
          {
            field: 'events',
            requirement: 'WM-HOOK-008',
            why: `the events ${JSON.stringify(list)}`,
            alone: { url: HTTPS, events: list },
          },
        ]);
      await wrong([HTTPS], 'task.deleted');
      await wrong(5, true);
      await wrong(true, 5);
      if (t.thorough) {
        await wrong(null, { first: 'task.deleted' });
        await wrong({ href: HTTPS }, 'all');
        for (const raw of ['5', 'null', 'true', '"wm"']) await t.send('POST', '/webhooks', { as, raw });
      }
      await bothRefused(t, { events: ['task.deleted', 5] }, [
        { field: 'url', requirement: 'WM-HOOK-001', why: 'no url', alone: { events } },
        { field: 'events', requirement: 'WM-HOOK-013', why: 'the event 5', alone: { url: HTTPS, events: ['task.deleted', 5] } },
      ]);
      for (const url of ['http://hooks.example.com:8080/wmct', 'ftp://hooks.example.com/wmct'])
        t.refusal('WM-HOOK-002', await t.post('/webhooks', { url, events }, { as }), [400, 422], `the url ${url}`, 'url');
      for (const url of ['https', ''])
        t.refusal('WM-HOOK-014', await t.post('/webhooks', { url, events }, { as }), [400, 422], `the url "${url}"`, 'url');
      // The oracle judges what is no object at all.
      const here = hookUrl(t, REFUSED);
      for (const raw of [`{"url":"${here}","events":["task.deleted"]`, `[{"url":"${here}","events":["task.deleted"]}]`])
        await t.send('POST', '/webhooks', { as, raw });
      if (!t.has('read')) t.skip('NO_KEY(read)');
      const x = await t.post('/webhooks', { url: hookUrl(t, REFUSED), events }, { as: 'read' });
      t.must('WM-SCOPE-013', x.status === 403, `a request with a read key returns ${x.status}`, x);
    },
  },
  {
    id: 'events/announced',
    says: 'Each write of the run announces its event, as it was, to each registration that asks for it, and nothing else does',
    covers: clausesIn('EVT 1-6 9-30 33-39, DLV 1 2, HOOK 4'),
    needs: ['receiver', 'write'],
    profile: 'full',
    last: true,
    run: async (t: Tools) => {
      const { few } = await hooks(t);
      await (await playStory(t))();
      const found = await allArrived(t);
      await needSome(t, found);
      judgePosts(t, t.parts.changes, found);
      const [stray] = t.parts.receiver!.on(REFUSED);
      if (stray) t.must('WM-SCOPE-015', false, { message: 'a registration that was refused was made', deliveries: [stray] });
      if (!few)
        for (const id of ['WM-EVT-015', 'WM-EVT-026', 'WM-EVT-036']) t.record.skip(id, 'events/announced', 'skipped', NO_SECOND);
      if (!t.has('other')) t.record.skip('WM-EVT-028', 'events/announced', 'skipped', 'NO_SECOND_WORKSPACE');
      await judgeSignatures(
        t,
        // A message to an address that is registered twice may be signed for the other registration.
        found.filter(({ to }) => !to.shared),
      );
      if (t.time.virtual) await t.time.sleep(60_000);
      judgeRepetition(t, await posts(t));
      // This once more, when nothing more is to come: a registration of its own, or none.
      const twin = few && (await ask(t, few.name, few.events, t.strong));
      if (twin && succeeded(twin)) t.must('WM-HOOK-004', secretOf(twin) !== undefined, 'the response has no secret', twin);
    },
  },
];
