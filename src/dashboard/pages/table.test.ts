// The table of pages: where each stands, what it is live for, at which addresses it is looked at, what can be done there.
import { test } from 'vitest';
import { golden } from '../../test/golden.ts';
import { PAGES } from '../pages.ts';

test('Every page has its row', () => {
  const rows = PAGES.map(({ render: _, actions, ...row }) => ({ ...row, actions: Object.keys(actions ?? {}) }));
  golden('dashboard/pages', JSON.stringify(rows, null, 1));
});
