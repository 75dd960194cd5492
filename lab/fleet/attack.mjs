// Two tenants of a fleet attack each other with all that they have; what each shows of itself stays as it was.
import { once } from 'node:events';
import { connect as open } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './client.mjs';
import { SEED } from './crash.mjs';
import { OWNER, tenantAt } from './machines.mjs';

const KEY = 'wm_crash';

export const options = { receivers: [] };

export const attack = async (fleet) => {
  const { origin, machines } = fleet;
  const problems = [];
  let tried = 0;
  const asked = (method, path, token, body) => ask(origin, token, method, path, body);
  const [a, b] = [await tenantAt(origin, 'acme', { seed: SEED }), await tenantAt(origin, 'brot', { seed: SEED })];
  const fork = (id, token, name) => asked('POST', `/worlds/${id}/_mock/worlds`, token, { id: name, mint_keys: true });
  const [worldA, worldB] = [(await fork('acme', a.token, 'mine')).said, (await fork('brot', b.token, 'mine')).said];
  const admin = ({ keys }) => keys.find(({ scope }) => scope === 'admin').value;
  const taskB = (await asked('POST', '/v1/projects/proj_c/tasks', admin(worldB), { title: 'The secret of brot' })).said.data;
  const pageB = (await asked('GET', '/v1/tasks?limit=1', admin(worldB))).said;
  const snapshotB = (await asked('POST', '/worlds/brot~mine/_mock/snapshots', worldB.token)).said;
  const SHOWN = 'state worlds keys snapshots faults clock webhooks'.split(' ');
  const pages = ['brot', 'brot~mine'].flatMap((id) => SHOWN.map((part) => `/worlds/${id}/_mock/${part}`));
  const shown = async () => {
    const parts = [];
    for (const path of pages)
      parts.push((await asked('GET', path, b.token)).text.replaceAll(/"(now|value|last_used_at)": ?"[^"]*"/g, ''));
    return parts;
  };
  const before = await shown();

  /** What was asked must be refused, and must not tell anything of the other. */
  const refused = async (method, path, token, body, allowed = [401, 403, 404, 405, 400, 409, 415, 422]) => {
    tried += 1;
    const { status, text } = await asked(method, path, token, body);
    if (!allowed.includes(status) || text.includes('secret of brot'))
      problems.push(`${method} ${path} with ${token?.slice(0, 20)}: ${status} ${text.slice(0, 200)}`);
  };

  const tokens = [undefined, a.token, worldA.token, admin(worldA), KEY, worldB.token.slice(0, -1), `${b.token}x`, OWNER];
  const lists = 'state requests deliveries timeline keys data/keys data/tasks worlds events'.split(' ');
  const CALLS = [
    ...[...lists, `data/tasks/${taskB.id}`, 'diff?from=brot&to=brot~mine'].map((path) => ['GET', path]),
    ['POST', 'reset'],
    ['POST', 'worlds', { id: 'theirs' }],
    ['POST', 'snapshots'],
    ['POST', `snapshots/${snapshotB.id}/restore`],
    ['POST', 'clock/advance', { by: '1h' }],
    ['POST', 'faults', { match: {}, effect: { status: 500 } }],
    ['POST', 'data/tasks', { title: 'Theirs' }],
    ['DELETE', `data/tasks/${taskB.id}`],
    ['DELETE', 'worlds/brot~mine'],
  ];
  for (const world of ['brot', 'brot~mine']) {
    for (const token of tokens)
      for (const [method, path, body] of CALLS) await refused(method, `/worlds/${world}/_mock/${path}`, token, body);
    for (const token of [undefined, a.token, worldA.token])
      await refused('GET', `/worlds/${world}/?token=${token}`, token, undefined, [401, 403, 404]);
  }
  // A world below is not above.
  for (const [method, path, body] of CALLS) await refused(method, `/worlds/brot/_mock/${path}`, worldB.token, body);
  // Keys of worlds' own, ids and cursors.
  const made = `wm_brot~mine_${'0'.repeat(24)}`;
  for (const token of [a.token, worldA.token, admin(worldA), made, admin(worldA).replace('acme', 'brot')]) {
    await refused('GET', '/worlds/brot~mine/v1/tasks', token);
    await refused('GET', `/v1/tasks/${taskB.id}`, token);
    await refused('DELETE', `/v1/tasks/${taskB.id}`, token);
  }
  if (pageB.meta.next_cursor)
    await refused('GET', `/v1/tasks?cursor=${pageB.meta.next_cursor}`, admin(worldA), undefined, [200, 400]);
  // The names of worlds.
  const ids = ['../brot', 'brot', '~brot', 'brot~x', '', '.', '..', 'x/../../brot', 'x%2f..%2fbrot', '\u0000', 'x'.repeat(300)];
  for (const id of ids) {
    tried += 1;
    const made = await asked('POST', '/worlds/acme/_mock/worlds', a.token, { id });
    if (made.status === 201 && !made.said.id.startsWith('acme~')) problems.push(`acme opened ${made.said.id}`);
    const path = `/worlds/acme/_mock/worlds/${encodeURIComponent(id || '%')}`;
    await refused('DELETE', path, id === 'brot' ? a.token : worldA.token, undefined, [404, 400, 401, 422, 204]);
  }
  for (const id of ['brot', 'brot~mine']) {
    await refused('DELETE', `/worlds/acme/_mock/worlds/${id}`, a.token);
    await refused('POST', '/worlds/acme/_mock/worlds', a.token, { id: 'copy', from: id });
    await refused('GET', `/worlds/acme/_mock/diff?from=acme&to=${id}`, a.token);
    await refused('DELETE', `/_mock/worlds/${id}`, a.token);
  }
  await refused('POST', `/worlds/acme/_mock/snapshots/${snapshotB.id}/restore`, a.token, undefined, [404, 200]);
  for (const path of [
    '/worlds/acme/../brot/_mock/state',
    '/worlds/acme/_mock/../../brot/_mock/state',
    '/worlds/acme%2f..%2fbrot/_mock/state',
    '/worlds/acme/%2e%2e/brot/_mock/state',
    '//worlds/brot/_mock/state',
    '/worlds/brot/./_mock/state',
    '/worlds/BROT/_mock/state',
    '/worlds/acme;/worlds/brot/_mock/state',
    '/dashboard/sign-in?back=/worlds/brot/',
    '/_mock/worlds/brot/_mock/state',
  ])
    await refused('GET', path, a.token, undefined, [400, 401, 403, 404, 405, 302, 303]);
  // Tenants are the owner's.
  for (const token of tokens.filter((one) => one !== OWNER))
    for (const call of ['GET /_hosted/tenants', 'POST /_hosted/tenants', 'DELETE /_hosted/tenants/brot']) {
      const [method, path] = call.split(' ');
      await refused(method, path, token, method === 'POST' ? { id: 'own' } : undefined, [401]);
    }
  // What lists say.
  const listed = (await asked('GET', '/worlds/acme/_mock/worlds', a.token)).said.items.map(({ id }) => id);
  if (listed.some((id) => !/^acme(~|$)/.test(id))) problems.push(`the worlds of acme: ${listed}`);

  // Webhooks: to the control API of the other, to machines, to the port between machines.
  const targets = [
    `${origin}/worlds/brot/_mock/reset`,
    `${origin}/worlds/brot~mine/_mock/reset`,
    `${origin}/worlds/brot/_mock/worlds`,
    `${origin}/_hosted/tenants`,
    ...machines.flatMap(({ port, peer }) => [
      `http://127.0.0.1:${port}/worlds/brot/_mock/reset`,
      `http://127.0.0.1:${peer}/ready`,
    ]),
    `${fleet.bucket.url}/fleet/worlds`,
    'http://169.254.169.254/latest/meta-data',
  ];
  let registered = 0;
  for (const url of targets) {
    tried += 1;
    const hook = await asked('POST', '/worlds/acme/v1/webhooks', KEY, { url, events: ['project.created'] });
    if (hook.status === 201) registered += 1;
  }
  const asks = Object.values(fleet.bucket.counts).length;
  await asked('POST', '/worlds/acme/v1/projects', KEY, { name: 'Announced' });
  await asked('POST', '/worlds/acme/_mock/clock/advance', a.token, { by: 0 });
  const deliveries = (await asked('GET', '/worlds/acme/_mock/deliveries', a.token)).said.items;
  for (const { url, attempts } of deliveries)
    for (const attempt of attempts)
      if (attempt.outcome === 'response' && !attempt.simulated && ![401, 403, 404].includes(attempt.status))
        problems.push(`a webhook to ${url} was answered ${attempt.status}`);
  if (deliveries.length < registered) problems.push(`${deliveries.length} deliveries of ${registered} webhooks`);
  if (Object.values(fleet.bucket.counts).length !== asks) problems.push('the bucket was asked something new');

  // The port between machines, without their key.
  for (const { port, peer } of machines) {
    for (const at of [port, peer])
      for (const path of ['cluster:1', '127.0.0.1:80']) {
        tried += 1;
        const { status } = await ask(`http://127.0.0.1:${at}`, undefined, 'CONNECT', path, undefined, { host: path });
        if (status >= 200 && status < 300) problems.push(`CONNECT ${path} at ${at}: ${status}`);
      }
    for (const call of ['GET /worlds/brot/_mock/state', 'GET /_hosted/tenants', 'POST /ready']) {
      tried += 1;
      const [method, path] = call.split(' ');
      const { status, text } = await ask(`http://127.0.0.1:${peer}`, OWNER, method, path);
      if (status === 200 && path !== '/ready') problems.push(`${path} between machines: ${status} ${text.slice(0, 100)}`);
    }
    const socket = open(peer, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.end(Buffer.alloc(65_536, 255));
  }
  await sleep(500);
  const after = await shown();
  before.forEach((text, i) => {
    if (text !== after[i]) problems.push(`brot shows something else: ${text.slice(0, 150)} … ${after[i].slice(0, 150)}`);
  });

  // Both began alike: what one of them had goes, and the other one still has its own, read from the bucket alone.
  const gone = await asked('DELETE', '/_hosted/tenants/acme', OWNER);
  if (gone.status !== 204) problems.push(`acme was not deleted: ${gone.status}`);
  await fleet.loseDisks();
  await sleep(22_000);
  const read = await asked('GET', `/v1/tasks/${taskB.id}`, admin(worldB));
  if (read.said?.data?.title !== 'The secret of brot')
    problems.push(`brot lost its task: ${read.status} ${read.text.slice(0, 200)}`);
  const opened = await fork('brot', b.token, 'later');
  if (opened.status !== 201) problems.push(`brot opens no world: ${opened.status}`);
  for (const path of ['/worlds/acme/v1/tasks', '/worlds/acme~mine/v1/tasks']) await refused('GET', path, KEY, undefined, [404]);
  // Whoever has the name next has nothing of the one before.
  const next = await tenantAt(origin, 'acme', { seed: SEED });
  await refused('GET', '/worlds/acme/_mock/state', a.token, undefined, [401]);
  const worlds = (await asked('GET', '/worlds/acme/_mock/worlds', next.token)).text;
  if (worlds.includes('mine')) problems.push(`the next acme has ${worlds}`);
  console.log(
    `${tried} attempts, ${registered} webhooks of ${targets.length} registered, ${problems.length} crossed or changed anything`,
  );
  return problems;
};
