// For everybody: no rule of WCAG 2.2 AA that a machine can check is broken, at a desk in light, on a phone in dark.
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { expect, test } from './board';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const violations = async (page: Page): Promise<string[]> => {
  await page.addScriptTag({ path: AXE });
  const found = await page.evaluate(
    (options) => (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(options),
    { runOnly: TAGS } as RunOptions,
  );
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
};

for (const [colorScheme, width] of [
  ['light', 1280],
  ['dark', 390],
] as const) {
  test(`the board, its form and its messages, ${colorScheme}, ${width} px`, async ({ board, page, mock }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    await board.open();
    await expect(board.card('Redraw the logo')).toBeVisible();
    mock.faults.add({ match: { operation: 'updateTask' }, effect: { status: 500 }, times: 1 });
    mock.faults.add({ match: { operation: 'updateTask' }, effect: { status: 429 }, times: 1 });
    await board.move('Redraw the logo', 'Done');
    await expect(page.locator('.notice')).toBeVisible();
    await board.move('Redraw the logo', 'Done');
    await expect(page.getByText('Rate limit reached.')).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'New task', exact: true }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
}
