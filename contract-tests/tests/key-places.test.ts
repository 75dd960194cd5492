// A key in the wrong place ends a run before it begins, with the name of its variable; a service that breaks its rules never ends so.
import { expect, test } from 'vitest';
import { type ContractOptions, exitStatus } from '../run.ts';
import { runOn } from './runs.ts';
import { altered, type Row, TestServer } from './test-server.ts';

type Roles = ReturnType<TestServer['roles']>;
type Given = ContractOptions['keys'];
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

const FAULTS: readonly (readonly [what: string, clause: string, row: Row])[] = [
  ['lets read keys create projects', 'WM-SCOPE-005', ['permits has=read operation=createProject', { gives: true }]],
  ['lets read keys change projects', 'WM-SCOPE-006', ['permits has=read operation=changeProject', { gives: true }]],
  ['lets read keys write all that write keys may', 'WM-SCOPE-005', ['permits has=read needed=write', { gives: true }]],
  ['refuses write keys one kind of write', 'WM-SCOPE-017', ['permits has=write operation=createTask', { gives: false }]],
  ['refuses write keys to create projects', 'WM-SCOPE-016', ['permits has=write operation=createProject', { gives: false }]],
  ['refuses admin keys to create projects', 'WM-SCOPE-018', ['permits has=admin operation=createProject', { gives: false }]],
  ['shows our members to the second workspace', 'WM-ISO-015', ['memberRows here=ws_south', { gives: '$foreigners' }]],
  ['shows our projects to the second workspace', 'WM-ISO-001', ['sees op=readProject', { gives: true }]],
  ['lists our projects to the second workspace', 'WM-ISO-012', ['projectRows', { gives: '$db.projects' }]],
  ['takes revoked keys', 'WM-AUTH-006', ['isRevoked', { gives: false }]],
  ['hides our projects from read keys', 'WM-SCOPE-001', ['sees op=readProject by=read', { gives: false }]],
  [
    'shows all that is ours to the second workspace, and its own budget',
    'WM-ISO-001',
    ['perform here=ws_south method=GET op!=readMe', { with: { 'call.workspace': '$db.workspaces.0' } }],
  ],
];

test.each(FAULTS)('a service that %s is judged, not taken for a wrong key', async (_says, clause, row) => {
  const server = new TestServer({ limit: 1000, alter: altered(row) });
  const report = await runOn(server, { profile: 'full', only: [clause, 'access/'] });
  expect(report.error).toBeUndefined();
  expect(report.failures).toContain(clause);
});
