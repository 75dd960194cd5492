// Faults of registrations: one event alone, a third one, long and odd addresses, and records that were there before.

import type { Hook } from '../../judge/reference/model.ts';
import { around, clause } from '../faults/fault.ts';

const heard = { needs: 'receiver' } as const;
const subscribed = clause(98, 'event names subscribed to', heard);
const url = clause(97, 'publicly reachable HTTPS URL', heard);

export const faults = [
  subscribed('one-event-alone-unheard', 'a registration for one event alone hears nothing', (service) =>
    around(service, 'hears', (was, hook, event, workspace, call) => hook.events.length > 1 && was(hook, event, workspace, call)),
  ),
  subscribed('changes-with-creations', 'a registration for `task.updated` hears `task.created`, asked for or not', (service) =>
    around(
      service,
      'hears',
      (was, hook, event, workspace, call) =>
        was(hook, event, workspace, call) ||
        (hook.workspace === workspace && event.name === 'task.created' && hook.events.includes('task.updated')),
    ),
  ),
  subscribed('third-registration-deaf', 'the third registration of a workspace and later ones hear nothing', (service) =>
    around(service, 'hears', (was, hook, event, workspace, call) => {
      const place = service.db.hooks.filter((each) => each.workspace === hook.workspace).indexOf(hook);
      return place < 2 && was(hook, event, workspace, call);
    }),
  ),
  url('address-of-255-characters', 'deliveries go to the first 255 characters of a URL', (service) =>
    around(service, 'post', (was, delivery) => {
      const post = was(delivery);
      return { ...post, url: post.url.slice(0, 255) };
    }),
  ),
  url('address-decoded', 'percent-encoded characters in the path of a URL are decoded', (service) =>
    around(service, 'post', (was, delivery) => {
      const post = was(delivery);
      const [path = '', ...query] = post.url.split('?');
      return { ...post, url: [path.replaceAll('%20', '+'), ...query].join('?') };
    }),
  ),
  subscribed(
    'addresses-compared-without-query',
    'of registrations whose URLs differ in the query only the first one hears',
    (service) => {
      const bare = (hook: Hook) => `${hook.workspace} ${hook.url.split('?')[0]}`;
      around(
        service,
        'hears',
        (was, hook, event, workspace, call) =>
          service.db.hooks.find((each) => bare(each) === bare(hook)) === hook && was(hook, event, workspace, call),
      );
    },
  ),
  clause(252, 'a task is updated', heard)(
    'older-tasks-not-told',
    'a change of a task that is older than the registration is not announced',
    (service) =>
      around(service, 'hears', (was, hook, event, workspace, call) => {
        const task = service.db.tasks.find(({ id }) => event.name === 'task.updated' && id === call.ids.task);
        return was(hook, event, workspace, call) && !(task && task.nth < hook.nth);
      }),
  ),
];
