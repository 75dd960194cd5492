// Faults of keys and scopes: lookups, permission tables and what is remembered of them.

import type { Operation, Scope } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, memory } from '../faults/fault.ts';

const reads = clause(216, 'no create, update or delete');
const writes = clause(217, 'everything read allows, plus create, update and delete of projects, tasks');
const invalid = clause(211, 'an invalid key or a revoked key gives `401`');

/** Denies an operation to a scope. */
const denies = (service: Service, scope: Scope, operation: Operation): void =>
  around(service, 'permits', (was, has, needed, asked) => (has !== scope || asked !== operation) && was(has, needed, asked));

export const faults = [
  reads('read-key-registers-webhook', 'a read key creates webhooks', (service) =>
    around(service, 'permits', (was, scope, needed, operation) => operation === 'createWebhook' || was(scope, needed, operation)),
  ),
  reads('read-key-changes-task-of-its-user', 'a read key changes tasks that are assigned to its user', (service) =>
    around(service, 'authorise', (was, call, operation) => {
      const mine = service.db.tasks.some(({ id, assignee }) => id === call.ids.task && assignee === call.key?.user);
      if (operation !== 'changeTask' || !mine) was(call, operation);
    }),
  ),
  reads(
    'permission-remembered-without-scope',
    'for two seconds what one key may do at a path any key of the workspace may',
    (service) => {
      const permitted = memory<string, number>();
      around(service, 'authorise', (was, call, operation) => {
        const name = `${call.workspace?.id} ${call.method} ${call.path}`;
        if ((permitted.get(name) ?? 0) > service.now()) return;
        was(call, operation);
        permitted.set(name, service.now() + 2000);
      });
    },
  ),
  writes('write-key-may-not-share', 'a write key may not change the visibility of a project', (service) =>
    around(service, 'readFields', (was, call, resource, act) => {
      const values = was(call, resource, act);
      if (resource === 'project' && act === 'change' && 'visibility' in values && call.key?.scope === 'write')
        throw service.forbidden(call);
      return values;
    }),
  ),
  writes('write-key-lists-no-members', 'a write key may not list the members', (service) =>
    denies(service, 'write', 'listMembers'),
  ),
  clause(218, 'everything write allows')(
    'admin-key-lists-no-comments',
    'an admin key may not list comments',
    (service) => denies(service, 'admin', 'listComments'),
    { needs: 'comments' },
  ),
  clause(210, 'later requests with it get `401`')(
    'revoked-key-reads-profile',
    'a revoked key still reads its profile',
    (service) => around(service, 'isRevoked', (was, key, call) => call.path !== '/users/me' && was(key, call)),
  ),
  invalid('key-found-by-its-beginning', 'only the first 16 characters of a key are compared', (service) =>
    around(service, 'keyOf', (was, token, call) => {
      const same = service.db.keys.find(({ value }) => value.slice(0, 16) === token.slice(0, 16));
      return same ?? was(token, call);
    }),
  ),
];
