// Everything that a page tells a reader to type exists: commands, flags, calls of the control API, variables.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createMock } from './create-mock.ts';
import { CONTROL } from './mock/control/operations.ts';
import { formatHelp, readArgs, toServeOptions } from './node/command-line/args.ts';
import { COMMANDS, COMMON_FLAGS, type Flag } from './node/command-line/flags.ts';

const PAGES = [
  ...['README.md', 'AGENTS.md', 'CONTRIBUTING.md', 'SECURITY.md', 'contract-tests/README.md'],
  ...(readdirSync('docs', { recursive: true }) as string[]).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
].map((page) => [page, readFileSync(page, 'utf8')] as const);

/** All code of a page: blocks line by line, and what stands within a text. */
const codeOf = (text: string): readonly string[] => {
  const blocks = [...text.matchAll(/^```.*\n([\s\S]*?)^```$/gm)].flatMap(([, code]) =>
    code!.replaceAll('\\\n', ' ').replaceAll(/ # .*/g, '').split('\n'),
  );
  const inline = [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
  return [...blocks, ...inline];
};

const wordsOf = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** Calls of the program, up to what belongs to the shell or to the command that is run. */
const callsIn = (code: string): readonly (readonly string[])[] =>
  [...code.matchAll(/(?:^|(?<!-t)[\s"'(])(?:npx |\.\/)?wm-mock(?:-linux-x64)?(?= |$)((?: +(?:'[^']*'|[^\s|&;#>"`()',]+))*)/g)]
    .map(([, words]) => words!.match(/'[^']*'|[^\s']+/g)?.map((word) => word.replaceAll("'", '')) ?? [])
    .map((words) => words.slice(0, words.includes('--') ? words.indexOf('--') : undefined))
    .filter(([first = '-']) => first.startsWith('-') || Object.hasOwn(COMMANDS, first));

/** Flags of npm, Node, generators, and of the scripts of this repository. */
const OTHERS = ['save-dev', 'experimental-vm-modules', 'optimize-for-size', 'additional-properties', 'draw', 'kinds'];
const FLAGS = new Set(
  Object.values(COMMANDS).flatMap(({ flags }) => Object.keys({ ...flags, ...COMMON_FLAGS } as Record<string, Flag>)),
);

const CALLS = Object.values(CONTROL).map(({ call }) => call.replaceAll(/\{\w+\}/g, '{}'));

describe.each(PAGES)('%s', (_, text) => {
  const code = codeOf(text.replace(formatHelp().trim(), ''));
  const there = (found: readonly string[]) => expect(found).toEqual([]);

  test('calls the program as it is called', () => {
    for (const words of code.flatMap(callsIn)) {
      const { command, flags } = readArgs(words, {});
      if (command === 'serve' || command === 'exec') toServeOptions(flags);
    }
  });

  test('installs the tarball: the name is free in the registry', () => {
    there(code.filter((line) => /\bnpm (i|install|add)\b[^&|;]* wm-mock(?= |$|@)/.test(line)));
  });

  test('names flags that there are', () => {
    const named = code.flatMap((line) => [...(/^--([a-z][\w-]*)/.exec(line)?.slice(1) ?? [])]);
    there(named.filter((name) => !FLAGS.has(name) && !OTHERS.includes(name)));
  });

  test('shows seeds that the mock takes', async () => {
    const blocks = [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, yaml]) => yaml!);
    for (const seed of blocks.filter((yaml) => /^workspaces:/m.test(yaml))) await (await createMock({ seed })).close();
  });

  test('names calls of the control API that there are', () => {
    const named = code.flatMap((line) => [
      ...line.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (?:\/worlds\/\{id\})?\/_mock(\/[\w/{}.-]*)/g),
    ]);
    const calls = named.map(([, method, path]) => `${method} ${path!.replaceAll(/\{\w+\}/g, '{}')}`);
    there(calls.filter((call) => !CALLS.includes(call)));
  });
});

test('README.md has at most 900 words, and docs/README.md leads to every page', () => {
  const textOf = Object.fromEntries(PAGES);
  const links = [...textOf['docs/README.md']!.matchAll(/\]\(([\w/-]+\.md)\)/g)].map(([, page]) => `docs/${page}`);
  const named = [...textOf['docs/README.md']!.matchAll(/`(docs\/[\w/-]+(?:\.md)?)`/g)].map(([, path]) => path!);
  const pages = Object.keys(textOf).filter((page) => page.startsWith('docs/') && page !== 'docs/README.md');
  expect(wordsOf(textOf['README.md']!)).toBeLessThanOrEqual(900);
  expect(pages.filter((page) => !links.includes(page) && !named.some((path) => page.startsWith(path)))).toEqual([]);
});

test('docs has at most 28 pages, and each that is not generated has at most 1,500 words', () => {
  const pages = PAGES.filter(([page]) => /^docs\/(?!README|decisions)/.test(page));
  const long = pages.filter(([page, text]) => !/choices|control-api|releases/.test(page) && wordsOf(text) > 1500);
  expect(pages.length).toBeLessThanOrEqual(28);
  expect(long.map(([page, text]) => `${page}: ${wordsOf(text)}`)).toEqual([]);
});

test('docs/cli.md shows what --help prints', () => {
  expect(readFileSync('docs/cli.md', 'utf8')).toContain(`\n\`\`\`\n${formatHelp().trim()}\n\`\`\`\n`);
});

test('docs/languages.md says of each generator what is tried, and of no other', async () => {
  const table: string = '../lab/generators-table.mjs';
  const { GENERATORS, TOOLS } = (await import(/* @vite-ignore */ table)) as {
    GENERATORS: Record<string, { words?: string[]; compile?: string; session?: string; control?: true }>;
    TOOLS: Record<string, readonly [string, string]>;
  };
  const tried = Object.entries(GENERATORS).filter(([, { control }]) => !control);
  const page = readFileSync('docs/languages.md', 'utf8');
  const rows = page.matchAll(/^\| ([\w-]+(?: `[^|]+)?) \| ([\d.]+) \| (both|3\.0) \| ([^|]*)\| ([^|]*)\|$/gm);
  const listed = [...rows].flatMap(([, name, version, document, compiled, duties]) => {
    expect(Object.values(TOOLS).join()).toContain(version);
    const [tool, ...languages] = name!.replaceAll(/[`,]/g, '').split(' ');
    const words = document === 'both' ? ['3.1', '3.0'] : ['3.0'];
    const what = { words, compiled: /\d/.test(compiled!), session: /WM-CLI-\d/.test(duties!) };
    return (languages.length > 0 ? languages : ['']).map((language) => [`${tool} ${language}`.trim(), what] as const);
  });
  expect(Object.fromEntries(listed)).toEqual(
    Object.fromEntries(
      tried.map(([name, { words = ['3.1', '3.0'], compile, session }]) => [
        name,
        { words, compiled: compile !== undefined, session: session !== undefined },
      ]),
    ),
  );
});
