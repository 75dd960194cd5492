// A key in the wrong place ends a run before it begins, with the name of its variable; a service that breaks its rules never ends so.
import { expect, test } from 'vitest';
import { blank, Lab, type Make, refuse, tampered } from '../judge/operators/core.ts';
import { as, type Call, changed, isOp, keyOf } from '../judge/operators/exchange.ts';
import { type ContractOptions, exitStatus, type Report } from '../run.ts';
import { runOn } from './runs.ts';
import { TestServer } from './test-server.ts';

type Roles = ReturnType<TestServer['roles']>;
type Given = ContractOptions['keys'];
type Test = (call: Call) => boolean;

/** Serves what the test picks as if another key had sent it. */
const using =
  (key: string, test: Test): Make =>
  () =>
  (call, next) =>
    next(test(call) ? as(call, key) : call);

/** Refuses what the test picks. */
const denied =
  (test: Test, status: number): Make =>
  (lab) =>
  async (call, next) =>
    test(call) ? refuse(await blank(lab, call, next), status) : next(call);

const behind = (server: TestServer, make: Make) => {
  const lab = new Lab(
    server.roles(),
    () => server.clock.now(),
    (url) => url,
  );
  return tampered(server.fetch, lab, make, 'http://127.0.0.1/v1');
};

/** One more key of the first workspace. */
const more = (server: TestServer, scope: 'read' | 'write' | 'admin', space = 0): string => {
  const { keys } = server.service.db;
  const value = `key-of-${scope}-${space}`;
  keys.push({ ...keys[space * 4]!, value, scope, revoked: false });
  return value;
};

const run = async (keys: (roles: Roles, server: TestServer) => Given, options: Partial<ContractOptions> = {}) => {
  const server = new TestServer({ limit: 1000 });
  return { report: await runOn(server, { keys: keys(server.roles(), server), ...options }), server };
};

const MISPLACED: readonly (readonly [string, (roles: Roles, server: TestServer) => Given, readonly string[]])[] = [
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
  const keys = (roles: Roles, server: TestServer) => ({ ...roles, task: server.commented() });
  const { report } = await run(keys, { only: ['users/profile-of-the-key'], profile: 'full' });
  expect(report.error).toBeUndefined();
  // Five more look for what dead runs have left.
  expect(report.requests).toBeLessThanOrEqual(8 + 5);
});

const from = (key: string) => (call: Call) => keyOf(call) === key;
const writes = (call: Call) => call.method !== 'GET';

const FAULTS: readonly (readonly [string, string, (r: Roles) => Make])[] = [
  ['lets read keys create projects', 'WM-SCOPE-005', (r) => using(r.admin, (c) => from(r.read)(c) && isOp('create_project')(c))],
  ['lets read keys change projects', 'WM-SCOPE-006', (r) => using(r.admin, (c) => from(r.read)(c) && isOp('update_project')(c))],
  [
    'lets read keys write everything that write keys may',
    'WM-SCOPE-005',
    (r) => using(r.write, (c) => from(r.read)(c) && writes(c)),
  ],
  ['refuses write keys one kind of write', 'WM-SCOPE-017', (r) => denied((c) => from(r.write)(c) && isOp('create_task')(c), 403)],
  [
    'refuses write keys to create projects',
    'WM-SCOPE-016',
    (r) => denied((c) => from(r.write)(c) && isOp('create_project')(c), 403),
  ],
  [
    'refuses admin keys to create projects',
    'WM-SCOPE-018',
    (r) => denied((c) => from(r.admin)(c) && isOp('create_project')(c), 403),
  ],
  [
    'shows our members to the second workspace',
    'WM-ISO-015',
    (r) => using(r.admin, (c) => from(r.other)(c) && isOp('list_members')(c)),
  ],
  [
    'shows our projects to the second workspace',
    'WM-ISO-001',
    (r) => using(r.admin, (c) => from(r.other)(c) && isOp('read_project')(c)),
  ],
  [
    'lists our projects to the second workspace',
    'WM-ISO-012',
    (r) => using(r.admin, (c) => from(r.other)(c) && isOp('list_projects')(c)),
  ],
  ['takes revoked keys', 'WM-AUTH-006', (r) => using(r.write, from(r.revoked))],
  ['hides our projects from read keys', 'WM-SCOPE-001', (r) => denied((c) => from(r.read)(c) && isOp('read_project')(c), 404)],
];

/** Judges what one clause needs, on a server behind a layer. */
const judge = (make: (roles: Roles) => Make, clause: string): Promise<Report> => {
  const server = new TestServer({ limit: 1000 });
  const fetch = behind(server, make(server.roles()));
  return runOn(server, { fetch, profile: 'full', only: [clause, 'access/'] });
};

test.each(FAULTS)('a service that %s is judged, not taken for a wrong key', async (_says, clause, make) => {
  const report = await judge(make, clause);
  expect(report.error).toBeUndefined();
  expect(report.failures).toContain(clause);
});

test('a full leak, under which the second workspace sees all of ours, is told from a key of the same one by its budget', async () => {
  const leak =
    (keys: Roles): Make =>
    () =>
    async (call, next) => {
      if (!from(keys.other)(call) || call.method !== 'GET' || isOp('read_profile')(call)) return next(call);
      const own = await next(changed(call, { path: '/users/me', query: new URLSearchParams() }));
      const shown = await next(as(call, keys.admin));
      shown.headers = own.headers;
      return shown;
    };
  const report = await judge(leak, 'WM-ISO-001');
  expect(report.error).toBeUndefined();
  expect(report.failures).toContain('WM-ISO-001');
});
