// Two tenants of a fleet attack each other with all that they have; what each shows of itself stays as it was.
import { once } from 'node:events';
import { connect as open } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { words } from '../shared.mjs';
import { ask } from './client.mjs';
import { KEY, OWNER, SEED, tenantAt } from './machines.mjs';

const REFUSALS = [400, 401, 403, 404, 405, 409, 415, 422];
const SECRET = 'The secret of brot';
const SHOWN = words('state worlds keys snapshots faults clock webhooks');
const VICTIMS = ['brot', 'brot~mine'];
const DETOURS =
  words(`/worlds/acme/../brot/_mock/state /worlds/acme/_mock/../../brot/_mock/state /worlds/acme%2f..%2fbrot/_mock/state
  /worlds/acme/%2e%2e/brot/_mock/state //worlds/brot/_mock/state /worlds/brot/./_mock/state /worlds/BROT/_mock/state
  /worlds/acme;/worlds/brot/_mock/state /dashboard/sign-in?back=/worlds/brot/ /_mock/worlds/brot/_mock/state`);
const at = (port) => `http://127.0.0.1:${port}`;
const WORLD_IDS = ['', '\u0000', 'x'.repeat(300), ...words('../brot brot ~brot brot~x . .. x/../../brot x%2f..%2fbrot')];

/** Calls of a world's control API, with bodies. */
const controlCalls = (world, task, snapshot) =>
  [
    ...words('state requests deliveries timeline keys data/keys data/tasks worlds events').map((path) => [`GET ${path}`]),
    [`GET data/tasks/${task}`],
    ['GET diff?from=brot&to=brot~mine'],
    ['POST reset'],
    ['POST worlds', { id: 'theirs' }],
    ['POST snapshots'],
    [`POST snapshots/${snapshot}/restore`],
    ['POST clock/advance', { by: '1h' }],
    ['POST faults', { match: {}, effect: { status: 500 } }],
    ['POST data/tasks', { title: 'Theirs' }],
    [`DELETE data/tasks/${task}`],
    ['DELETE worlds/brot~mine'],
  ].map(([line, body]) => [line.replace(' ', ` /worlds/${world}/_mock/`), body]);

export const attack = async (fleet) => {
  const { origin, machines, bucket } = fleet;
  const problems = [];
  let tried = 0;
  const check = (isRight, says) => isRight || problems.push(says);
  const call = (token, line, body, door = origin, headers = undefined) => {
    tried += 1;
    return ask(door, token, ...line.split(' '), body, headers);
  };
  /** What was asked must be refused, and must not tell anything of the other. */
  const refused = async (token, line, body, allowed = REFUSALS) => {
    const { status, text } = await call(token, line, body);
    const isRefused = allowed.includes(status) && !text.includes(SECRET);
    check(isRefused, `${line} with ${token?.slice(0, 20)}: ${status} ${text.slice(0, 200)}`);
  };

  const fork = (id, token, name) => call(token, `POST /worlds/${id}/_mock/worlds`, { id: name, mint_keys: true });
  const [a, b] = [await tenantAt(origin, 'acme', { seed: SEED }), await tenantAt(origin, 'brot', { seed: SEED })];
  const [worldA, worldB] = [(await fork('acme', a.token, 'mine')).said, (await fork('brot', b.token, 'mine')).said];
  const [adminA, adminB] = [worldA, worldB].map(({ keys }) => keys.find(({ scope }) => scope === 'admin').value);
  const task = (await call(adminB, 'POST /v1/projects/proj_c/tasks', { title: SECRET })).said.data.id;
  const page = (await call(adminB, 'GET /v1/tasks?limit=1')).said;
  const snapshot = (await call(worldB.token, 'POST /worlds/brot~mine/_mock/snapshots')).said.id;
  const shown = async () => {
    const texts = [];
    for (const path of VICTIMS.flatMap((id) => SHOWN.map((part) => `/worlds/${id}/_mock/${part}`)))
      texts.push((await call(b.token, `GET ${path}`)).text.replaceAll(/"(now|value|last_used_at)": ?"[^"]*"/g, ''));
    return texts;
  };
  const before = await shown();

  const strangers = [undefined, a.token, worldA.token];
  const intruders = [...strangers, adminA, KEY, worldB.token.slice(0, -1), `${b.token}x`];
  const forged = [`wm_brot~mine_${'0'.repeat(24)}`, adminA.replace('acme', 'brot')];
  const callsOf = (world) => controlCalls(world, task, snapshot);
  const worlds = '/worlds/acme/_mock/worlds';
  const ofVictim = (id) => [
    [`DELETE ${worlds}/${id}`],
    [`POST ${worlds}`, { id: 'copy', from: id }],
    [`GET /worlds/acme/_mock/diff?from=acme&to=${id}`],
    [`DELETE /_mock/worlds/${id}`],
  ];
  const pages = page.meta.next_cursor ? [[`GET /v1/tasks?cursor=${page.meta.next_cursor}`]] : [];
  /** Who calls, what, and the statuses that are fine if not every refusal. */
  const rows = [
    [[...intruders, OWNER], VICTIMS.flatMap(callsOf)],
    ...strangers.map((token) => [[token], VICTIMS.map((id) => [`GET /worlds/${id}/?token=${token}`]), [401, 403, 404]]),
    // A world below is not above.
    [[worldB.token], callsOf('brot')],
    [
      [a.token, worldA.token, adminA, ...forged],
      [['GET /worlds/brot~mine/v1/tasks'], [`GET /v1/tasks/${task}`], [`DELETE /v1/tasks/${task}`]],
    ],
    [[adminA], pages, [200, 400]],
    [[a.token], VICTIMS.flatMap(ofVictim)],
    [[a.token], [[`POST /worlds/acme/_mock/snapshots/${snapshot}/restore`]], [404, 200]],
    [[a.token], DETOURS.map((path) => [`GET ${path}`]), [400, 401, 403, 404, 405, 302, 303]],
    // Tenants are the owner's.
    [intruders, [['GET /_hosted/tenants'], ['POST /_hosted/tenants', { id: 'own' }], ['DELETE /_hosted/tenants/brot']], [401]],
  ];
  for (const [tokens, calls, allowed] of rows)
    for (const token of tokens) for (const [line, body] of calls) await refused(token, line, body, allowed);
  for (const id of WORLD_IDS) {
    const { status, said } = await call(a.token, `POST ${worlds}`, { id });
    check(status !== 201 || said.id.startsWith('acme~'), `acme opened ${said?.id}`);
    const token = id === 'brot' ? a.token : worldA.token;
    await refused(token, `DELETE ${worlds}/${encodeURIComponent(id || '%')}`, undefined, [404, 400, 401, 422, 204]);
  }
  const listed = (await call(a.token, `GET ${worlds}`)).said.items.map(({ id }) => id);
  check(!listed.some((id) => !/^acme(~|$)/.test(id)), `the worlds of acme: ${listed}`);

  // Webhooks: to the control API of the other, to machines, to the port between machines.
  const targets = [
    ...[...VICTIMS.map((id) => `worlds/${id}/_mock/reset`), 'worlds/brot/_mock/worlds', '_hosted/tenants'].map(
      (path) => `${origin}/${path}`,
    ),
    ...machines.flatMap(({ port, peer }) => [`${at(port)}/worlds/brot/_mock/reset`, `${at(peer)}/ready`]),
    `${bucket.url}/fleet/worlds`,
    'http://169.254.169.254/latest/meta-data',
  ];
  let registered = 0;
  for (const url of targets) {
    const { status } = await call(KEY, 'POST /worlds/acme/v1/webhooks', { url, events: ['project.created'] });
    if (status === 201) registered += 1;
  }
  const kinds = Object.keys(bucket.counts).length;
  await call(KEY, 'POST /worlds/acme/v1/projects', { name: 'Announced' });
  await call(a.token, 'POST /worlds/acme/_mock/clock/advance', { by: 0 });
  const deliveries = (await call(a.token, 'GET /worlds/acme/_mock/deliveries')).said.items;
  const answered = ({ outcome, simulated }) => outcome === 'response' && !simulated;
  for (const { url, attempts } of deliveries)
    for (const { status } of attempts.filter(answered))
      check([401, 403, 404].includes(status), `a webhook to ${url} was answered ${status}`);
  check(deliveries.length >= registered, `${deliveries.length} deliveries of ${registered} webhooks`);
  check(Object.keys(bucket.counts).length === kinds, 'the bucket was asked something new');

  // The port between machines, without their key.
  for (const { port, peer } of machines) {
    for (const door of [at(port), at(peer)])
      for (const host of ['cluster:1', '127.0.0.1:80']) {
        const { status } = await call(undefined, `CONNECT ${host}`, undefined, door, { host });
        check(status < 200 || status >= 300, `CONNECT ${host} at ${door}: ${status}`);
      }
    for (const line of ['GET /worlds/brot/_mock/state', 'GET /_hosted/tenants', 'POST /ready']) {
      const { status, text } = await call(OWNER, line, undefined, at(peer));
      check(status !== 200 || line.endsWith('/ready'), `${line} between machines: ${status} ${text.slice(0, 100)}`);
    }
    const socket = open(peer, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.end(Buffer.alloc(65_536, 255));
  }
  await sleep(500);
  const after = await shown();
  for (const [i, text] of before.entries())
    check(text === after[i], `brot shows something else: ${text.slice(0, 150)} … ${after[i].slice(0, 150)}`);

  // Both began alike: what one of them had goes, and the other one still has its own, read from the bucket alone.
  const gone = await call(OWNER, 'DELETE /_hosted/tenants/acme');
  check(gone.status === 204, `acme was not deleted: ${gone.status}`);
  await fleet.loseDisks();
  await sleep(22_000);
  const read = await call(adminB, `GET /v1/tasks/${task}`);
  check(read.said?.data?.title === SECRET, `brot lost its task: ${read.status} ${read.text.slice(0, 200)}`);
  const opened = await fork('brot', b.token, 'later');
  check(opened.status === 201, `brot opens no world: ${opened.status}`);
  for (const path of ['/worlds/acme/v1/tasks', '/worlds/acme~mine/v1/tasks']) await refused(KEY, `GET ${path}`, undefined, [404]);
  // Whoever has the name next has nothing of the one before.
  const next = await tenantAt(origin, 'acme', { seed: SEED });
  await refused(a.token, 'GET /worlds/acme/_mock/state', undefined, [401]);
  const { text } = await call(next.token, `GET ${worlds}`);
  check(!text.includes('mine'), `the next acme has ${text}`);
  console.log(`${tried} calls, ${registered} of ${targets.length} webhooks registered, ${problems.length} changed anything`);
  return problems;
};
