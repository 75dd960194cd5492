// Suite: two tests that search as one types, of which one has a guard against late results.
import { describe } from 'vitest';
import type { Mock } from 'wm-mock';
import { expect, extendTest } from 'wm-mock/vitest';

const test = extendTest({ seed: 'fixtures/tiny.yaml' });

/** @returns what is shown once both searches have ended */
const typed = async (mock: Mock, guarded: boolean): Promise<string> => {
  let shown = '';
  let latest = '';
  const search = async (priority: string) => {
    latest = priority;
    await mock.fetch(`/tasks?filter[priority]=${priority}`, { headers: mock.auth('read') });
    if (!guarded || latest === priority) shown = priority;
  };
  await Promise.all(['low', 'high'].map(search));
  return shown;
};

describe('search', () => {
  test('without a guard', async ({ mock }) => expect(await typed(mock, false)).toBe('high'));
  test('with a guard', async ({ mock }) => expect(await typed(mock, true)).toBe('high'));
});
