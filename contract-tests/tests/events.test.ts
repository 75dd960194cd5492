// Events: nobody is blamed for how the letters of a conforming service come or for what others do, and a silent service is told so once.
import { expect, test } from 'vitest';
import { KEYS } from '../judge/reference/world.ts';
import { type Outcome, open, runOnReference, type Staging } from './reference.ts';
import { runOn } from './runs.ts';
import { FAULTS } from './test-server.ts';

/** Events and deliveries alone. */
const EVENTS = { options: { only: ['events/', 'deliveries/'] } } as const;

/** A service with these manners, or faults. */
const like = (...names: readonly string[]): Staging => ({
  alter: (service) => {
    for (const name of names) FAULTS[name]!(service);
  },
});

/** Enough for two runs at once, and for what others do. */
const plenty: Staging['alter'] = ({ db }) => {
  for (const workspace of db.workspaces) Object.assign(workspace, { perMinute: 50_000 });
};

/** What a run says of events, deliveries and registrations that is not good. */
const blamed = ({ report }: Outcome): string[] =>
  report.requirements
    .filter(({ id, level }) => level === 'must' && /^WM-(EVT|DLV|HOOK)-/.test(id))
    .filter(({ status, reason = '' }) => status !== 'passed' && !['NO_CONTROL', 'NOT_SELECTED'].includes(reason))
    .map(({ id, reason }) => `${id} ${reason}`);

test.each<[string, readonly string[], Staging]>([
  ['comes minutes later, without an assignee who is not there', ['manner-late', 'manner-leaves-out'], EVENTS],
  [
    'comes in any order, twice now and then, with projects that have no id',
    ['manner-shuffled', 'manner-repeats-some', 'manner-nameless-projects'],
    // Chance shows as such among many deliveries alone.
    {},
  ],
])('nobody is blamed whose post %s', async (_what, manners, staging) => {
  expect(blamed(await runOnReference({ ...like(...manners), ...staging }))).toEqual([]);
});

test.each([
  ['behind', -300_000, true],
  ['ahead', 300_000, false],
])('a clock that is five minutes %s is no fault, with a Date or without', async (_where, apart, hasDate) => {
  const between: Staging['between'] = (next, clock) => async (url, init) => {
    const answer = await next(url, init);
    if (hasDate) answer.headers.set('date', new Date(clock.now()).toUTCString());
    return answer;
  };
  expect(blamed(await runOnReference({ ...EVENTS, between, time: (clock) => ({ now: () => clock.now() - apart }) }))).toEqual([]);
});

test('what others do in the workspace is theirs, and a proxy may put more in front of the path of the receiver', async () => {
  let busy = 0;
  const between: Staging['between'] = (next) => async (url, init) => {
    const base = url.slice(0, url.indexOf('/v1') + '/v1'.length);
    const ask = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${KEYS.admin}`, 'content-type': 'application/json' };
      const answer = await next(`${base}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
      return (await answer.json().catch(() => undefined)) as { data: { id: string } };
    };
    if (++busy % 5 === 0) {
      const { data: project } = await ask('POST', '/projects', { name: `Theirs ${busy}` });
      const { data: task } = await ask('POST', `/projects/${project.id}/tasks`, { title: 'w'.repeat(200) });
      await ask('PATCH', `/tasks/${task.id}`, { title: 'theirs' });
      await ask('DELETE', `/projects/${project.id}`);
    }
    return next(url, init);
  };
  const receiverUrl = 'https://hooks.reference.test/behind/a/proxy';
  expect(blamed(await runOnReference({ alter: plenty, between, options: { ...EVENTS.options, receiverUrl } }))).toEqual([]);
});

test('a second run on the same server and receiver, and two at once, hear their own events alone', async () => {
  const staging = open({ ...EVENTS, alter: plenty });
  expect(blamed(await staging.run())).toEqual([]);
  const both = await Promise.all([staging.run(), staging.run()]);
  expect(both.flatMap(blamed)).toEqual([]);
});

/** A server whose second and later registrations are refused, where they are such. */
const refusing = (status: number, code: string, such: (events: readonly string[]) => boolean = () => true): Staging => ({
  ...EVENTS,
  between: (next) => {
    let made = 0;
    return async (url, init) => {
      const answer = await next(url, init);
      if (!url.endsWith('/webhooks') || init?.method !== 'POST' || answer.status >= 300 || ++made < 2) return answer;
      if (!such(JSON.parse(String(init.body)).events)) return answer;
      const error = { code, message: 'One is enough.', details: { fields: [{ field: 'url', issue: 'is one too many' }] } };
      return new Response(JSON.stringify({ error }), { status, headers: answer.headers });
    };
  },
});

test.each([
  [409, 'conflict'],
  [422, 'validation_error'],
])('how many registrations a workspace may have is open: %i', async (status, code) => {
  const outcome = await runOnReference(refusing(status, code));
  expect(outcome.report.failures).toEqual([]);
  expect(blamed(outcome).every((said) => said.includes('NO_SECOND_REGISTRATION'))).toBe(true);
});

test('a registration for some of the events is not refused where one for all of them is taken', async () => {
  const { report } = await runOnReference(refusing(422, 'validation_error', (events) => events.length < 5));
  expect(report.failures).toContain('WM-EP-019');
});

test('a service that delivers nothing is told so once', async () => {
  const { failures } = await runOn(['hook-silent'], { profile: 'full', allow: ['webhooks'], only: ['events/'] });
  expect(failures).toEqual(['WM-EVT-001']);
});
