// Faults of keys.
import { Problem } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault } from './fault.ts';

const header = clause(208, 'Every request carries `Authorization: Bearer <API_KEY>`.');
const endpoints = clause(135, 'All endpoints require the `Authorization` header.');
const gives401 = clause(
  211,
  'A missing or malformed header, an invalid key or a revoked key gives `401` with code `unauthorized`.',
);
const revoked = clause(210, 'A revoked key is invalid immediately; later requests with it get `401`.');
const code401 = clause(297, '| unauthorized | 401 | header missing, no Bearer prefix, key invalid or revoked |');
const status401 = clause(285, 'missing, invalid or revoked key');
const token = (service: Service, read: (header: string) => string | undefined): void =>
  around(service, 'tokenOf', (was, call) => was(call) ?? read(call.headers.get('authorization') ?? ''));
const known = (service: Service, find: (value: string, token: string) => boolean): void =>
  around(
    service,
    'keyOf',
    (was, sent, call) => was(sent, call) ?? service.db.keys.find(({ value, revoked: gone }) => !gone && find(value, sent)),
  );
const keys: Fault[] = [
  code401('key-without-bearer', 'the bare key is accepted', (s) => token(s, (text) => (/^\S+$/.test(text) ? text : undefined))),
  code401('key-any-scheme', 'any scheme is accepted', (s) => token(s, (text) => /^\S+ +(\S+)$/.exec(text)?.[1])),
  code401('key-token-scheme', 'the scheme Token is accepted', (s) => token(s, (text) => /^Token +(\S+)$/.exec(text)?.[1])),
  gives401('key-unknown-reads', 'an unknown key reads as the first user', (s) =>
    around(
      s,
      'keyOf',
      (was, sent, call) =>
        was(sent, call) ?? (call.method === 'GET' ? s.db.keys.find(({ scope }) => scope === 'read') : undefined),
    ),
  ),
  gives401('key-unknown-on-profile', 'GET /users/me with an unknown key answers 200', (s) =>
    around(s, 'keyOf', (was, sent, call) => was(sent, call) ?? (call.path === '/users/me' ? s.db.keys[0] : undefined)),
  ),
  gives401('key-prefix', 'a key without its last character is accepted', (s) =>
    known(s, (value, sent) => sent.length > 10 && value.startsWith(sent)),
  ),
  gives401('key-suffix', 'a key with more characters behind it is accepted', (s) =>
    known(s, (value, sent) => sent.startsWith(value)),
  ),
  gives401('key-any-case', 'a key in capitals is accepted', (s) =>
    known(s, (value, sent) => value.toLowerCase() === sent.toLowerCase()),
  ),
  endpoints('key-missing-on-lists', 'GET /tasks with a filter answers without a key', (s) =>
    around(s, 'authenticate', (was, call) =>
      (call.path === '/tasks' || call.path === '/projects') && !call.headers.has('authorization') && call.method === 'GET'
        ? s.db.keys[2]!
        : was(call),
    ),
  ),
  endpoints('key-missing-for-shared-projects', 'projects that are not private can be read without a key', (s) => {
    around(s, 'authenticate', (was, call) => {
      const id = /^\/projects\/([^/]+)$/.exec(call.path)?.[1];
      const open = s.db.projects.some((project) => project.id === id && project.visibility !== 'private');
      return open && call.method === 'GET' && !call.headers.has('authorization') ? s.db.keys[2]! : was(call);
    });
  }),
  endpoints('key-missing-for-delete-project', 'DELETE of a project works without a key', (s) =>
    around(s, 'authenticate', (was, call) =>
      call.method === 'DELETE' && call.path.startsWith('/projects/') && !call.headers.has('authorization')
        ? s.db.keys[0]!
        : was(call),
    ),
  ),
  header('key-refused-for-post', 'POST wants the key in another header', (s) =>
    around(s, 'tokenOf', (was, call) => (call.method === 'POST' && call.path === '/teams' ? undefined : was(call))),
  ),
  revoked('revoked-accepted', 'a revoked key works', (s) => around(s, 'isRevoked', () => false)),
  revoked('revoked-reads', 'a revoked key reads', (s) =>
    around(s, 'isRevoked', (was, key, call) => call.method !== 'GET' && was(key, call)),
  ),
  revoked('revoked-writes', 'a revoked key writes', (s) =>
    around(s, 'isRevoked', (was, key, call) => call.method === 'GET' && was(key, call)),
  ),
  revoked('revoked-profile', 'GET /users/me answers a revoked key', (s) =>
    around(s, 'isRevoked', (was, key, call) => call.path !== '/users/me' && was(key, call)),
  ),
  revoked('revoked-deletes-tasks', 'a revoked key deletes tasks', (s) =>
    around(s, 'isRevoked', (was, key, call) => !(call.method === 'DELETE' && call.path.startsWith('/tasks/')) && was(key, call)),
  ),
  revoked('revoked-registers-webhooks', 'a revoked key registers webhooks', (s) => {
    around(s, 'isRevoked', (was, key, call) => call.path !== '/webhooks' && was(key, call));
    around(s, 'permits', (was, scope, needed, operation) => operation === 'createWebhook' || was(scope, needed, operation));
  }),
  revoked('revoked-comments', 'a revoked key reads comments', (s) =>
    around(s, 'isRevoked', (was, key, call) => !call.path.endsWith('/comments') && was(key, call)),
  ),
  status401('revoked-403', 'a revoked key gets 403', (s) =>
    around(s, 'unauthorized', (was, call, why) => (why === 'revoked' ? s.forbidden(call) : was(call, why))),
  ),
  status401('missing-403', 'a missing header gets 403', (s) =>
    around(s, 'unauthorized', (was, call, why) => (why === 'missing' ? s.forbidden(call) : was(call, why))),
  ),
  status401('unknown-403', 'an unknown key gets 403', (s) =>
    around(s, 'unauthorized', (was, call, why) => (why === 'unknown' ? s.forbidden(call) : was(call, why))),
  ),
  status401('unknown-404', 'an unknown key gets 404', (s) =>
    around(s, 'unauthorized', (was, call, why) => (why === 'unknown' ? s.notFound(call, 'key') : was(call, why))),
  ),
  status401('missing-400', 'a missing header gets 400', (s) =>
    around(s, 'unauthorized', (was, call, why) =>
      why === 'missing' ? s.malformed(call, 'No header Authorization.') : was(call, why),
    ),
  ),
  status401('missing-redirects', 'a missing header is redirected to a login page', (s) =>
    around(s, 'unauthorized', (was, call, why) =>
      why === 'missing' ? Object.assign(was(call, why), { status: 302 }) : was(call, why),
    ),
  ),
  status401('unknown-500', 'an unknown key gets 500', (s) =>
    around(s, 'unauthorized', (was, call, why) =>
      why === 'unknown' ? new Problem(500, 'internal_error', 'null key') : was(call, why),
    ),
  ),
  code401('code-unauthenticated', 'the code of a 401 is unauthenticated', (s) =>
    around(s, 'unauthorized', (was, call, why) => Object.assign(was(call, why), { code: 'unauthenticated' })),
  ),
  code401('code-revoked', 'the code of a revoked key is key_revoked', (s) =>
    around(s, 'unauthorized', (was, call, why) =>
      Object.assign(was(call, why), why === 'revoked' ? { code: 'key_revoked' } : {}),
    ),
  ),
  code401('code-missing', 'the code of a missing header is missing_token', (s) =>
    around(s, 'unauthorized', (was, call, why) =>
      Object.assign(was(call, why), why === 'missing' ? { code: 'missing_token' } : {}),
    ),
  ),
  code401('code-invalid', 'the code of an unknown key is invalid_api_key', (s) =>
    around(s, 'unauthorized', (was, call, why) =>
      Object.assign(was(call, why), why === 'unknown' ? { code: 'invalid_api_key' } : {}),
    ),
  ),
  code401('code-401-capitals', 'the code of a 401 is in capitals', (s) =>
    around(s, 'unauthorized', (was, call, why) => Object.assign(was(call, why), { code: 'UNAUTHORIZED' })),
  ),
];

export const faults: readonly Fault[] = [...keys];
