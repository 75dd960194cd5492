// Faults of the registration of webhooks.
import type { Fields } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn, rule, without } from './fault.ts';

const url = clause(97, '| url | string | publicly reachable HTTPS URL, required on create |');
const names = clause(98, '| events | array of string | event names subscribed to |');
const secret = clause(185, 'body includes `secret`');
const never = clause(99, 'signing secret, returned only in the create response and never again');
const hook = (service: Service, change: (fields: Fields) => Fields): void =>
  around(service, 'showHook', (was, each) => change(was(each)));
const answered = (service: Service, change: (text: string) => string): void =>
  around(service, 'write', (was, answer, call) => {
    const { text, type } = was(answer, call);
    return isOn(call, 'createWebhook') && answer.status < 300 && text ? { text: change(text), type } : { text, type };
  });
const webhooks: Fault[] = [
  url('webhook-url-optional', 'a registration without url is accepted', (s) => rule(s, 'webhook', 'url', { required: false })),
  url('webhook-url-http', 'a url of http is accepted', (s) =>
    around(s, 'isReachable', (was, text) => was(text.replace(/^http:/, 'https:'))),
  ),
  url('webhook-url-any-scheme', 'a url of any scheme is accepted', (s) =>
    around(s, 'isReachable', (_was, text) => URL.canParse(text)),
  ),
  url('webhook-url-anything', 'any text is accepted as url', (s) => around(s, 'isReachable', () => true)),
  url('webhook-url-empty', 'an empty url is accepted', (s) => around(s, 'isReachable', (was, text) => text === '' || was(text))),
  url('webhook-url-number', 'a number is accepted as url', (s) => {
    around(s, 'checkValue', (was, each, value, call, act) =>
      each.kind === 'url' && typeof value === 'number' ? undefined : was(each, value, call, act),
    );
  }),
  url('webhook-url-list', 'an array with one url is accepted', (s) =>
    around(s, 'checkValue', (was, each, value, call, act) =>
      was(each, each.kind === 'url' && Array.isArray(value) ? value[0] : value, call, act),
    ),
  ),
  url('webhook-url-null', 'null is accepted as url', (s) => rule(s, 'webhook', 'url', { clearable: true }), { style: 'a' }),
  names('webhook-events-text', 'a single text is accepted as events', (s) => {
    around(s, 'checkValue', (was, each, value, call, act) =>
      was(each, each.kind === 'events' && typeof value === 'string' ? [value] : value, call, act),
    );
    around(s, 'take', (was, each, value, call, act) =>
      was(each, each.kind === 'events' && typeof value === 'string' ? [value] : value, call, act),
    );
  }),
  names('webhook-events-object', 'an object is accepted as events', (s) => {
    const list = (kind: string, value: unknown) =>
      kind === 'events' && typeof value === 'object' && value !== null ? Object.values(value) : value;
    around(s, 'checkValue', (was, each, value, call, act) => was(each, list(each.kind, value), call, act));
    around(s, 'take', (was, each, value, call, act) => was(each, list(each.kind, value), call, act));
  }),
  names('webhook-events-numbers', 'numbers are accepted in events', (s) => {
    around(s, 'checkValue', (was, each, value, call, act) =>
      each.kind === 'events' && Array.isArray(value) && value.every((name) => typeof name === 'number')
        ? undefined
        : was(each, value, call, act),
    );
  }),
  secret('webhook-secret-missing', 'the answer has no secret', (s) => hook(s, (all) => without(all, 'secret'))),
  secret('webhook-secret-empty', 'the secret is empty', (s) => hook(s, (all) => ({ ...all, secret: '' }))),
  secret('webhook-secret-object', 'the secret is an object', (s) =>
    hook(s, (all) => ({ ...all, secret: { value: all.secret } })),
  ),
  secret('webhook-secret-renamed', 'the secret is named signing_key', (s) =>
    hook(s, (all) => ({ ...without(all, 'secret'), signing_key: all.secret })),
  ),
  secret('webhook-202-empty', 'POST /webhooks answers 202 without a body', (s) => {
    around(s, 'createWebhook', (was, call) => ({ ...was(call), status: 202 }));
    answered(s, () => '');
  }),
  never('webhook-secret-listed', 'GET /webhooks lists registrations with their secrets', (s) => {
    around(s, 'serve', (was, call) => {
      if (call.method !== 'GET' || call.path !== '/webhooks') return was(call);
      call.key = s.authenticate(call);
      call.workspace = s.workspaceOf(call.key);
      s.charge(call);
      const items = s.db.hooks.filter(({ workspace }) => workspace === call.workspace?.id).map((each) => s.showHook(each));
      return {
        status: 200,
        body: { items, meta: { total: items.length, limit: 20, has_more: false, next_cursor: null } },
        headers: {},
      };
    });
  }),
  never(
    'webhook-secret-delivered',
    'deliveries carry the secret in a header',
    (s) =>
      around(s, 'post', (was, delivery) => ({
        ...was(delivery),
        headers: { ...was(delivery).headers, 'X-Service-Secret': delivery.hook.secret },
      })),
    { needs: 'receiver' },
  ),
  never(
    'webhook-secret-in-envelope',
    'envelopes carry the secret',
    (s) => around(s, 'envelope', (was, delivery) => ({ ...(was(delivery) as Fields), secret: delivery.hook.secret })),
    { needs: 'receiver' },
  ),
  clause(185, '| POST | /webhooks |')('webhook-route-missing', 'there is no route to register webhooks', (s) =>
    around(s, 'patternsOf', (was) => was().filter(([, , operation]) => operation !== 'createWebhook')),
  ),
];

export const faults: readonly Fault[] = [...webhooks];
