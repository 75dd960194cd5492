// Words that the glossary of CONTRIBUTING.md rules out, and names declared twice: counts that may only fall.
import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { expect, test } from 'vitest';

/** Each word that is out, with the one to use. Code, comments, strings, test titles and pages are all searched. */
const WORDS: readonly (readonly [pattern: RegExp, use: string])[] = [
  [/answer|\brepl(?:y|ies)\b/gi, 'response; of an open point: choice'],
  [/\bnobody\b|\bsomebody\b|\bwhoever\b/gi, 'name the actor: the caller, the host, the reader'],
  [/\bso (?:many|much)\b/gi, 'a number, a limit, or "this many" with a unit'],
  [/\blets? go\b|\bletGo\b/g, 'release, evict'],
  [/\bgo(?:es)? on\b|\bgoOn\b|\bmoves? on\b/gi, 'continue, advance'],
  [/\bstands? (?:in|for|at|beside|there|before|behind)\b/gi, 'is in, means, precedes'],
  [/\b(?:MOST|LEAST|LONGEST|SHORTEST|FEWEST)(?:_|\b)/g, 'MAX_, MIN_, LIMIT with its unit'],
  [/^\s*(?:\/\/|\/?\*\*?) (?:What|Of|The same)\b/gm, 'a noun or an imperative'],
  [/^\s*(?:test|it|describe)\('(?:what|of|to|the same|that|whoever)\b/gm, 'a title of subject, verb and condition'],
  [/\b(?:const|let|function) (?:asked|came|told|heard|struck|dressed|went|said|meant|gone|held|opened)\b/g, 'a noun'],
  [/\b(?:dress(?:ed|es|ing)?|struck|strikes?|striking)\b/gi, 'format, apply; of a tenant: delete'],
  [/\bbr(?:ings?|ought) (?:\w+ ){1,3}back\b|\banew\b|\bkeeps? back\b/gi, 'restore, again, hold'],
];

/** Occurrences left in each folder: lower a number when you clean a folder, never raise one. A folder without a row has none. */
const ALLOWED: Readonly<Record<string, number>> = {
  'contract-tests/engine': 4,
  'contract-tests/judge': 2,
  'contract-tests/report': 2,
  'contract-tests/situations': 3,
  'contract-tests/tests': 3,
  dashboard: 8,
  'mock/api': 3,
  'mock/control': 12,
  'mock/recording': 62,
  'mock/saving': 21,
  node: 6,
  pages: 2,
  'service/contract': 1,
  'service/http': 4,
  'service/openapi': 5,
  'service/webhooks': 3,
  testing: 6,
};
const MAX_REPEATED_NAMES = 27;

const filesBelow = (folder: string): readonly string[] =>
  (readdirSync(folder, { recursive: true }) as string[]).map((name) => `${folder}/${name.split(sep).join('/')}`);
const SOURCES = ['src', 'contract-tests'].flatMap(filesBelow).filter((file) => /(?<!generated|language\.test)\.tsx?$/.test(file));
const PAGES = ['README.md', 'AGENTS.md', 'SECURITY.md', 'ARCHITECTURE.md', ...filesBelow('docs')];
const textOf = new Map(
  [...SOURCES, ...PAGES.filter((file) => file.endsWith('.md'))].map((file) => [file, readFileSync(file, 'utf8')]),
);

/** A file's row: its first two folders, `src` itself, `contract-tests`, or `pages`. */
const rowOf = (file: string): string => {
  if (file.endsWith('.md')) return 'pages';
  const folders = file.split('/').slice(file.startsWith('src/') ? 1 : 0, -1);
  return /^(service|mock|client|contract-tests)$/.test(folders[0] ?? '') ? folders.slice(0, 2).join('/') : (folders[0] ?? 'src');
};
const ROWS = [...new Set([...textOf.keys()].map(rowOf))].sort();

const findIn = (file: string): readonly string[] =>
  WORDS.flatMap(([pattern, use]) =>
    [...textOf.get(file)!.matchAll(pattern)].map(({ 0: word, index }) => {
      const line = textOf.get(file)!.slice(0, index).split('\n').length;
      return `${file}:${line} says "${word.trim()}": use ${use}`;
    }),
  );

test.each(ROWS)('%s uses the words of the glossary', (row) => {
  const found = [...textOf.keys()].filter((file) => rowOf(file) === row).flatMap(findIn);
  const { [row]: limit = 0 } = ALLOWED;
  expect(found.length <= limit, `${found.length} words are out, ${limit} are allowed:\n${found.join('\n')}`).toBe(true);
});

test('every top-level name is declared in one file', () => {
  const filesOf = new Map<string, string[]>();
  const hand = SOURCES.filter((file) => /^src\/(?!test\/)/.test(file) && !file.includes('.test.'));
  const declaration =
    /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
  for (const file of hand)
    for (const name of new Set([...textOf.get(file)!.matchAll(declaration)].map((match) => match[1]!)))
      filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
  const repeated = [...filesOf].filter(([, files]) => files.length > 1).map(([name, files]) => `${name}: ${files.join(' ')}`);
  expect(repeated.length <= MAX_REPEATED_NAMES, `${repeated.length} names:\n${repeated.join('\n')}`).toBe(true);
});
