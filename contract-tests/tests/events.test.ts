// Events: how many registrations there may be is open, and a silent service is told so once. How letters may come, the conditions show.
import { expect, test } from 'vitest';
import { type Outcome, runOnReference, type Staging } from './reference.ts';
import { runOn } from './runs.ts';

/** Events and deliveries alone. */
const EVENTS = { options: { only: ['events/', 'deliveries/'] } } as const;

/** The findings of a run on events, deliveries and registrations that are not good. */
const blamed = ({ report }: Outcome): string[] =>
  report.requirements
    .filter(({ id, level }) => level === 'must' && /^WM-(EVT|DLV|HOOK)-/.test(id))
    .filter(({ status, reason = '' }) => status !== 'passed' && !['NO_CONTROL', 'NOT_SELECTED'].includes(reason))
    .map(({ id, reason }) => `${id} ${reason}`);

test('a proxy may put more in front of the path of the receiver', async () => {
  const receiverUrl = 'https://hooks.reference.test/behind/a/proxy';
  expect(blamed(await runOnReference({ options: { ...EVENTS.options, receiverUrl } }))).toEqual([]);
});

/** A server whose second and later registrations are refused, where they are such. */
const refusing = (status: number, code: string, such: (events: readonly string[]) => boolean = () => true): Staging => ({
  ...EVENTS,
  between: (next) => {
    let made = 0;
    return async (url, init) => {
      const response = await next(url, init);
      if (!url.endsWith('/webhooks') || init?.method !== 'POST' || response.status >= 300 || ++made < 2) return response;
      if (!such(JSON.parse(String(init.body)).events)) return response;
      const error = { code, message: 'One is enough.', details: { fields: [{ field: 'url', issue: 'is one too many' }] } };
      return new Response(JSON.stringify({ error }), { status, headers: response.headers });
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
