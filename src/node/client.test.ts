// The entry point `wm-mock/client`: a function of a program, judged.
import { expect, test } from 'vitest';
import { judgeClient } from './client.ts';
import type { WorldBody } from './test-runners/test-worlds.ts';

const seed = 'fixtures/tiny.yaml';

const rename =
  (isUpdated: (status: number) => boolean): WorldBody =>
  async (mock) => {
    const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
    const [task] = mock.read.tasks();
    const response = await mock.fetch(`/tasks/${task!.id}`, { method: 'PATCH', headers, body: '{"title":"Two"}' });
    expect(isUpdated(response.status)).toBe(true);
  };

test('judgeClient names the duty that a function breaks, and none after the mend', async () => {
  const only = ['tolerance'];
  const { verdict, findings } = await judgeClient(
    { seed, only },
    rename((status) => status === 200),
  );
  expect([verdict, findings.map(({ conditions }) => conditions[0]!.name)]).toEqual(['broken', ['patch-status']]);
  expect(findings[0]!.failure).toContain('expected false to be true');
  expect(
    (
      await judgeClient(
        { seed, only },
        rename((status) => status < 300),
      )
    ).verdict,
  ).toBe('kept');
});

test('judgeClient finds a race over a socket', async () => {
  const search: WorldBody = async (mock) => {
    let shown = '';
    const typed = async (priority: string) => {
      await fetch(`${mock.baseUrl}/tasks?filter[priority]=${priority}`, { headers: mock.auth('read') });
      shown = priority;
    };
    await Promise.all(['low', 'high'].map(typed));
    expect(shown).toBe('high');
  };
  const { findings } = await judgeClient({ seed, only: ['order'] }, search);
  expect(findings.map(({ says }) => says)).toEqual([expect.stringContaining('GET /tasks?filter[priority]=low comes after')]);
});

test('judgeClient throws what the function throws on the mock as it is', async () => {
  await expect(judgeClient({ seed }, () => Promise.reject(new Error('as it is')))).rejects.toThrow('as it is');
});
