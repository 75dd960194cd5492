// Faults of registrations.

import type { Hook } from '../../judge/reference/model.ts';
import { around, clause, type Fault, isOn, memory } from '../faults/fault.ts';

const RECEIVER = { needs: 'receiver' } as const;
const secret = clause(99, 'signing secret, returned only in the create response and never again');
const registered = clause(224, 'Webhooks push events by HTTP POST to registered endpoints.', RECEIVER);
const subscribed = clause(98, 'event names subscribed to', RECEIVER);
const own = clause(13, 'An API key belongs to one workspace', { needs: 'second workspace' });
const once = clause(251, '| task.created | a task is created |', RECEIVER);

export const faults: readonly Fault[] = [
  secret('same-url-same-secret', 'a URL that is registered again gets the secret of the first time again', (s) =>
    around(s, 'showHook', (was, hook) => {
      const first = s.db.hooks.find((each) => each !== hook && each.url === hook.url && each.workspace === hook.workspace);
      if (first) Object.assign(hook, { secret: first.secret });
      return was(hook);
    }),
  ),
  secret(
    'secret-in-envelope',
    'deliveries have the secret in the body',
    (s) => around(s, 'envelope', (was, delivery) => ({ ...Object(was(delivery)), webhook: { secret: delivery.hook.secret } })),
    RECEIVER,
  ),
  secret(
    'secret-is-signature',
    'the signature is the secret',
    (s) => around(s, 'sign', (_was, _body, _time, { hook }) => hook.secret),
    RECEIVER,
  ),
  registered('hook-wakes-after-5-seconds', 'a webhook hears nothing in the first five seconds', (s) =>
    around(
      s,
      'hears',
      (was, hook, event, workspace, call) => was(hook, event, workspace, call) && s.now() - hook.created >= 5000,
    ),
  ),
  subscribed('hook-hears-whole-resource', 'a webhook for one event of tasks or projects hears all events of them', (s) =>
    around(
      s,
      'hears',
      (_was, hook, event, workspace) =>
        hook.workspace === workspace && hook.events.some((name) => name.split('.')[0] === event.name.split('.')[0]),
    ),
  ),
  subscribed('hook-events-cut', 'the names of events are stored in 40 characters', (s) =>
    around(s, 'take', (was, rule, value, call, act) => {
      const taken = was(rule, value, call, act);
      return rule.kind === 'events' ? (taken as string[]).join().slice(0, 40).split(',') : taken;
    }),
  ),
  own(
    'hook-url-taken-over',
    'a URL that another workspace registers is taken from the first',
    (s) =>
      around(s, 'createWebhook', (was, call) => {
        const answer = was(call);
        const made = s.db.hooks.at(-1);
        s.db.hooks = s.db.hooks.filter(({ url, workspace }) => url !== made?.url || workspace === made.workspace);
        return answer;
      }),
    RECEIVER,
  ),
  once('hook-repeated-name-two-events', 'an event that is named twice at registration is two events', (s) => {
    let last: readonly string[] = [];
    const names = memory<Hook, readonly string[]>();
    around(s, 'take', (was, rule, value, call, act) => {
      if (rule.kind === 'events') last = value as string[];
      return was(rule, value, call, act);
    });
    around(s, 'createWebhook', (was, call) => {
      const answer = was(call);
      const hook = s.db.hooks.at(-1);
      if (hook && isOn(call, 'createWebhook')) names.set(hook, last);
      return answer;
    });
    around(s, 'deliver', (was, event, hook) => {
      const times = names.get(hook)?.filter((name) => name === event.name).length ?? 1;
      was(event, hook);
      for (let more = 1; more < times; more += 1) was({ ...event, id: s.newId('evt') }, hook);
    });
  }),
];
