// Who may import whom, and how long a file may be: the table of ARCHITECTURE.md, enforced.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Each room: the rooms it may import, and the packages that are its own. */
const ROOMS: Readonly<Record<string, { rooms: string; packages: string }>> = {
  contract: { rooms: '', packages: '' },
  ahead: { rooms: 'contract world', packages: '' },
  world: { rooms: 'contract', packages: '' },
  lists: { rooms: 'contract world', packages: '' },
  validation: { rooms: 'contract', packages: 'ajv ipaddr.js' },
  webhooks: { rooms: 'contract ahead world http validation', packages: '' },
  seed: { rooms: 'contract world validation', packages: 'yaml @faker-js/faker' },
  describe: { rooms: 'contract lists world', packages: 'yaml hono' },
  http: { rooms: 'contract ahead world lists validation', packages: 'hono' },
  control: { rooms: 'contract ahead world lists http webhooks seed describe validation', packages: 'hono yaml' },
  dashboard: { rooms: 'contract ahead world lists http webhooks control', packages: 'hono' },
  repro: { rooms: 'contract world seed http webhooks control validation', packages: '' },
  mock: { rooms: 'contract world validation webhooks seed describe http control dashboard repro', packages: 'hono' },
  root: { rooms: 'contract world webhooks seed http control mock repro', packages: '' },
  saving: { rooms: 'contract world http webhooks control', packages: '' },
  connect: { rooms: 'contract control mock', packages: '' },
  panel: { rooms: 'connect control world', packages: '' },
  matrix: { rooms: 'contract world http webhooks mock describe', packages: '' },
  race: { rooms: 'world http mock describe', packages: '' },
  browser: { rooms: 'mock contract world http webhooks control saving', packages: '' },
  hosted: { rooms: 'contract control dashboard http mock saving seed validation webhooks world', packages: 'cloudflare:workers' },
  testing: { rooms: 'mock contract ahead control world seed http webhooks describe repro', packages: 'msw vitest' },
  node: {
    rooms:
      'root mock repro testing hosted contract world seed describe control webhooks http validation dashboard connect matrix race',
    packages:
      '@hono/node-server yaml node ajv hono cross-spawn @jest/globals @playwright/test vitest @modelcontextprotocol/server rolldown',
  },
};

/** Tables and generated files may be long. */
const LONG = [
  'control/operations.ts',
  'contract/operations.ts',
  'contract/choices.ts',
  'contract/resources.ts',
  'mock/options.ts',
];
const MOST_LINES = 250;

/** The rooms may stand on so many floors: each above all that it imports, the ground floor imports nothing. */
const MOST_FLOORS = 10;

const filesIn = (tree: string): string[] =>
  (readdirSync(tree, { recursive: true }) as string[])
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => file.split(sep).join('/'));
const files = filesIn('src').filter((file) => !/\.test\.ts$/.test(file) && !file.startsWith('test/'));
const roomOf = (file: string): string => (file.includes('/') ? file.split('/')[0]! : 'root');
const textOf = (file: string, tree = 'src'): string => readFileSync(join(tree, file), 'utf8');
const importsOf = (file: string, tree?: string): string[] => {
  const pattern = /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g;
  return [...textOf(file, tree).matchAll(pattern)].map((match) => (match[1] ?? match[2] ?? match[3])!);
};
const targetOf = (file: string, name: string): string =>
  normalize(join(dirname(file), name))
    .split(sep)
    .join('/');
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
        expect([room, ...rooms.split(' ')], `${file} imports ${name}`).toContain(roomOf(targetOf(file, name)));
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
    if (file !== 'world/time.ts' && roomOf(file) !== 'node')
      expect(code).not.toMatch(/Date\.now\(|new Date\(\)|performance\.now/);
  });
});

type Graph = ReadonlyMap<string, readonly string[]>;

/** Each file of a tree and what it imports; imports of types alone count too. */
const graphOf = (tree: string, nodes: readonly string[]): Graph =>
  new Map(
    nodes.map((file) => [
      file,
      importsOf(file, tree)
        .filter((name) => name.startsWith('.'))
        .map((name) => targetOf(file, name)),
    ]),
  );
const importGraph = graphOf('src', files);

/** The same between the folders of src; a file beside them stands for itself. */
const folderGraph = (graph: Graph): Graph => {
  const folderOf = (file: string): string => file.split('/')[0]!;
  const folders = new Map<string, string[]>();
  for (const [file, targets] of graph) {
    const folder = folderOf(file);
    const others = targets.map(folderOf).filter((target) => target !== folder);
    folders.set(folder, [...(folders.get(folder) ?? []), ...others]);
  }
  return folders;
};

/** Every node with its floor: one above the highest of those it imports. @throws Error that shows a circle */
const floorsOf = (graph: Graph): ReadonlyMap<string, number> => {
  const floors = new Map<string, number>();
  const visit = (node: string, way: readonly string[]): number => {
    if (way.includes(node)) throw new Error(`circle: ${[...way.slice(way.indexOf(node)), node].join(' -> ')}`);
    const known = floors.get(node);
    if (known !== undefined) return known;
    const below = (graph.get(node) ?? []).map((target) => visit(target, [...way, node]));
    floors.set(node, 1 + Math.max(0, ...below));
    return floors.get(node)!;
  };
  for (const node of graph.keys()) visit(node, []);
  return floors;
};

describe('the import graph', () => {
  test('is measured: a circle is shown, and a chain has as many floors as links', () => {
    const circle = { 'a/1.ts': ['b/1.ts'], 'b/1.ts': ['c/1.ts'], 'c/1.ts': ['b/1.ts'] };
    expect(() => floorsOf(new Map(Object.entries(circle)))).toThrow('circle: b/1.ts -> c/1.ts -> b/1.ts');
    const back = { 'a/1.ts': ['b/1.ts'], 'b/1.ts': [], 'b/2.ts': ['a/2.ts'], 'a/2.ts': [] };
    expect([...floorsOf(new Map(Object.entries(back))).values()]).toEqual([1, 2, 1, 2]);
    expect(() => floorsOf(folderGraph(new Map(Object.entries(back))))).toThrow('circle: a -> b -> a');
  });

  test('has no circle of files', () => {
    expect(importGraph.get('world/view.ts')).toContain('world/world.ts'); // Imported for its types alone.
    expect(() => floorsOf(importGraph)).not.toThrow();
  });

  test('has no circle of files in contract-tests either', () => {
    const graph = graphOf('contract-tests', filesIn('contract-tests'));
    expect(graph.get('engine/check.ts')).toContain('engine/tools.ts'); // Imported for its types alone.
    expect(() => floorsOf(graph)).not.toThrow();
  });

  test(`has no circle of folders, and at most ${MOST_FLOORS} floors`, () => {
    const floors = floorsOf(folderGraph(importGraph));
    const plan = [...floors].sort(([, a], [, b]) => b - a).map(([folder, floor]) => `${floor} ${folder}`);
    expect(Math.max(...floors.values()), plan.join('\n')).toBeLessThanOrEqual(MOST_FLOORS);
  });

  test('leads to files that are there', () => {
    const missing = [...importGraph.values()].flat().filter((target) => !files.includes(target) && !target.endsWith('.js'));
    expect(missing).toEqual([]);
  });
});
