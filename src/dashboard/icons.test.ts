// The icons: one for each name, and none for another.
import { expect, test } from 'vitest';
import { Icon } from './icons.tsx';
import { PAGES } from './pages.ts';

test('each name has an icon of its own, of strokes; another name has an empty one', () => {
  const more = ['docs', 'copy', 'world', 'plus', 'run', 'freeze', 'down', 'right'];
  const names = [...new Set([...PAGES.flatMap(({ nav }) => (nav ? [nav.icon] : [])), ...more])];
  const strokes = names.map((name) => / d="([^"]+)"/.exec(String(Icon({ name })))?.[1]);
  expect(new Set(strokes).size).toBe(names.length);
  expect(strokes.every((stroke) => stroke?.startsWith('M'))).toBe(true);
  const none = / d="([^"]*)"/.exec(String(Icon({ name: 'no such icon' })))?.[1];
  expect(none === undefined || none === '' || strokes.includes(none)).toBe(true);
});
