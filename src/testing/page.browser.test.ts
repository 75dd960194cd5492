// The page of a failed test in a real Chromium: no accessibility violation in either theme, wide or narrow, and its columns hold.
import { afterAll, expect, test } from 'vitest';
import { createMock } from '../node/index.ts';
import { axeIn, closeBrowser, freePage } from '../test/browser.ts';
import { DEMO_AT, stirred } from '../test/dashboard.ts';
import { formatWorldPage } from './page.ts';

afterAll(closeBrowser);

test.each(['light', 'dark'] as const)('breaks no rule of axe in %s, and lines wrap below their text', async (colorScheme) => {
  const mock = await createMock(DEMO_AT);
  await stirred(mock);
  const of = { title: 'it works', file: 'a.wm.json', repro: { release: '1.3' } as never, state: '{}', failed: 'got 1' };
  const page = await freePage({ colorScheme });
  await page.setContent(formatWorldPage(mock, of));
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 860 });
    expect(await axeIn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
  const line = page.locator('pre > :is(span, b)').first();
  expect(await line.evaluate((one) => getComputedStyle(one).textIndent)).toMatch(/^-/);
  await mock.close();
});
