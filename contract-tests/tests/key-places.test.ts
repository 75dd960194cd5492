// A key in the wrong place ends a run before it begins, with the name of its variable; a service that breaks its rules never ends so.
import { expect, test } from 'vitest';
import { as, denied } from '../farm/mutants/refusals.ts';
import { is, type Seen, type Wrap, wrapped } from '../farm/wrap.ts';
import { ForeignServer } from '../foreign/server.ts';
import { type ContractOptions, exitStatus, runContract } from '../run.ts';

type Roles = ReturnType<ForeignServer['roles']>;
type Given = ContractOptions['keys'];

/** One more key of the first workspace. */
const more = (server: ForeignServer, scope: 'read' | 'write' | 'admin', space = 0): string => {
  const like = server.keys[space * 4]!;
  const key = `key-of-${scope}-${space}`;
  server.keys.push({ ...like, key, scope, revoked: false });
  return key;
};

const run = async (
  keys: (roles: Roles, server: ForeignServer) => Given,
  options: Partial<ContractOptions> = {},
  wraps: Wrap[] = [],
) => {
  const server = new ForeignServer({ limit: 1000 });
  const report = await runContract({
    baseUrl: 'http://127.0.0.1/v1',
    keys: keys(server.roles(), server),
    time: server.clock,
    profile: 'core',
    reportDir: false,
    ...options,
    fetch: wraps.length > 0 ? wrapped(server.fetch, wraps) : server.fetch,
  });
  return { report, server };
};

const MISPLACED: readonly (readonly [string, (roles: Roles, server: ForeignServer) => Given, readonly string[]])[] = [
  ['a read key as write key', (r, s) => ({ ...r, write: more(s, 'read') }), ['WM_API_KEY_WRITE', 'scope read']],
  ['a read key as write key, and no other', (_r, s) => ({ write: more(s, 'read') }), ['WM_API_KEY_WRITE', 'scope read']],
  ['a read key as admin key', (r, s) => ({ ...r, admin: more(s, 'read') }), ['WM_API_KEY_ADMIN', 'scope read']],
  ['a read key as the only key that writes', (_r, s) => ({ admin: more(s, 'read') }), ['WM_API_KEY_ADMIN', 'scope read']],
  [
    'read and write key swapped',
    (r) => ({ ...r, write: r.read, read: r.write }),
    ['WM_API_KEY_WRITE', 'WM_API_KEY_READ', 'swapped'],
  ],
  ['the admin key as read key, too', (r) => ({ ...r, read: r.admin }), ['WM_API_KEY_ADMIN', 'WM_API_KEY_READ', 'the same key']],
  ['another admin key as read key', (r, s) => ({ ...r, read: more(s, 'admin') }), ['WM_API_KEY_READ', 'scope admin']],
  [
    'a write key of one workspace, a read key of another',
    (r, s) => ({ ...r, read: more(s, 'read', 1) }),
    ['WM_API_KEY_WRITE', 'WM_API_KEY_READ', 'two workspaces'],
  ],
  [
    'a write key of one workspace, an admin key of another',
    (r) => ({ ...r, admin: r.other, other: undefined }),
    ['WM_API_KEY_WRITE', 'WM_API_KEY_ADMIN', 'two workspaces'],
  ],
  [
    'a key of the same workspace as that of the second',
    (r, s) => ({ ...r, other: more(s, 'write') }),
    ['WM_API_KEY_OTHER_WORKSPACE', 'same workspace'],
  ],
  [
    'the read key as that of the second workspace',
    (r) => ({ ...r, other: r.read }),
    ['WM_API_KEY_READ', 'WM_API_KEY_OTHER_WORKSPACE', 'same workspace'],
  ],
  [
    'the write key as the revoked one',
    (r) => ({ ...r, revoked: r.write }),
    ['WM_API_KEY_WRITE', 'WM_API_KEY_REVOKED', 'revoked'],
  ],
  ['a revoked key as read key', (r) => ({ ...r, read: r.revoked, revoked: undefined }), ['WM_API_KEY_READ', '401']],
  ['a revoked key as admin key', (r) => ({ ...r, admin: r.revoked, revoked: undefined }), ['WM_API_KEY_ADMIN', '401']],
  [
    'a revoked key as that of the second workspace',
    (r) => ({ ...r, other: r.revoked, revoked: undefined }),
    ['WM_API_KEY_OTHER_WORKSPACE', '401'],
  ],
];

test.each(MISPLACED)('%s ends the run with exit status 2 and says so', async (_says, keys, words) => {
  const { report, server } = await run(keys);
  for (const word of words) expect(report.error).toContain(word);
  expect(exitStatus(report)).toBe(2);
  expect(report.failures).toEqual([]);
  expect(report.requests).toBeLessThanOrEqual(30);
  expect(server.litter()).toEqual([]);
});

test('keys in their places are found so with eight requests', async () => {
  const keys = (roles: Roles, server: ForeignServer) => ({ ...roles, task: server.commented() });
  const { report } = await run(keys, { only: ['users/profile-of-the-key'], profile: 'full' });
  expect(report.error).toBeUndefined();
  // Five more look for what dead runs have left.
  expect(report.requests).toBeLessThanOrEqual(8 + 5);
});

const from = (key: string) => (call: Seen) => call.key === key;
const writes = (call: Seen) => call.method !== 'GET';

const FAULTS: readonly (readonly [string, string, (r: Roles) => Wrap])[] = [
  ['lets read keys create projects', 'WM-SCOPE-005', (r) => as(r.admin, (c) => from(r.read)(c) && is('POST /projects')(c))],
  ['lets read keys change projects', 'WM-SCOPE-006', (r) => as(r.admin, (c) => from(r.read)(c) && is('PATCH /projects/*')(c))],
  [
    'lets read keys write everything that write keys may',
    'WM-SCOPE-005',
    (r) => as(r.write, (c) => from(r.read)(c) && writes(c)),
  ],
  [
    'refuses write keys one kind of write',
    'WM-SCOPE-017',
    (r) => denied((c) => from(r.write)(c) && is('POST /projects/*/tasks')(c), 403, 'forbidden'),
  ],
  [
    'refuses write keys to create projects',
    'WM-SCOPE-016',
    (r) => denied((c) => from(r.write)(c) && is('POST /projects')(c), 403, 'forbidden'),
  ],
  [
    'refuses admin keys to create projects',
    'WM-SCOPE-018',
    (r) => denied((c) => from(r.admin)(c) && is('POST /projects')(c), 403, 'forbidden'),
  ],
  [
    'shows our members to the second workspace',
    'WM-ISO-015',
    (r) => as(r.admin, (c) => from(r.other)(c) && is('GET /workspace/members')(c)),
  ],
  [
    'shows our projects to the second workspace',
    'WM-ISO-001',
    (r) => as(r.admin, (c) => from(r.other)(c) && is('GET /projects/*')(c)),
  ],
  [
    'lists our projects to the second workspace',
    'WM-ISO-012',
    (r) => as(r.admin, (c) => from(r.other)(c) && is('GET /projects')(c)),
  ],
  ['takes revoked keys', 'WM-AUTH-006', (r) => as(r.write, from(r.revoked))],
  [
    'hides our projects from read keys',
    'WM-SCOPE-001',
    (r) => denied((c) => from(r.read)(c) && is('GET /projects/*')(c), 404, 'not_found'),
  ],
];

test.each(FAULTS)('a service that %s is judged, not taken for a wrong key', async (_says, clause, wrap) => {
  const server = new ForeignServer({ limit: 1000 });
  const keys = server.roles();
  const report = await runContract({
    baseUrl: 'http://127.0.0.1/v1',
    keys,
    time: server.clock,
    reportDir: false,
    fetch: wrapped(server.fetch, [wrap(keys)]),
  });
  expect(report.error).toBeUndefined();
  expect(report.failures).toContain(clause);
});

test('a full leak, under which the second workspace sees all of ours, is told from a key of the same one by its budget', async () => {
  const server = new ForeignServer({ limit: 1000 });
  const keys = server.roles();
  const foreign = (call: Seen) => from(keys.other)(call) && call.method === 'GET' && call.path !== '/users/me';
  const report = await runContract({
    baseUrl: 'http://127.0.0.1/v1',
    keys,
    time: server.clock,
    reportDir: false,
    fetch: wrapped(server.fetch, [
      () => async (call, next) => {
        if (!foreign(call)) return next(call);
        const own = await next({ ...call, path: '/users/me', query: new URLSearchParams() });
        const shown = await next({ ...call, authorization: `Bearer ${keys.admin}` });
        return { ...shown, headers: own.headers };
      },
    ]),
  });
  expect(report.error).toBeUndefined();
  expect(report.failures).toContain('WM-ISO-001');
});
