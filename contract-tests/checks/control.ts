// Checks that need a control API: plans, records from before a release, keys revoked between two requests, people who join.

import type { Check } from '../engine/check.ts';
import type { Call } from '../engine/client.ts';
import { ids, type Json, records, resource, secretOf, succeeded } from '../engine/exchange.ts';
import { clausesIn } from '../engine/spelling.ts';
import type { Tools } from '../engine/tools.ts';
import { judgeEnvelope, type Letter, lettersOf, type Registration } from '../oracle/letters.ts';
import { hookUrl } from '../stories/registrations.ts';
import { judgeSignatures } from '../stories/signatures.ts';
import { needPlans, openWorld } from './worlds.ts';

const plan = (name: 'free' | 'pro' | 'business', limit: number, requirement: string, ...also: readonly string[]): Check => ({
  id: `control/plan-${name}`,
  says: `The ${name} plan has ${limit} requests a minute; a task from before priority existed reads as medium`,
  covers: [requirement, ...also],
  needs: ['control'],
  profile: 'full',
  run: async (t: Tools) => {
    const world = await openWorld(t, name);
    const x = await t.get('/tasks/task_wmct', world.call);
    await world.close();
    const { priority } = resource(x);
    for (const id of also) t.must(id, priority === 'medium', `priority is ${String(priority)}`, x);
    const shown = x.headers.get('x-ratelimit-limit');
    if (shown !== String(limit)) await needPlans(t);
    t.must(requirement, shown === String(limit), `X-RateLimit-Limit is ${shown}`, x);
  },
});

const MEMBER_EVENTS = ['member.invited', 'member.joined'];

/** A registration in a world. */
const register = async (t: Tools, name: string, events: readonly string[], call: Call): Promise<Registration> => {
  const x = await t.post('/webhooks', { url: hookUrl(t, name), events }, call);
  if (!succeeded(x)) t.skip('NO_RECEIVER(the target refuses this URL)');
  const secret = secretOf(x);
  t.parts.redactor.know(secret, '$WEBHOOK_SECRET');
  return { name, events, everything: false, secret, space: 'own', number: x.number };
};

const named = (t: Tools, to: Registration, event: string): Letter[] =>
  lettersOf(t.parts.receiver!.on(to.name)).filter((letter) => letter.event === event);

/** The event comes once, in its envelope, and shows the user as far as it shows anything. */
const judgeMember = (t: Tools, to: Registration, requirement: string, event: string, user: Json): void => {
  const [letter, ...more] = named(t, to, event);
  t.must(requirement, letter !== undefined, `${event} does not come`);
  t.must('WM-EVT-037', more.length === 0, `${event} comes ${more.length + 1} times`);
  if (!letter) return;
  judgeEnvelope(t, letter, t.parts.changes);
  const shown = Object.entries(user).filter(([field]) => letter.snapshot[field] !== undefined);
  const wrong = shown.filter(([field, value]) => letter.snapshot[field] !== value).map(([field]) => field);
  t.must('WM-EVT-024', wrong.length === 0, `${event} shows another ${wrong.join(', ')} than the user has`);
};

export const controlChecks: readonly Check[] = [
  plan('free', 60, 'WM-RATE-014'),
  plan('pro', 300, 'WM-RATE-015', 'WM-TASK-033'),
  plan('business', 1000, 'WM-RATE-016'),
  {
    id: 'control/member-events',
    says: 'member.invited and member.joined fire when a user is invited and joins',
    covers: clausesIn('EVT 7 8 22 24-26 33 37'),
    needs: ['control', 'receiver'],
    profile: 'full',
    run: async (t: Tools) => {
      const world = await openWorld(t, 'pro');
      const hook = await register(t, 'members', MEMBER_EVENTS, world.call);
      const deaf = await register(t, 'deaf', ['task.created'], world.call);
      const user = { name: 'Invited User é', email: 'invited@wmct.test' };
      const { id } = await world.control.invite('ws_wmct', user.name, user.email);
      await world.sleep(1000);
      const listed = ids(records(await t.get('/workspace/members?limit=100', world.call))).includes(id);
      t.observe('invited-members', listed ? 'listed' : 'hidden');
      judgeMember(t, hook, 'WM-EVT-007', 'member.invited', { id, ...user, role: 'member' });
      t.must('WM-EVT-033', named(t, hook, 'member.joined').length === 0, 'member.joined comes before the user has joined');
      await world.control.join(id);
      await world.sleep(1000);
      judgeMember(t, hook, 'WM-EVT-008', 'member.joined', { id, ...user, role: 'member' });
      judgeMember(t, hook, 'WM-EVT-007', 'member.invited', { id, ...user, role: 'member' });
      const letters = lettersOf(t.parts.receiver!.on(hook.name));
      await judgeSignatures(t, [{ to: hook, letters }]);
      const stray = lettersOf(t.parts.receiver!.on(deaf.name)).length;
      t.must('WM-EVT-026', stray === 0, 'member events come to a registration that did not ask for them');
      const [joined] = named(t, hook, 'member.joined');
      if (joined) {
        const keys = Object.keys(joined.snapshot);
        t.note('WM-EVT-025', `member: ${keys.join(', ')}`);
        t.observe('member-snapshot', keys.includes('avatar_url') ? 'profile' : 'member');
      }
      await world.close();
    },
  },
];
