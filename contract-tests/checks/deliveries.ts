// Deliveries: what is acknowledged, what is retried and when. The same code waits in real time or advances a virtual clock.
import type { Check } from '../engine/check.ts';
import type { Answer, Message } from '../engine/receiver.ts';
import { instant } from '../engine/shapes.ts';
import type { Tools } from '../engine/tools.ts';
import { arrived, eventOf, hooks } from './hooks.ts';

const SECOND = 1000;

/** Titles say how their deliveries are answered, attempt by attempt; afterwards 204. */
const MARK = /wmdlv-([a-z]+)-([\dt.]+)/;

const plan = (message: Message, earlier: readonly Message[]): Answer | undefined => {
  const found = MARK.exec(message.body);
  if (!found || eventOf(message) !== 'task.created') return undefined;
  const nth = earlier.filter((other) => other.path === message.path && MARK.exec(other.body)?.[0] === found[0]).length;
  const step = found[2]!.split('.')[nth];
  if (step === undefined) return 204;
  return step.startsWith('t') ? { status: 200, delayMs: Number(step.slice(1)) * SECOND } : Number(step);
};

const attempts = (t: Tools, name: string): Message[] =>
  t.parts.receiver!.on('all').filter((message) => MARK.exec(message.body)?.[1] === name && eventOf(message) === 'task.created');

/** Waits for one attempt more, after a delay and not before; answers how many seconds it took, or why it is wrong. */
const next = async (t: Tools, name: string, delay: number): Promise<number | 'early' | 'never'> => {
  const before = attempts(t, name).length;
  const margin = t.time.virtual ? 3 : Math.max(3, delay * 0.1);
  await t.time.sleep((delay - margin) * SECOND);
  if (attempts(t, name).length > before) return 'early';
  const slack = margin + delay * 0.2 + 10;
  const rounds = Math.ceil(slack);
  for (let second = 1; second <= rounds; second++) {
    await t.time.sleep(SECOND);
    if (attempts(t, name).length > before) return delay - margin + second;
  }
  return 'never';
};

const text = (found: number | 'early' | 'never', delay: number) =>
  found === 'early'
    ? `it comes before ${delay} s`
    : found === 'never'
      ? `it does not come within ${Math.ceil(delay * 1.2 + 10)} s`
      : '';

const same = (t: Tools, list: readonly Message[]): void => {
  const [first, ...retries] = list;
  if (!first) return;
  const json = (message: Message) => (message.json ?? {}) as Record<string, unknown>;
  for (const retry of retries) {
    t.must('WM-DLV-014', json(retry).id === json(first).id, 'a retry has another id');
    const stamp = 'x-service-timestamp';
    t.must(
      'WM-DLV-015',
      retry.headers[stamp] === first.headers[stamp],
      `X-Service-Timestamp changes from ${first.headers[stamp]} to ${retry.headers[stamp]}`,
    );
    t.must('WM-DLV-016', (retry.headers['x-service-signature'] ?? '') !== '', 'a retry is not signed');
    const equal = json(retry).event === json(first).event && instant(json(retry).created_at) === instant(json(first).created_at);
    t.must('WM-DLV-019', equal, 'a retry carries another envelope');
  }
};

export const deliveryChecks: readonly Check[] = [
  {
    id: 'deliveries/acknowledged',
    says: 'A delivery answered 2xx is not repeated',
    covers: ['WM-DLV-001'],
    needs: ['receiver', 'write'],
    profile: 'full',
    run: async (t: Tools) => {
      await hooks(t);
      t.parts.receiver!.plan = plan;
      const { sideId } = await t.world();
      await t.task(encodeURIComponent(sideId), { title: 'wmdlv-quick-200' });
      const came = await arrived(t, () => attempts(t, 'quick').length > 0);
      t.need(came, 'WM-EVT-001');
      await t.time.settle();
      t.must(
        'WM-DLV-001',
        attempts(t, 'quick').length === 1,
        `a delivery answered 200 comes ${attempts(t, 'quick').length} times`,
      );
    },
  },
  {
    id: 'deliveries/retries',
    says: 'A failed delivery is retried at the stated times, unchanged, and no further than stated',
    covers: ['001', '002', '003', '004', '005', '007', '008', '009', '010', '011', '012', '013', '014', '015', '016', '019'].map(
      (n) => `WM-DLV-${n}`,
    ),
    needs: ['receiver', 'write', 'slow'],
    profile: 'full',
    run: async (t: Tools) => {
      await hooks(t);
      t.parts.receiver!.plan = plan;
      const project = await t.project('retries');
      const titles = [
        'wmdlv-long-500.404.302.500.500.500',
        'wmdlv-moved-302.204',
        'wmdlv-plain-500.500.204',
        'wmdlv-fine-200.200',
        'wmdlv-ok-204.204',
        'wmdlv-once-500.299',
      ];
      for (const title of titles) await t.task(project, { title });
      const came = await arrived(t, () => ['long', 'moved', 'once'].every((name) => attempts(t, name).length > 0));
      t.need(came, 'WM-EVT-001');
      /** When another delivery was retried meanwhile, it is the kind of failure that is not. */
      const judge = async (requirement: string, delay: number, kind?: string, witness?: () => boolean): Promise<boolean> => {
        const found = await next(t, 'long', delay);
        if (kind && found === 'never' && witness?.()) return t.must(kind, false, 'a failed delivery of this kind is not retried');
        if (kind && found !== 'never') t.must(kind, true, '');
        return t.must(requirement, typeof found === 'number', text(found, delay));
      };
      const first = await judge('WM-DLV-007', 30, 'WM-DLV-003', () => attempts(t, 'moved').length > 1);
      t.must('WM-DLV-005', attempts(t, 'moved').length > 1 || !first, 'a delivery answered 302 is not retried');
      t.must('WM-DLV-001', attempts(t, 'fine').length === 1, 'a delivery answered 200 is repeated');
      t.must(
        'WM-DLV-002',
        attempts(t, 'ok').filter((m) => m.body.includes('204.204')).length === 1,
        'a delivery answered 204 is repeated',
      );
      same(t, attempts(t, 'long'));
      if (!first) t.need(false, 'WM-DLV-007');
      if (!(await judge('WM-DLV-008', 120, 'WM-DLV-004', () => attempts(t, 'plain').length > 2))) t.need(false, 'WM-DLV-008');
      t.must(
        'WM-DLV-013',
        attempts(t, 'once').length === 2,
        `after a retry answered 299 it comes ${attempts(t, 'once').length} times`,
      );
      if (!t.time.virtual) t.skip('NO_CONTROL');
      if (!(await judge('WM-DLV-009', 600))) t.need(false, 'WM-DLV-009');
      if (!(await judge('WM-DLV-010', 1800))) t.need(false, 'WM-DLV-010');
      if (!(await judge('WM-DLV-011', 7200))) t.need(false, 'WM-DLV-011');
      await t.time.sleep(6 * 3600 * SECOND);
      const count = attempts(t, 'long').length;
      t.must('WM-DLV-012', count === 6, `${count} attempts in all`);
      t.must('WM-DLV-013', attempts(t, 'once').length === 2, 'a delivery that succeeded is repeated');
      same(t, attempts(t, 'long'));
    },
  },
  {
    id: 'deliveries/timeout',
    says: 'No answer within ten seconds is a failure, an answer after nine is none',
    covers: ['WM-DLV-006'],
    needs: ['receiver', 'write', 'slow'],
    profile: 'full',
    run: async (t: Tools) => {
      await hooks(t);
      const { control } = t.parts;
      t.parts.receiver!.plan = plan;
      const { sideId } = await t.world();
      const at = encodeURIComponent(sideId);
      if (control) {
        const hook = (await control.webhooks()).find((candidate) => candidate.url === t.hookUrl('all'));
        if (!hook) t.skip('NO_CONTROL(registration)');
        await t.time.settle();
        await control.simulate(hook.id, ['timeout']);
        await t.task(at, { title: 'wmdlv-late-204' });
        let waited = 0;
        for (; waited < 60 && attempts(t, 'late').length === 0; waited++) await t.time.sleep(SECOND);
        t.must('WM-DLV-006', attempts(t, 'late').length > 0 && waited >= 25, `the retry after a timeout comes after ${waited} s`);
        t.observe('retry-counted-from', waited >= 36 ? 'failure' : 'attempt');
        return;
      }
      await t.task(at, { title: 'wmdlv-late-t11' });
      await t.task(at, { title: 'wmdlv-slow-t9' });
      const came = await arrived(t, () => attempts(t, 'late').length > 0 && attempts(t, 'slow').length > 0);
      t.need(came, 'WM-EVT-001');
      for (let waited = 0; waited < 62 && attempts(t, 'late').length < 2; waited++) await t.time.sleep(SECOND);
      t.must('WM-DLV-006', attempts(t, 'late').length > 1, 'a delivery without an answer for 11 s is not retried');
      t.must('WM-DLV-006', attempts(t, 'slow').length === 1, 'a delivery answered after 9 s is retried');
    },
  },
];
