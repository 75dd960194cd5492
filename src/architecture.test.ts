// Who may import whom, and how long a file may be: the table of ARCHITECTURE.md, enforced.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Each room: the rooms it may import, and the packages that are its own. */
const ROOMS: Readonly<Record<string, { rooms: string; packages: string }>> = {
  contract: { rooms: '', packages: '' },
  world: { rooms: 'contract', packages: '' },
  lists: { rooms: 'contract world', packages: '' },
  handlers: { rooms: 'contract world lists', packages: '' },
  validation: { rooms: 'contract', packages: 'ajv' },
  webhooks: { rooms: 'contract world handlers http', packages: '' },
  seed: { rooms: 'contract world validation', packages: 'yaml @faker-js/faker' },
  describe: { rooms: 'contract lists world', packages: 'yaml hono' },
  http: { rooms: 'contract world lists handlers validation', packages: 'hono' },
  control: { rooms: 'contract world lists handlers http webhooks seed describe validation', packages: 'hono yaml' },
  dashboard: { rooms: 'contract world lists handlers http webhooks control', packages: 'hono' },
  root: { rooms: 'contract world lists handlers validation webhooks seed describe http control dashboard', packages: 'hono' },
  saving: { rooms: 'contract world http webhooks control', packages: '' },
  browser: { rooms: 'root contract world http webhooks control saving', packages: '' },
  testing: { rooms: 'root contract world http webhooks', packages: 'msw' },
  node: {
    rooms: 'root testing contract world seed describe control webhooks http validation',
    packages: '@hono/node-server yaml node ajv hono cross-spawn @playwright/test vitest',
  },
};

/** Tables and generated files may be long. */
const LONG = ['control/operations.ts', 'contract/operations.ts', 'contract/choices.ts', 'contract/resources.ts'];
const MOST_LINES = 250;

const files = (readdirSync('src', { recursive: true }) as string[])
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$/.test(file) && !file.startsWith(`test${sep}`))
  .map((file) => file.split(sep).join('/'));
const roomOf = (file: string): string => (file.includes('/') ? file.split('/')[0]! : 'root');
const textOf = (file: string): string => readFileSync(join('src', file), 'utf8');
const importsOf = (file: string): string[] => {
  const pattern = /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g;
  return [...textOf(file).matchAll(pattern)].map((match) => (match[1] ?? match[2] ?? match[3])!);
};
const packageOf = (name: string): string => {
  if (name.startsWith('node:')) return 'node';
  return name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : name.split('/')[0]!;
};

describe.each(files.filter((file) => !file.endsWith('.generated.ts')))('%s', (file) => {
  test('imports only what its room may', () => {
    const room = roomOf(file);
    expect(ROOMS, `the room ${room} has no row in the import table`).toHaveProperty([room]);
    const { rooms, packages } = ROOMS[room]!;
    for (const name of importsOf(file)) {
      if (!name.startsWith('.')) expect([...packages.split(' '), ''], `${file} imports ${name}`).toContain(packageOf(name));
      else {
        const target = roomOf(
          normalize(join(dirname(file), name))
            .split(sep)
            .join('/'),
        );
        expect([room, ...rooms.split(' ')], `${file} imports ${name}`).toContain(target);
      }
    }
  });

  test('says in its first line what it is for, and holds one idea', () => {
    const lines = textOf(file).split('\n');
    expect(lines[0]!.startsWith('#!') ? lines[1] : lines[0]).toMatch(/^\/\/ \S.{15,}/);
    if (!LONG.includes(file)) expect(lines.length).toBeLessThanOrEqual(MOST_LINES);
  });

  test('reads no clock, chance or network of its own', () => {
    const code = textOf(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    expect(code).not.toMatch(/Math\.random|crypto\.randomUUID|getRandomValues/);
    const ofReaders = file === 'dashboard/script.ts'; // It runs in the browser of whoever reads the page.
    if (file !== 'world/clock.ts' && roomOf(file) !== 'node' && !ofReaders)
      expect(code).not.toMatch(/Date\.now\(|new Date\(\)|performance\.now/);
  });
});
