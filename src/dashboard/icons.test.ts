// Icons: each name has one of its own.
import { expect, test } from 'vitest';
import { PAGES } from './pages.ts';
import { Icon } from './parts.tsx';

test('each name has an icon of its own, and an unknown name has one of the others', () => {
  const more = ['docs', 'copy', 'world', 'plus', 'run', 'freeze', 'down', 'right'];
  const names = [...new Set([...PAGES.flatMap(({ nav }) => (nav ? [nav.icon] : [])), ...more])];
  const strokesOf = (name: string) => / d="([^"]+)"/.exec(String(Icon({ name })))?.[1];
  const strokes = names.map(strokesOf);
  expect(new Set(strokes).size).toBe(names.length);
  expect(strokes.every((stroke) => stroke?.startsWith('M'))).toBe(true);
  expect(strokes).toContain(strokesOf('no such icon'));
});
