// A release knows itself and those after it; transcripts beside lists and requests show the responses of each.
import { describe, expect, test } from 'vitest';
import { openSession } from '../../test/matrix.ts';
import { contractAt } from './at-release.ts';
import { LATEST, RELEASE_NAMES, RELEASES, type Release } from './releases.ts';
import { COMPONENTS } from './resources.ts';

const at = (release: Release) => openSession({ release }, false);
describe.each(RELEASE_NAMES)('at v%s', (release) => {
  test('it says which release it is', async () => {
    const { mock } = await at(release);
    const shown = await (await mock.fetch('http://wm-mock.test/_mock/release')).json();
    expect(shown).toMatchObject({ release, version: RELEASES[release].version });
    const document = await (await mock.fetch('http://wm-mock.test/openapi.json')).json();
    expect(document).toMatchObject({ info: { version: RELEASES[release].version } });
  });
});

test('an operation that a release does not have is an unknown route: 401 first, then 404', async () => {
  const { call, mock } = await at('1.0');
  expect((await call('POST', '/teams', { key: null, body: {} })).status).toBe(401);
  const response = await call('POST', '/teams', { body: { name: 'New' } });
  expect([response.status, response.body.error.code]).toEqual([404, 'not_found']);
  expect(mock.requests.at(-1)).toMatchObject({
    operation: null,
    warnings: [{ code: 'later-operation', says: 'createTeam came with v1.2.0; this world is v1.0' }],
  });
});

test('a field of a later release is kept, not shown, and has its default where no client set it', async () => {
  const { call, mock } = await at('1.2');
  const made = await call('POST', '/projects/proj_one/tasks', { body: { title: 'Early', priority: 'urgent' } });
  expect(mock.requests.at(-1)!.warnings).toEqual([
    { code: 'later-field', says: 'priority came with v1.3.0; v1.2 does not read it' },
  ]);
  mock.become(LATEST);
  expect((await call('GET', `/tasks/${made.body.data.id}`)).body.data.priority).toBe('medium');
  expect((await call('GET', '/tasks/task_talked')).body.data.priority).toBe('high');
  mock.become('1.0');
  expect((await call('GET', '/tasks')).body.items[0]).not.toHaveProperty('priority');
});

test("each field that a release brought is in today's tables", () => {
  expect([...contractAt('1.0').unknownFields]).toEqual(expect.arrayContaining(['next_cursor', 'priority']));
  const { unknownIn } = contractAt('1.2');
  expect([unknownIn.tasks.has('priority'), unknownIn.projects.has('priority')]).toEqual([true, false]);
  const { components } = contractAt(LATEST);
  expect(components).toMatchObject(COMPONENTS);
  expect(Object.keys(components).filter((name) => !(name in COMPONENTS || /(Body|Draft|Patch)$/.test(name)))).toEqual([]);
  expect(contractAt(LATEST).components.Task).toBe(COMPONENTS.Task);
});
