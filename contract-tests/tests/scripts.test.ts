// A script for each violation: on a clean workspace it exits with 1 where the rule is broken and with 0 where it is mended.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { Fetch } from '../engine/terms.ts';
import { createReferenceServer, type ReferenceServer, serveFetch } from '../judge/reference/server.ts';
import type { Service } from '../judge/reference/service/service.ts';
import { runOnReference } from './reference.ts';
import { freshFolder, someOf } from './runs.ts';
import { altered, type Row } from './test-server.ts';

const folder = freshFolder();

/** Faults of different kinds that leave each other's requirements alone. */
const FAULTS: readonly (readonly [kind: string, requirement: string, row: Row])[] = [
  ['a total counts one too many', 'WM-META-005', ['total', { gives: '| plus 1' }]],
  ['a revoked key is served', 'WM-AUTH-006', ['isRevoked', { gives: false }]],
  ['a wrong value is accepted', 'WM-TASK-017', ['isChoice', { gives: true }]],
  ['a field is missing', 'WM-USER-003', ['showProfile', { drops: 'email' }]],
  ['a value changes on its way', 'WM-PROJ-004', ['showProject', { sets: { description: '| upper' } }]],
  ['a header is missing', 'WM-RATE-004', ['quotaHeaders response.status=404', { gives: {} }]],
  ['a list is out of order', 'WM-SORT-001', ['compareMarks sort.field=title', { gives: '| times -1' }]],
  ['an error has another code', 'WM-AUTH-007', ['unauthorized', { sets: { code: 'no_key' } }]],
  ['an event has a wrong field', 'WM-EVT-020', ['envelope', { sets: { created_at: 1_700_000_000 } }]],
  ['an event is missing', 'WM-EVT-006', ['hears fired=project.deleted', { gives: false }]],
];

/** Each script starts some dozens of processes. */
const TRIED = someOf(FAULTS, 4);

const all = altered(...TRIED.map(([, , row]) => row));
const tooMany = altered(FAULTS[0]![2]);

/** The variables that a script asks for. */
const environment = ({ keys, taskWithComments }: ReferenceServer, baseUrl: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  WM_BASE_URL: baseUrl,
  WM_API_KEY_ADMIN: keys.admin,
  WM_API_KEY_WRITE: keys.write,
  WM_API_KEY_READ: keys.read,
  WM_API_KEY_REVOKED: keys.revoked,
  WM_API_KEY_OTHER_WORKSPACE: keys.other,
  WM_TASK_WITH_COMMENTS: taskWithComments,
});

/** A server with records of its own, on a socket and the real clock. @param between what alters its requests and responses */
const listening = async (alter?: (service: Service) => void, between = (next: Fetch) => next): Promise<NodeJS.ProcessEnv> => {
  const server = createReferenceServer({
    clock: 'real',
    alter: (service) => {
      // A receiver on this machine is no https URL.
      service.isReachable = () => true;
      service.quotaOf = () => 10_000;
      alter?.(service);
    },
  });
  const { baseUrl, close } = await serveFetch(between(server.fetch));
  onTestFinished(close);
  return environment(server, baseUrl);
};

/** Runs a script to its end, while the server of this process responds. */
const repeat = (id: string, env: NodeJS.ProcessEnv): Promise<{ status: number; out: string; err: string }> =>
  new Promise((done) => {
    const child = execFile('sh', [folder.at(`failures/${id}.sh`)], { env, cwd: folder.path }, (_, out, err) =>
      done({ status: child.exitCode ?? -1, out, err }),
    );
  });

test('a script exits with 1 on the server with the fault, and with 0 on the mended one', async () => {
  const { report } = await runOnReference({ alter: all, options: { reportDir: folder.path } });
  expect(report.failures).toEqual(expect.arrayContaining(TRIED.map(([, requirement]) => requirement)));
  const [broken, mended] = [await listening(all), await listening()];
  const exits = await Promise.all(
    TRIED.map(async ([kind, id]) => {
      const [bad, good] = [await repeat(id, broken), await repeat(id, mended)];
      return {
        kind,
        bad: bad.status,
        good: good.status,
        says: bad.status === 1 && good.status === 0 ? '' : bad.out + bad.err + good.out + good.err,
      };
    }),
  );
  expect(exits).toEqual(TRIED.map(([kind]) => ({ kind, bad: 1, good: 0, says: '' })));
  const failed = report.requirements.filter(({ status }) => status === 'failed');
  for (const { script } of failed) if (script) execFileSync('sh', ['-n', folder.at(script)]);
  const { WM_API_KEY_READ: _, ...keyless } = mended;
  expect(await repeat(TRIED[0]![1], { ...keyless, WM_API_KEY_WRITE: '' })).toMatchObject({
    status: 2,
    err: expect.stringContaining('set WM_API_KEY_'),
  });
}, 120_000);

const ID = /(?<=\b(?:proj|task|team|user|next)_)(?=[0-9a-z])/g;

/** A server whose ids no URL and no shell takes as they are. */
const strange =
  (odd: string) =>
  (next: Fetch): Fetch => {
    const inJson = JSON.stringify(odd).slice(1, -1);
    const bare = (text: string) => encodeURIComponent(decodeURIComponent(text).replace(odd, ''));
    return async (url, init) => {
      const { origin, pathname, searchParams } = new URL(url);
      const query = new URLSearchParams([...searchParams].map(([name, value]) => [name, value.replace(odd, '')]));
      const body = init?.body === undefined ? {} : { body: String(init.body).replaceAll(inJson, '') };
      const plain = `${origin}${pathname.split('/').map(bare).join('/')}${query.size > 0 ? `?${query}` : ''}`;
      const response = await next(plain, { ...init, ...body });
      if (response.status === 204) return response;
      return new Response((await response.text()).replace(ID, inJson), response);
    };
  };

test('ids may have any characters', async () => {
  const between = strange(`a/b c?d&e"f'g$h\`i\\j%k+é=`);
  const options = { reportDir: folder.path, only: ['WM-META-005'] };
  await runOnReference({ alter: tooMany, between, options });
  expect(folder.report().failures).toContain('WM-META-005');
  const { status, err } = await repeat('WM-META-005', await listening(tooMany, between));
  expect([status, err]).toEqual([1, '']);
}, 60_000);

test('a response of the target is no command of a script', async () => {
  const between = strange(`\n touch pwned\n;touch pwned;$(touch pwned)\`touch pwned\`'"$(touch pwned)`);
  const options = { reportDir: folder.path, only: ['WM-META-005', 'WM-ENV-005'] };
  await runOnReference({ alter: tooMany, between, options });
  const env = await listening(tooMany, between);
  const { failures } = folder.report();
  expect(failures).toContain('WM-META-005');
  for (const id of failures) expect((await repeat(id, env)).out).toContain('in the run');
  expect(existsSync(folder.at('pwned'))).toBe(false);
}, 60_000);

test('no key, no secret and no header of a gateway is in a script; it asks for each by its name', async () => {
  const headers = { 'X-Gateway': 'open sesame 1', 'X-Mode': 'on' };
  await runOnReference({ alter: tooMany, options: { reportDir: folder.path, only: ['WM-META-005'], headers } });
  const text = folder.read('failures/WM-META-005.sh');
  const { keys } = createReferenceServer();
  for (const value of [...Object.values(keys), 'open sesame 1', 'X-Mode: on']) expect(text).not.toContain(value);
  expect(text).toContain('-H "X-Gateway: $WM_HEADER_X_GATEWAY"');
  expect(text).toContain('-H "X-Mode: $WM_HEADER_X_MODE"');
  expect(text).toContain('need WM_HEADER_X_GATEWAY');
}, 60_000);
