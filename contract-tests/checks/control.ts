// What only a control API can show: plans, records from before a release, keys revoked between two requests, people who join.

import type { Check } from '../engine/check.ts';
import { ids, records, resource, succeeded } from '../engine/exchange.ts';
import type { Tools } from '../engine/tools.ts';
import { eventOf, snapshotOf } from './hooks.ts';
import { needPlans, openWorld } from './worlds.ts';

const plan = (name: 'free' | 'pro' | 'business', limit: number, requirement: string): Check => ({
  id: `control/plan-${name}`,
  says: `The ${name} plan has ${limit} requests a minute`,
  covers: [requirement],
  needs: ['control'],
  profile: 'full',
  run: async (t: Tools) => {
    const world = await openWorld(t, name);
    const x = await t.get('/users/me', world.call);
    await world.close();
    const shown = x.headers.get('x-ratelimit-limit');
    if (shown !== String(limit)) await needPlans(t);
    t.must(requirement, shown === String(limit), `X-RateLimit-Limit is ${shown}`, x);
  },
});

export const controlChecks: readonly Check[] = [
  plan('free', 60, 'WM-RATE-014'),
  plan('pro', 300, 'WM-RATE-015'),
  plan('business', 1000, 'WM-RATE-016'),
  {
    id: 'control/legacy-priority',
    says: 'A task from before priority existed reads as medium',
    covers: ['WM-TASK-033'],
    needs: ['control'],
    profile: 'full',
    run: async (t: Tools) => {
      const world = await openWorld(t, 'pro');
      const x = await t.get('/tasks/task_wmct', world.call);
      t.must('WM-TASK-033', resource(x).priority === 'medium', `priority is ${String(resource(x).priority)}`, x);
      await world.close();
    },
  },
  {
    id: 'control/revoked-at-once',
    says: 'A key that has just worked is 401 as soon as it is revoked',
    covers: ['WM-AUTH-009'],
    needs: ['control'],
    profile: 'full',
    run: async (t: Tools) => {
      const control = t.parts.control!;
      const me = resource(await t.get('/users/me')).id;
      const home = (await control.keys()).find((key) => key.user_id === me);
      if (!home) t.skip('NO_FIXTURE(key of the profile)');
      const key = await control.createKey(home.workspace_id, 'read', home.user_id);
      t.parts.redactor.know(key.value, '$KEY_REVOKED_AT_ONCE');
      const works = await t.get('/users/me', { key: key.value });
      t.need(succeeded(works), 'WM-EP-013');
      await control.revokeKey(key.id);
      const x = await t.get('/users/me', { key: key.value });
      t.must('WM-AUTH-009', x.status === 401, `a key revoked a moment ago is answered ${x.status}`, works, x);
    },
  },
  {
    id: 'control/member-events',
    says: 'member.invited and member.joined fire when a user is invited and joins',
    covers: ['WM-EVT-007', 'WM-EVT-008', 'WM-EVT-022', 'WM-EVT-025'],
    needs: ['control', 'receiver'],
    profile: 'full',
    run: async (t: Tools) => {
      const world = await openWorld(t, 'pro');
      const url = t.hookUrl('members');
      const x = await t.post('/webhooks', { url, events: ['member.invited', 'member.joined'] }, world.call);
      if (!succeeded(x)) t.skip('NO_RECEIVER(the target refuses this URL)');
      const secret = (resource(x) as { secret?: string }).secret;
      t.parts.redactor.know(secret, '$WEBHOOK_SECRET');
      const invited = await world.control.invite('ws_wmct', 'Invited User', 'invited@wmct.test');
      await world.sleep(1000);
      const listed = ids(records(await t.get('/workspace/members?limit=100', world.call))).includes(invited.id);
      t.observe('invited-members', listed ? 'listed' : 'hidden');
      await world.control.join(invited.id);
      await world.sleep(1000);
      const messages = t.parts.receiver!.on('members');
      const of = (name: string) => messages.find((message) => eventOf(message) === name);
      t.must('WM-EVT-007', of('member.invited') !== undefined, 'member.invited does not come');
      t.must('WM-EVT-008', of('member.joined') !== undefined, 'member.joined does not come');
      const joined = of('member.joined');
      if (joined) {
        const data = (joined.json as { data?: object }).data ?? {};
        t.must(
          'WM-EVT-022',
          Object.keys(data).join() === 'member',
          `data of member.joined has the keys ${Object.keys(data).join()}`,
        );
        const keys = Object.keys(snapshotOf(joined));
        t.note('WM-EVT-025', `member: ${keys.join(', ')}`);
        t.observe('member-snapshot', keys.includes('avatar_url') ? 'profile' : 'member');
      }
      await world.close();
    },
  },
];
