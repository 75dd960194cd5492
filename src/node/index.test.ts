// The library door in Node (INTERFACES: In a program).
import { describe, expect, test } from 'vitest';
import { createMock, SeedError } from './index.ts';

describe('createMock', () => {
  test('throws with every problem of a broken seed, and with the name of a missing file', async () => {
    await expect(createMock({ seed: { workspaces: [] } })).rejects.toThrow(SeedError);
    await expect(createMock({ seed: 'fixtures/none.yaml' })).rejects.toThrow('none.yaml');
    await expect(createMock({ seed: 'fixtures/none.yaml' })).rejects.toMatchObject({
      message: expect.stringMatching(
        /^createMock: cannot read the seed file .*none\.yaml: there is no such file\. Give the path of a YAML or JSON file, its text, a parsed seed, or demo\.$/,
      ),
      code: 'ENOENT',
    });
    await expect(createMock({ seed: 'fixtures' })).rejects.toMatchObject({
      message: expect.stringContaining(': it is a folder. Give '),
      code: 'EISDIR',
    });
    await expect(createMock({ choices: { 'patch-status': 204 } })).rejects.toThrow('patch-status');
    await expect(createMock({ now: 'soon' })).rejects.toThrow('now: expected an ISO 8601 time');
  });

  test('two mocks share nothing', async () => {
    const [a, b] = await Promise.all([createMock({ seed: 'fixtures/tiny.yaml' }), createMock({ seed: 'fixtures/tiny.yaml' })]);
    await a.fetch('/tasks/task_talked', { method: 'DELETE', headers: a.auth('admin') });
    expect((await a.fetch('/tasks/task_talked', { headers: a.auth('read') })).status).toBe(404);
    expect((await b.fetch('/tasks/task_talked', { headers: b.auth('read') })).status).toBe(200);
  });

  test('a place where nothing can listen is refused before anything is opened', async () => {
    const mock = await createMock();
    for (const where of [{ host: '0.0.0.0', port: 'abc' }, { host: 5 }])
      await expect(mock.listen(where as never)).rejects.toThrow(RangeError);
    expect(mock.guard.token).toBeUndefined();
    await mock.close();
  });
});
