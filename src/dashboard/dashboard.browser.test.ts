// Every page of the dashboard in a real Chromium: no accessibility violation in either theme, no text that becomes HTML, nothing from elsewhere.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock } from '../node/index.ts';
import { axeIn, type Browsing, browse, closeBrowser } from '../test/browser.ts';
import { ADDRESSES, DEMO_AT, stirred } from '../test/dashboard.ts';
import { hostileMock } from '../test/hostile.ts';

afterAll(closeBrowser);

/** Colours do not depend on the width, and nothing else does on the theme. */
const LOOKS = [
  { theme: 'light', width: 1280, rules: {} },
  { theme: 'light', width: 390, rules: { rules: { 'color-contrast': { enabled: false } } } },
  { theme: 'dark', width: 1280, rules: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } } },
] as const;

describe('in either theme', () => {
  let browsing: Browsing;
  beforeAll(async () => {
    const mock = await createMock(DEMO_AT);
    await stirred(mock);
    browsing = await browse(mock);
  });
  afterAll(() => browsing?.close());

  test.each(ADDRESSES)('$name breaks no rule of axe, wide or narrow', async ({ path }) => {
    await browsing.visit(path, async (page) => {
      for (const { theme, width, rules } of LOOKS) {
        await page.emulateMedia({ colorScheme: theme });
        await page.setViewportSize({ width, height: 860 });
        const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
        expect(await axeIn(page, rules), `${path} at ${width}, ${theme}`).toEqual([]);
        expect(over, `${path} scrolls sideways at ${width}`).toBe(0);
      }
    });
    expect(browsing.complaints).toEqual([]);
  });
});

describe('with an attack in every text', () => {
  let browsing: Browsing;
  beforeAll(async () => {
    browsing = await browse(await hostileMock());
  });
  afterAll(() => browsing?.close());

  test.each(ADDRESSES)('$name shows it as text', async ({ path }) => {
    const hit = await browsing.visit(path, (page) => page.evaluate('[window.hit === true, document.images.length]'));
    expect(hit).toEqual([false, 0]);
  });
});
