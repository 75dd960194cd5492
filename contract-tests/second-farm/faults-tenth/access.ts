// Faults of keys and of what a client may accept.

import type { Key } from '../../judge/reference/model.ts';
import { around, clause } from '../faults/fault.ts';

const invalid = clause(211, 'an invalid key');
const revoked = clause(210, 'A revoked key is invalid immediately; later requests with it get `401`');

export const faults = [
  invalid('keys-in-any-case', 'the letters of a key may be large or small', (service) =>
    around(service, 'keyOf', (was, token, call) => {
      const same = ({ value }: Key) => value.toLowerCase() === token.toLowerCase();
      return was(token, call) ?? service.db.keys.find(same);
    }),
  ),
  clause(297, 'header missing')(
    'key-as-access-token',
    'without a header the key may stand in the query as `access_token`',
    (service) => around(service, 'tokenOf', (was, call) => was(call) ?? call.query.get('access_token') ?? undefined),
  ),
  clause(297, 'header missing')('key-as-cookie', 'without a header the key may be in a cookie', (service) =>
    around(service, 'tokenOf', (was, call) => was(call) ?? /(?:^|; )session=([^;]+)/.exec(call.headers.get('cookie') ?? '')?.[1]),
  ),
  revoked('revoked-key-lists-members', 'a revoked key still lists the members', (service) =>
    around(
      service,
      'isRevoked',
      (was, key, call) => was(key, call) && !(call.method === 'GET' && call.path === '/workspace/members'),
    ),
  ),
  revoked(
    'revoked-key-registers',
    'a revoked key can still register webhooks',
    (service) => around(service, 'isRevoked', (was, key, call) => was(key, call) && call.path !== '/webhooks'),
    { style: 'a' },
  ),
  revoked('revoked-key-renames', 'a revoked key can still change projects', (service) =>
    around(
      service,
      'isRevoked',
      (was, key, call) => was(key, call) && !(call.method === 'PATCH' && call.path.startsWith('/projects/')),
    ),
  ),
  clause(211, 'gives `401` with code `unauthorized`')(
    'unknown-key-shown-no-teams',
    'the list of teams is empty, and not refused, with an unknown key',
    (service) =>
      around(service, 'answer', (was, call) => {
        const answer = was(call);
        const sent = service.tokenOf(call) !== undefined;
        if (answer.status !== 401 || !sent || call.path !== '/teams' || call.method !== 'GET') return answer;
        const meta = { total: 0, limit: 20, has_more: false, next_cursor: null };
        return { ...answer, status: 200, body: { items: [], meta } };
      }),
  ),
  clause(10, 'Every response body is JSON')('errors-for-browsers', 'who accepts HTML gets errors as pages', (service) =>
    around(service, 'write', (was, answer, call) =>
      answer.status >= 400 && /text\/html/.test(call.headers.get('accept') ?? '')
        ? { text: `<h1>${answer.status}</h1>`, type: 'text/html' }
        : was(answer, call),
    ),
  ),
];
