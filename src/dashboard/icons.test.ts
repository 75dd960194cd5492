// The icons, stroke by stroke.
import { test } from 'vitest';
import { golden } from '../test/golden.ts';
import { outline } from '../test/outline.ts';
import { ASSETS } from './assets.ts';
import { Icon } from './icons.tsx';

test('the icon of the site, and those of the pages', () => {
  const names = ['overview', 'data', 'requests', 'webhooks', 'clock', 'faults', 'choices', 'settings', 'docs', 'copy', 'world'];
  const more = ['theme', 'search', 'plus', 'run', 'freeze', 'down', 'right', 'no such icon'];
  const icons = [...names, ...more].map((name) => `${name}\n${outline(String(Icon({ name })))}`);
  golden('dashboard/icons', [outline(ASSETS['/dashboard/assets/icon.svg']![0]), ...icons].join('\n'));
});
