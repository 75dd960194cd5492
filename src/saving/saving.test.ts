// A host that is kept goes on as if it had never stopped, whenever it stops.
import { expect, test } from 'vitest';
import { Host } from '../control/host.ts';
import { hostOptionsOf, mockOn } from '../mock/create.ts';
import { everything, json, MAY_FAIL, OPTIONS, plant, play, STEPS, shown } from '../test/kept-session.ts';
import { soon } from '../test/soon.ts';
import { reopen } from './reopen.ts';
import { saveState, snapshotFrom } from './saved-state.ts';
import { Memory, ShelfTaken } from './shelf.ts';

test('a mock that ends before every request and goes on from the shelf answers with the same bytes', async () => {
  const whole = await play(() => false, 30);
  const broken = await play(() => true, 30);
  expect(whole.transcript.length).toBe(30);
  const failed = whole.transcript.flatMap(([status], n) => (status >= 400 ? [n % STEPS.length] : []));
  expect(failed.filter((step) => !MAY_FAIL.includes(step))).toEqual([]);
  expect(broken.transcript).toEqual(whole.transcript);
  expect(broken.end).toEqual(whole.end);
});

test('a saved state, written as JSON, is a world that answers the rest of the session with the same bytes', async () => {
  const options = hostOptionsOf(OPTIONS);
  const host = new Host(await plant(), options);
  const mock = mockOn(host, OPTIONS);
  for (let n = 0; n < 13; n++) await shown(await STEPS[n]!(mock, n));
  await mock.webhooks.settled();
  const twin = mockOn(new Host(snapshotFrom(JSON.parse(JSON.stringify(saveState(host.main.running)))), options), OPTIONS);
  expect(twin.deliveries.some(({ state }) => state === 'retrying')).toBe(true);
  for (let n = 0; n < 14; n++) expect(await shown(await STEPS[n]!(twin, n))).toEqual(await shown(await STEPS[n]!(mock, n)));
  expect({ ...(await everything(twin)), snapshots: 0 }).toEqual({ ...(await everything(mock)), snapshots: 0 });
});

test('whoever reads a shelf last has it: the changes of all others are refused whole', async () => {
  const memory = new Memory();
  const open = () => reopen(memory.shelf(), 'demo', hostOptionsOf(OPTIONS), plant);
  const first = await open();
  await soon(first.keeper.save());
  const second = await open();
  await json(mockOn(first.host, OPTIONS), 'POST', '/projects', { name: 'Of the first' });
  await expect(soon(first.keeper.save())).rejects.toThrow(ShelfTaken);
  await expect(soon(first.keeper.save())).rejects.toThrow(ShelfTaken);
  await json(mockOn(second.host, OPTIONS), 'POST', '/projects', { name: 'Of the second' });
  await soon(second.keeper.save());
  const { host } = await open();
  const names = host.main.world.store.projects.all().map(({ value }) => value.name);
  expect(names).toContain('Of the second');
  expect(names).not.toContain('Of the first');
});

test('what another version has kept in a way that cannot be read begins anew', async () => {
  const memory = new Memory();
  const open = () => reopen(memory.shelf(), 'demo', hostOptionsOf(OPTIONS), plant);
  const first = await open();
  await json(mockOn(first.host, OPTIONS), 'POST', '/projects', { name: 'Of another version' });
  await soon(first.keeper.save());
  const shelf = memory.shelf();
  const [core] = [...(await shelf.read()).keys()].filter((key) => key.endsWith('/core'));
  await shelf.write({ put: [[core!, { world: 'otherwise' }]], remove: [], clear: [] });
  const { host, keeper } = await open();
  const mock = mockOn(host, OPTIONS);
  expect((await json(mock, 'GET', '/projects?limit=100')).status).toBe(200);
  await soon(keeper.save());
  const again = await open();
  expect(again.host.main.world.store.projects.size).toBe((await plant()).world.store.projects.size);
});
