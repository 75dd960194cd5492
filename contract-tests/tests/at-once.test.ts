// Requests at once: each kind of race is found, and a server that serialises, locks or refuses one of two is not blamed.
import { expect, test } from 'vitest';
import { VirtualClock } from '../judge/reference/clock.ts';
import { createReferenceServer } from '../judge/reference/server.ts';
import { runContract } from '../run.ts';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly send: (change?: { readonly body?: object; readonly method?: string; readonly query?: string }) => Promise<Response>;
}
/** How a server treats a request, and others that are under way with it. */
type Race = (call: Call, others: readonly Call[]) => Promise<Response>;

const tick = () => new Promise((done) => setImmediate(done));

const json = async (response: Response): Promise<Record<string, never>> => JSON.parse((await response.clone().text()) || '{}');
const retold = async (response: Response, tell: (text: string) => string): Promise<Response> =>
  new Response(response.status === 204 ? null : tell(await response.text()), response);
const failing = (response: Response, status: number, code: string): Response =>
  new Response(JSON.stringify({ error: { code, message: 'Two at once.', details: {} } }), { status, headers: response.headers });

/** Runs the story alone against a server with such a race. */
const runWith = async (race: Race) => {
  const clock = new VirtualClock();
  const server = createReferenceServer({ clock });
  const underWay = new Set<Call>();
  const fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(url);
    const call: Call = {
      method: init.method ?? 'GET',
      path: pathname.replace(/^\/v1/, ''),
      body: typeof init.body === 'string' ? JSON.parse(init.body || '{}') : {},
      send: ({ body, method = init.method, query = search } = {}) =>
        server.fetch(url.replace(search, query), {
          ...init,
          ...(method ? { method } : {}),
          ...(body ? { body: JSON.stringify(body) } : method === 'GET' ? { body: null } : {}),
        }),
    };
    underWay.add(call);
    await tick();
    const others = [...underWay].filter((other) => other !== call);
    const response = await race(call, others);
    await tick();
    underWay.delete(call);
    return response;
  };
  const { baseUrl, keys } = server;
  const report = await runContract({ baseUrl, keys, fetch, time: clock, only: ['at-once'], reportDir: false });
  return report.requirements.filter(({ status }) => status === 'failed').map(({ id }) => id);
};

const both = (call: Call, others: readonly Call[], method: string, path: RegExp): Call | undefined =>
  call.method === method && path.test(call.path)
    ? others.find((other) => other.method === method && other.path === call.path)
    : undefined;

const lostUpdate = (path: RegExp, fields: readonly string[]): Race => {
  return async (call, others) => {
    if (!both(call, others, 'PATCH', path)) return call.send();
    const { data } = await json(await call.send({ method: 'GET' }));
    await tick();
    const before = Object.fromEntries(fields.map((name) => [name, data?.[name] ?? undefined]));
    return call.send({ body: { ...before, ...call.body } });
  };
};

const thirdValue: Race = (call, others) => {
  const other = both(call, others, 'PATCH', /^\/tasks/);
  return call.send(other && 'title' in call.body && 'title' in other.body ? { body: { title: 'wm first or second or' } } : {});
};

const namesTwice = (): Race => {
  let taken: string | undefined;
  return async (call, others) => {
    const name = both(call, others, 'POST', /^\/teams$/) && call.body.name;
    const second = name !== undefined && name === taken;
    if (typeof name === 'string') taken = name;
    return retold(await call.send(second ? { body: { name: `${name}-2` } } : {}), (text) =>
      text.replaceAll(/(wmct-[^"]*twins-\d+)-2/g, '$1'),
    );
  };
};

const namesFail: Race = async (call, others) => {
  const response = await call.send();
  return both(call, others, 'POST', /^\/teams$/) && response.status === 409 ? failing(response, 500, 'internal') : response;
};

const comesBack: Race = async (call, others) => {
  const patched = call.method === 'DELETE' && others.some(({ method, path }) => method === 'PATCH' && path === call.path);
  if (!patched) return call.send();
  const response = await call.send({ method: 'GET' });
  return new Response(null, { status: 204, headers: response.headers });
};

const orphan = (): Race => {
  const kept = new Map<string, Response>();
  return async (call, others) => {
    const known = kept.get(call.path);
    if (known && call.method === 'GET') return new Response(await known.clone().text(), { status: 200, headers: known.headers });
    if (call.method === 'DELETE' && others.some(({ method }) => method === 'POST')) await tick();
    const response = await call.send();
    if (call.method === 'POST' && response.status === 201 && others.some(({ method }) => method === 'DELETE'))
      kept.set(`/tasks/${(await json(response)).data?.id}`, response.clone());
    return response;
  };
};

const oneId = (): Race => {
  let id: string | undefined;
  return async (call, others) => {
    const response = await call.send();
    if (!both(call, others, 'POST', /tasks$/)) return response;
    const own = String((await json(response)).data?.id);
    id ??= own;
    return retold(response, (text) => text.replace(own, id!));
  };
};

const oneLost: Race = async (call, others) => {
  const response = await call.send();
  if (!both(call, others, 'POST', /tasks$/) || call.body.title !== 'wm two') return response;
  return retold(response, (text) => text.replace(/("id":")[^"]*/, '$1task_lost'));
};

/** A page beside a create: it begins where the page before it began, or leaves out its first record. */
const page =
  (change: 'again' | 'without'): Race =>
  async (call, others) => {
    const beside = call.method === 'GET' && others.some(({ method }) => method === 'POST');
    if (!beside) return call.send();
    if (change === 'again') return call.send({ query: '?sort=created_at&limit=1' });
    const first = await json(await call.send());
    const { next_cursor } = first.meta as unknown as { next_cursor: string };
    return call.send({ query: `?sort=created_at&limit=1&cursor=${encodeURIComponent(next_cursor)}` });
  };

/** Several races, each of which leaves the requests of the others alone. */
const together = (...[first, ...rest]: readonly Race[]): Race =>
  first
    ? (call, others) =>
        first(
          {
            ...call,
            send: (change) => together(...rest)({ ...call, send: (more) => call.send({ ...change, ...more }) }, others),
          },
          others,
        )
    : (call) => call.send();

test.each<[string, readonly Race[], readonly string[]]>([
  [
    'a change of a task lost, a team name twice, a deleted task that comes back, records repeated by a page',
    [lostUpdate(/^\/tasks/, ['title', 'description', 'status']), namesTwice(), comesBack, page('again')],
    ['WM-EP-047', 'WM-TEAM-004', 'WM-EP-049', 'WM-LIST-007'],
  ],
  [
    'a change of a project lost, a task that outlives its project, a record that a page skips',
    [lostUpdate(/^\/projects/, ['name', 'description']), orphan(), page('without')],
    ['WM-EP-027', 'WM-EP-030', 'WM-LIST-006'],
  ],
  ['neither of two values, one id for two', [thirdValue, oneId()], ['WM-EP-040', 'WM-GEN-016']],
  ['one of two creates lost, a 500 for the second of a name', [oneLost, namesFail], ['WM-EP-037', 'WM-ERR-014']],
])('%s', async (_says, races, requirements) => {
  expect(await runWith(together(...races))).toEqual(expect.arrayContaining([...requirements]));
});

/** The second of two writes of one record waits, or is told of the conflict once. */
const locks: Race = async (call, others) => {
  const other = call.method !== 'GET' && others.find(({ method, path }) => method !== 'GET' && path === call.path);
  if (!other || call.method === 'POST' || call.method === 'DELETE' || 'description' in other.body) return call.send();
  return failing(await call.send({ method: 'GET' }), 409, 'conflict');
};
const backwards: Race = async (call, others) => {
  if (others.length > 0 && call.method !== 'DELETE') for (let n = 0; n < 3; n++) await tick();
  return call.send();
};
/** Each shows the record as it was when its request came, beside what it has changed itself. */
const showsItself: Race = async (call, others) => {
  if (!both(call, others, 'PATCH', /./)) return call.send();
  const { data } = await json(await call.send({ method: 'GET' }));
  await tick();
  return retold(await call.send(), (text) =>
    JSON.stringify({ data: { ...JSON.parse(text).data, ...(data as object), ...call.body } }),
  );
};

/** A record that is deleted beside such a write is gone, and a gateway loses the response. */
const losesDeletion =
  (beside: 'PATCH' | 'POST'): Race =>
  async (call, others) => {
    const together = others.some(({ method, path }) => method === beside && path.startsWith(call.path));
    if (call.method === 'DELETE' && together) for (let n = 0; n < 3; n++) await tick();
    const response = await call.send();
    return call.method === 'DELETE' && together ? new Response('<html>504 Gateway Time-out</html>', { status: 504 }) : response;
  };

test.each<[string, Race]>([
  ["one whose response to a task's deletion gets lost", losesDeletion('PATCH')],
  ["one whose response to a project's deletion gets lost", losesDeletion('POST')],
  ['one that locks records and serves a deletion last', together(locks, backwards)],
  ['one that shows each change alone', showsItself],
])('%s is not blamed', async (_says, race) => {
  expect(await runWith(race)).toEqual([]);
});
