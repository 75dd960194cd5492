// A mock whose every text that a user could write is an attack on the page that shows it.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { createMock, type Mock } from '../node/index.ts';
import { DEMO_AT } from './dashboard.ts';

/** Were it ever read as HTML, there would be an image, and `window.hit` would be true. */
export const ATTACK = '<img src=x onerror="window.hit=true">\'"&amp;';

const TEXTS = new Set(['name', 'title', 'description', 'body', 'role', 'value']);

const spoilt = (node: unknown, path: readonly string[] = []): unknown => {
  if (Array.isArray(node)) return node.map((one, i) => spoilt(one, [...path, String(i)]));
  if (typeof node === 'object' && node !== null)
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, spoilt(value, [...path, key])]));
  const key = path.at(-1) ?? '';
  if (typeof node !== 'string') return node;
  if (key === 'url') return `${node}?x=${ATTACK.replaceAll(' ', '/')}`;
  if (key === 'name' && path.includes('teams')) return `${ATTACK} ${path.join(' ')}`;
  if (key === 'value') return `${node}${ATTACK.replaceAll(' ', '/')}`;
  return TEXTS.has(key) ? ATTACK : node;
};

/** The demo with an attack in every name, title, description, comment, role, key and address, and traffic of the same kind. */
export const hostileMock = async (): Promise<Mock> => {
  const seed = spoilt(parse(readFileSync(DEMO_AT.seed, 'utf8'))) as object;
  // Every receiver responds with an attack as well.
  const sender = async () => ({ kind: 'response', status: 500, excerpt: ATTACK, error: ATTACK, took: 0 }) as const;
  const mock = await createMock({ seed, now: DEMO_AT.now, sender });
  const { authorization } = mock.auth('write');
  const headers = { authorization, 'content-type': 'application/json', 'x-attack': ATTACK, 'user-agent': ATTACK };
  const project = mock.world.store.projects.all()[0]!.value.id;
  const send = (method: string, path: string, body: object) => mock.fetch(path, { method, headers, body: JSON.stringify(body) });
  const tasks = `/projects/${project}/tasks`;
  await mock.fetch(`/tasks?limit=3&${ATTACK}`, { headers });
  const made = await send('POST', tasks, { title: ATTACK, description: ATTACK });
  const { data } = (await made.json()) as { data: { id: string } };
  await send('PATCH', `/tasks/${data.id}`, { description: `${ATTACK}${ATTACK}` });
  await mock.fetch(`/tasks?filter[${ATTACK}]=${ATTACK}&${ATTACK}=1`, { headers });
  await mock.fetch(`/${encodeURIComponent(ATTACK)}`, { headers: { authorization: `Bearer ${ATTACK}` } });
  await mock.fetch(`/tasks/${encodeURIComponent(ATTACK)}`, { headers });
  await mock.fetch(`/tasks?cursor=${encodeURIComponent(ATTACK)}`, { headers });
  await send('POST', tasks, { [ATTACK]: ATTACK, title: '', priority: ATTACK });
  await send('POST', tasks, { title: ATTACK });
  await mock.clock.advance('1m');
  const control = { headers: { 'content-type': 'application/json', 'x-attack': ATTACK }, method: 'POST' };
  const inbox = new Request('http://127.0.0.1/_mock/inbox/orders?x=<img>', { ...control, body: ATTACK });
  await mock.app.fetch(inbox);
  mock.faults.add({ match: { path: ATTACK }, effect: { status: 503 } });
  return mock;
};
