// Every page of the dashboard in a real Chromium: no accessibility violation in either theme, no text that becomes HTML, nothing from elsewhere.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock } from '../node/index.ts';
import { axeIn, type Browsing, browse, closeBrowser } from '../test/browser.ts';
import { ADDRESSES, DEMO_AT, send, stirred } from '../test/dashboard.ts';
import { ATTACK, hostileMock } from '../test/hostile.ts';

afterAll(closeBrowser);

/** Colours do not depend on the width, and nothing else does on the theme. */
const LOOKS = [
  { theme: 'light', width: 1280, rules: {} },
  { theme: 'light', width: 390, rules: { rules: { 'color-contrast': { enabled: false }, 'target-size': { enabled: true } } } },
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
        const boxes = width > 480 ? 'html' : 'html, .table';
        const over = await page.evaluate(
          `Math.max(...[...document.querySelectorAll('${boxes}')].map((one) => one.scrollWidth - one.clientWidth))`,
        );
        expect(await axeIn(page, rules), `${path} at ${width}, ${theme}`).toEqual([]);
        expect(over, `${path} scrolls sideways at ${width}`).toBe(0);
      }
    });
    expect(browsing.complaints).toEqual([]);
  });
});

/** Rules for what a click, a refusal, a script or a world elsewhere brings. */
const STATES =
  /data-theme|\.alone|beside|preview|dialog|#palette|#ways|#note|\.fresh|\.more|live-state|\.notice|once|\.issue|invalid|"(password|number)"|\.done|\.gauge\.|\.preset\[|:disabled|on-hover|\.wrong|:empty|\[open\]/;

test('each rule of the style is for something on some page, or for a state that pages come into', async () => {
  const browsing = await browse(await createMock(DEMO_AT));
  await stirred(browsing.mock);
  await send(browsing.mock, '/_mock/snapshots', 'POST', {});
  const paths = [
    ...ADDRESSES.map(({ path }) => path),
    '/dashboard/data/teams?open=team_launch',
    '/dashboard/data/comments?open=cmt_date_1',
  ];
  const unused = await browsing.visit('/', (page) =>
    page.evaluate(async (paths) => {
      const read = async (path: string) =>
        new DOMParser().parseFromString(await (await fetch(path, { headers: { accept: 'text/html' } })).text(), 'text/html');
      const pages = await Promise.all(paths.map(read));
      const selectors = (rules: CSSRuleList): string[] =>
        [...rules].flatMap((rule) =>
          rule instanceof CSSStyleRule
            ? rule.selectorText.split(/,\s*(?![^(]*\))/)
            : rule instanceof CSSMediaRule
              ? selectors(rule.cssRules)
              : [],
        );
      const bare = (selector: string) =>
        selector.replace(/^\.js |::[\w-]+|:(hover|active|focus(-visible|-within)?)(?![\w-])/g, '') || '*';
      return selectors(document.styleSheets[0]!.cssRules).filter((one) => !pages.some((page) => page.querySelector(bare(one))));
    }, paths),
  );
  expect(unused.filter((selector) => !STATES.test(selector))).toEqual([]);
  await browsing.close();
});

describe('with an attack in every text', () => {
  let browsing: Browsing;
  beforeAll(async () => {
    const mock = await hostileMock();
    expect([mock.world.store.tasks.all()[0]!.value.title, mock.requests.length > 3]).toEqual([ATTACK, true]);
    browsing = await browse(mock);
  });
  afterAll(() => browsing?.close());

  test.each(ADDRESSES)('$name shows it as text', async ({ path }) => {
    const hit = await browsing.visit(path, (page) => page.evaluate('[window.hit === true, document.images.length]'));
    expect(hit).toEqual([false, 0]);
  });
});
