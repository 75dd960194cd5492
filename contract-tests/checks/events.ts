// Events: what each write announces, in which envelope, to whom.
import type { Check } from '../engine/check.ts';
import { type Exchange, isRecord, resource, succeeded } from '../engine/exchange.ts';
import type { Message } from '../engine/receiver.ts';
import { instant, isUtc } from '../engine/shapes.ts';
import type { Tools } from '../engine/tools.ts';
import { arrived, eventOf, hooks, snapshotOf } from './hooks.ts';
import { recognise, schemeBeforeTimestamp, schemeName } from './signatures.ts';

const FIVE = ['id', 'title', 'project_id', 'status', 'assignee_id'];

interface Story {
  readonly project: string;
  readonly task: string;
  readonly bare: string;
  readonly foreign: string | undefined;
  readonly first: Exchange;
  readonly refused: readonly Exchange[];
}

/** The writes whose events are judged: each kind once, and some that are refused. */
const play = async (t: Tools): Promise<Story> => {
  const { members } = await t.world();
  const first = await t.post('/projects', { name: t.name('events') });
  const project = String(resource(first).id);
  t.need(succeeded(first), 'WM-EP-002');
  await t.patch(`/projects/${project}`, { description: 'event' });
  const task = await t.task(project, { title: 'wm event é', ...(members[0] ? { assignee_id: members[0] } : {}) });
  const bare = await t.task(project, { title: 'wm event bare' });
  await t.patch(`/tasks/${task}`, { title: 'wm event changed' });
  const refused = [
    await t.post(`/projects/${project}/tasks`, { title: 'w'.repeat(300) }),
    await t.patch(`/tasks/${task}`, { title: 'w'.repeat(300) }),
  ];
  const other = t.has('other') ? await t.post('/projects', { name: t.name('events-other') }, { as: 'other' }) : undefined;
  await t.delete(`/tasks/${task}`);
  await t.delete(`/projects/${project}`);
  const foreign = other && succeeded(other) ? String(resource(other).id) : undefined;
  return { project, task, bare, foreign, first, refused };
};

const envelope = (t: Tools, messages: readonly Message[], story: Story): void => {
  for (const message of messages) {
    const json = isRecord(message.json) ? message.json : {};
    const kind = eventOf(message);
    const stamp = message.headers['x-service-timestamp'];
    t.must('WM-EVT-009', message.method === 'POST', `a delivery is a ${message.method}`);
    const type = message.headers['content-type'] ?? '';
    t.must('WM-EVT-010', type.startsWith('application/json') && isRecord(message.json), `a delivery is ${type}`);
    const seconds = t.must('WM-EVT-011', /^\d{9,11}$/.test(stamp ?? ''), `X-Service-Timestamp is ${stamp}`);
    if (seconds) {
      // The clock of the target may differ from ours; its Date header shows it.
      const lateness = [story.first.at, Date.parse(story.first.headers.get('date') ?? '')].map((at) => Number(stamp) - at / 1000);
      const near = lateness.some((late) => late > -120 && late < 300);
      t.must('WM-EVT-012', near, `X-Service-Timestamp is ${Math.round(lateness[0]!)} s after the first write`);
    }
    t.must('WM-EVT-013', (message.headers['x-service-signature'] ?? '') !== '', 'X-Service-Signature is missing');
    t.must('WM-EVT-017', typeof json.id === 'string' && json.id !== '', `the id of an event is ${JSON.stringify(json.id)}`);
    const named = typeof json.event === 'string' && /^[a-z]+\.[a-z_]+$/.test(json.event);
    t.must('WM-EVT-019', named, `event is ${JSON.stringify(json.event)}`);
    const dated = t.must('WM-EVT-020', isUtc(json.created_at), `created_at is ${JSON.stringify(json.created_at)}`);
    if (dated && seconds) {
      const apart = Math.abs(Math.floor(instant(json.created_at) / 1000) - Number(stamp));
      t.must('WM-EVT-021', apart <= 1, `created_at and X-Service-Timestamp are ${apart} s apart`);
    }
    const keys = isRecord(json.data) ? Object.keys(json.data) : [];
    t.must('WM-EVT-022', keys.length === 1 && keys[0] === kind.split('.')[0], `data of ${kind} has the keys ${keys.join()}`);
    if (kind.startsWith('task.')) {
      const missing = FIVE.filter((name) => !(name in snapshotOf(message)));
      const unset = missing.every((name) => name === 'assignee_id') && snapshotOf(message).id === story.bare;
      t.must('WM-EVT-023', missing.length === 0, `a task snapshot ${unset ? 'without assignee ' : ''}lacks ${missing.join()}`);
    }
  }
};

const signatures = async (
  t: Tools,
  messages: readonly Message[],
  few: readonly Message[],
  secret: string | undefined,
): Promise<void> => {
  const of = (message: Message) => message.headers['x-service-signature'];
  const signed = messages.filter(of);
  if (signed.length > 1) {
    const distinct = new Set(signed.map(of)).size;
    t.must('WM-EVT-014', distinct > 1, 'every delivery has the same signature');
  }
  const twin = few.find((message) => messages.some((candidate) => candidate.body === message.body));
  const same = twin && messages.find((candidate) => candidate.body === twin.body);
  if (few[0] && of(few[0])) t.must('WM-EVT-015', !same || of(same) !== of(twin), 'two secrets give the same signature');
  const example = signed.find((message) => message.body.includes('é')) ?? signed[0];
  const scheme = example && secret ? await recognise(example, secret) : undefined;
  t.note('WM-EVT-016', scheme ? schemeName(scheme) : 'an unknown scheme');
  const old = scheme && !t.knows('1.2') ? schemeBeforeTimestamp(scheme) : undefined;
  t.observe('signature', old?.name ?? (scheme ? schemeName(scheme) : undefined));
  t.observe('signature-before-timestamp', old?.signs);
  if (scheme) t.must('WM-EVT-034', scheme.raw, 'the signature fits the body only after it was written anew');
  else t.note('WM-EVT-034', 'the scheme is unknown');
};

export const eventChecks: readonly Check[] = [
  {
    id: 'events/registration',
    says: 'A registration answers its secret once',
    covers: ['WM-EP-019', 'WM-HOOK-004', 'WM-HOOK-005', 'WM-HOOK-006', 'WM-HOOK-007', 'WM-SCOPE-022', 'WM-SCOPE-024'],
    needs: ['receiver', 'write'],
    profile: 'full',
    run: async (t: Tools) => {
      const { all } = await hooks(t);
      t.must('WM-EP-019', true, '');
      t.must('WM-HOOK-004', all.secret !== undefined, 'the answer has no secret', all.answer);
      const shown = Object.keys(resource(all.answer)).filter((name) => name !== 'secret');
      t.note('WM-HOOK-006', shown.join(', ') || 'nothing', all.answer);
      const inData = isRecord(all.answer.json) && isRecord(all.answer.json.data);
      t.note('WM-HOOK-007', `${all.answer.status}, ${inData ? 'under data' : 'at the top'}`, all.answer);
      t.observe('webhook-create-status', String(all.answer.status));
      t.observe('webhook-create-shape', inData ? (shown.length === 0 ? 'minimal' : 'data') : 'bare');
      if (t.has('admin')) t.must('WM-SCOPE-024', succeeded(all.answer), 'an admin key may not register', all.answer);
      else t.record.skip('WM-SCOPE-024', 'events/registration', 'skipped', 'NO_KEY(admin)');
      t.note('WM-SCOPE-022', t.parts.choices.seen.get('webhook-scope') ?? 'unknown');
      t.must('WM-HOOK-005', true, '');
      const strict = t.parts.receiverUrl?.startsWith('https:');
      if (!strict) t.observe('webhook-url', 'loopback-too');
    },
  },
  {
    id: 'events/registration-rules',
    says: 'A registration without url, with another scheme, with wrong types, or by a read key is refused',
    covers: ['WM-HOOK-001', 'WM-HOOK-002', 'WM-HOOK-003', 'WM-HOOK-008', 'WM-SCOPE-013'],
    needs: ['receiver', 'write'],
    profile: 'full',
    run: async (t: Tools) => {
      await hooks(t);
      const as = t.strong;
      const events = [t.knows('1.2') ? 'member.invited' : 'task.deleted'];
      const url = 'https://hooks.example.com/wmct';
      t.refusal('WM-HOOK-001', await t.post('/webhooks', { events }, { as }), [400, 422], 'url');
      t.refusal(
        'WM-HOOK-002',
        await t.post('/webhooks', { url: 'http://hooks.example.com/wmct', events }, { as }),
        [400, 403, 409, 422],
      );
      t.refusal('WM-HOOK-003', await t.post('/webhooks', { url: 5, events }, { as }), [400], 'url');
      t.refusal('WM-HOOK-008', await t.post('/webhooks', { url, events: 'all' }, { as }), [400], 'events');
      if (!t.has('read')) t.skip('NO_KEY(read)');
      const x = await t.post('/webhooks', { url, events }, { as: 'read' });
      t.must('WM-SCOPE-013', x.status === 403, `a read key is answered ${x.status}`, x);
    },
  },
  {
    id: 'events/delivery',
    says: 'Each write announces its event in the documented envelope, to those who asked for it',
    covers: [
      ...['001', '002', '003', '004', '005', '006', '009', '010', '011', '012', '013', '014', '015', '016', '017', '018', '019'],
      ...['020', '021', '022', '023', '024', '025', '026', '027', '028', '029', '033', '034'],
    ].map((n) => `WM-EVT-${n}`),
    needs: ['receiver', 'write'],
    profile: 'full',
    run: async (t: Tools) => {
      const { all } = await hooks(t);
      const receiver = t.parts.receiver!;
      await t.time.settle();
      const from = receiver.messages.length;
      const fresh = (path: string) => receiver.messages.slice(from).filter((m) => m.path === path && !m.body.includes('wmdlv-'));
      const story = await play(t);
      const about = (id: string) => fresh('all').filter((message) => snapshotOf(message).id === id);
      const has = (id: string, name: string) => about(id).some((message) => eventOf(message) === name);
      const wanted: readonly [string, string, string][] = [
        ['WM-EVT-004', story.project, 'project.created'],
        ['WM-EVT-005', story.project, 'project.updated'],
        ['WM-EVT-001', story.task, 'task.created'],
        ['WM-EVT-002', story.task, 'task.updated'],
        ['WM-EVT-003', story.task, 'task.deleted'],
        ['WM-EVT-006', story.project, 'project.deleted'],
      ];
      await arrived(t, () => wanted.every(([, id, name]) => has(id, name)));
      await t.time.settle();
      const messages = fresh('all');
      if (messages.length === 0) t.must('WM-EVT-001', false, 'no event comes at all', story.first);
      t.need(messages.length > 0, 'WM-EVT-001');
      for (const [requirement, id, name] of wanted) t.must(requirement, has(id, name), `${name} does not come`, story.first);
      envelope(t, messages, story);
      const distinct = (id: string, name: string) =>
        new Set(
          about(id)
            .filter((m) => eventOf(m) === name)
            .map((m) => (m.json as { id?: unknown }).id),
        ).size;
      const extra = wanted.filter(([, id, name]) => distinct(id, name) > 1);
      const foreignKinds = messages.filter((message) => eventOf(message).startsWith('member.'));
      t.must(
        'WM-EVT-033',
        extra.length === 0 && foreignKinds.length === 0,
        `${extra.map(([, , name]) => name).join()} comes for other actions`,
      );
      const ids = messages.map((message) => `${(message.json as { id?: unknown } | undefined)?.id}`);
      const kinds = messages.map((message) => `${eventOf(message)} ${String(snapshotOf(message).id)}`);
      const clash = ids.some((id, i) => ids.some((other, j) => other === id && kinds[i] !== kinds[j]));
      t.must('WM-EVT-018', !clash, 'two events have one id');
      const created = about(story.task).find((message) => eventOf(message) === 'task.created');
      const updated = about(story.task).find((message) => eventOf(message) === 'task.updated');
      if (created)
        t.must(
          'WM-EVT-024',
          [undefined, 'wm event é'].includes(snapshotOf(created).title as string),
          'the snapshot is of another task',
        );
      if (updated)
        t.should('WM-EVT-024', snapshotOf(updated).title === 'wm event changed', 'the snapshot is from before the update');
      const few = fresh('few');
      t.must(
        'WM-EVT-026',
        few.every((message) => eventOf(message) === 'task.deleted'),
        'an event comes that was not subscribed to',
      );
      const refused = story.refused.every((x) => t.refused(x));
      const long = messages.some((message) => message.body.includes('w'.repeat(200)));
      const strays = messages.filter((m) => eventOf(m) === 'task.created' && snapshotOf(m).project_id === story.project);
      const known = strays.every((m) => [story.task, story.bare].includes(String(snapshotOf(m).id)));
      if (refused) t.must('WM-EVT-027', !long && known, 'a refused write fires an event', ...story.refused);
      if (story.foreign) t.must('WM-EVT-028', about(story.foreign).length === 0, 'an event of another workspace comes');
      else t.record.skip('WM-EVT-028', 'events/delivery', 'skipped', 'NO_SECOND_WORKSPACE');
      const cascade = about(story.bare).some((message) => eventOf(message) === 'task.deleted');
      t.note('WM-EVT-029', cascade ? 'each task too' : 'the project alone');
      t.observe('project-delete-events', cascade ? 'each' : 'project');
      const project = about(story.project)[0];
      if (project) t.note('WM-EVT-025', `project: ${Object.keys(snapshotOf(project)).join(', ')}`);
      if (created)
        t.observe('task-snapshot', Object.keys(snapshotOf(created)).some((name) => !FIVE.includes(name)) ? 'full' : 'minimal');
      await signatures(t, messages, few, all.secret);
    },
  },
  {
    id: 'events/no-op',
    says: 'Whether a PATCH that changes nothing fires an event',
    covers: ['WM-EVT-030'],
    needs: ['receiver', 'write'],
    profile: 'full',
    run: async (t: Tools) => {
      await hooks(t);
      const { sideId } = await t.world();
      const task = await t.task(encodeURIComponent(sideId), { title: 'wm no-op' });
      const x = await t.patch(`/tasks/${task}`, {});
      await t.time.settle();
      await t.time.settle();
      const fired = t.parts.receiver!.on('all', 'task.updated').some((message) => snapshotOf(message).id === task);
      t.note('WM-EVT-030', succeeded(x) ? (fired ? 'it fires' : 'it does not') : `refused with ${x.status}`, x);
    },
  },
];
