// Who may import whom, and how long a file may be.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Each room: the rooms it may import, and the packages that are its own. */
const ROOMS: Readonly<Record<string, { rooms: string; packages: string }>> = {
  'service/contract': { rooms: '', packages: '' },
  'service/forward-compat': { rooms: 'contract world', packages: '' },
  'service/world': { rooms: 'contract', packages: '' },
  'service/lists': { rooms: 'contract world', packages: '' },
  'service/validation': { rooms: 'contract', packages: 'ipaddr.js' },
  'service/webhooks': { rooms: 'contract forward-compat world http validation', packages: '' },
  'service/http': { rooms: 'contract forward-compat world lists validation', packages: 'hono' },
  'service/openapi': { rooms: 'contract lists world', packages: 'yaml hono' },
  'mock/seed': { rooms: 'service', packages: 'yaml @faker-js/faker' },
  'mock/control': { rooms: 'service seed', packages: 'hono yaml' },
  'mock/recording': { rooms: 'service seed control', packages: '' },
  'mock/saving': { rooms: 'service control', packages: '' },
  'mock/api': { rooms: 'service seed control recording', packages: 'hono' },
  dashboard: { rooms: 'service mock', packages: 'hono' },
  'dashboard/panel': { rooms: '', packages: '' },
  root: { rooms: 'service mock dashboard', packages: '' },
  connect: { rooms: 'service mock', packages: '' },
  client: { rooms: 'service mock root', packages: '' },
  browser: { rooms: 'service mock', packages: '' },
  hosted: { rooms: 'service mock dashboard', packages: 'cloudflare:workers' },
  testing: { rooms: 'service mock root', packages: 'msw vitest' },
  node: {
    rooms: 'root service mock dashboard client connect hosted testing',
    packages: '@hono/node-server yaml node hono cross-spawn @jest/globals @playwright/test vitest @modelcontextprotocol/server',
  },
};

/** The room of a file: the longest row that it stands below; a file directly in src is of the root. */
const roomOf = (file: string): string => {
  if (!file.includes('/')) return 'root';
  const rows = Object.keys(ROOMS).filter((room) => file.startsWith(`${room}/`));
  return rows.sort((a, b) => b.length - a.length)[0] ?? file;
};

/** Whether a row names a room: by its name, by the folder that it is in, or by its name beside the importing one. */
const mayImport = (room: string, target: string): boolean => {
  if (room === target) return true;
  const [folder, inner] = target.split('/') as [string, string?];
  return ROOMS[room]!.rooms.split(' ').some((name) => name === folder || (name === inner && room.startsWith(`${folder}/`)));
};

/** Tables and generated files may be long. */
const LONG = [
  'mock/control/operations.ts',
  'service/contract/operations.ts',
  'service/contract/choices.ts',
  'service/contract/resources.ts',
  'mock/api/options.ts',
];
const MAX_FILE_LINES = 250;

/** The folders of src form this many layers at most: each above all that it imports, the lowest imports nothing. */
const MAX_FLOORS = 8;
/** The rooms inside them, all counted. */
const MAX_ROOM_FLOORS = 11;

const filesIn = (tree: string): string[] =>
  (readdirSync(tree, { recursive: true }) as string[])
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => file.split(sep).join('/'));
const files = filesIn('src').filter((file) => !/\.test\.ts$/.test(file) && !file.startsWith('test/'));
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
    const { packages } = ROOMS[room]!;
    for (const name of importsOf(file)) {
      if (!name.startsWith('.')) expect([...packages.split(' '), ''], `${file} imports ${name}`).toContain(packageOf(name));
      else expect(mayImport(room, roomOf(targetOf(file, name))), `${file} imports ${name}`).toBe(true);
    }
  });

  test('says in its first line what it is for, and holds one idea', () => {
    const lines = textOf(file).split('\n');
    expect(lines[0]!.startsWith('#!') ? lines[1] : lines[0]).toMatch(/^\/\/ \S.{15,}/);
    if (!LONG.includes(file)) expect(lines.length).toBeLessThanOrEqual(MAX_FILE_LINES);
  });

  test('reads no clock, chance or network of its own', () => {
    const code = textOf(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    expect(code).not.toMatch(/Math\.random|crypto\.randomUUID|getRandomValues/);
    if (file !== 'service/world/time.ts' && roomOf(file) !== 'node')
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

/** Imports between the folders of src; a file beside them is a folder of its own. */
const folderGraph = (graph: Graph, folderOf = (file: string): string => file.split('/')[0]!): Graph => {
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
    expect(importGraph.get('service/world/view.ts')).toContain('service/world/world.ts'); // Imported for its types alone.
    expect(() => floorsOf(importGraph)).not.toThrow();
  });

  test('has no circle of files in contract-tests either', () => {
    const graph = graphOf('contract-tests', filesIn('contract-tests'));
    expect(graph.get('engine/check.ts')).toContain('engine/tools.ts'); // Imported for its types alone.
    expect(() => floorsOf(graph)).not.toThrow();
  });

  test(`has no circle of folders, and at most ${MAX_FLOORS} floors`, () => {
    const floors = floorsOf(folderGraph(importGraph));
    const plan = [...floors].sort(([, a], [, b]) => b - a).map(([folder, floor]) => `${floor} ${folder}`);
    expect(Math.max(...floors.values()), plan.join('\n')).toBeLessThanOrEqual(MAX_FLOORS);
  });

  test('has no circle of rooms', () => {
    const floors = floorsOf(folderGraph(importGraph, roomOf));
    expect(Math.max(...floors.values())).toBeLessThanOrEqual(MAX_ROOM_FLOORS);
  });

  test('leads to files that are there', () => {
    const missing = [...importGraph.values()].flat().filter((target) => !files.includes(target) && !target.endsWith('.js'));
    expect(missing).toEqual([]);
  });
});
