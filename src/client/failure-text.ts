// Reads the output of a failed command: the first lines of the failure, and the line of the app that its stack names.

import { lastOf } from './notes.ts';

const MAX_LINES = 40;

/** Where the output of a test runner or of a language begins to tell of a failure. */
const STARTS = [
  /^.*(?:⎯ Failed Tests|FAILURES? ?=|={5,} FAILURES).*$/gm,
  /^\s*\d+\) .+:\d+:\d+ › .*$/gm,
  /^\s*(?:FAIL|● |✖ (?!failing)|not ok |--- FAIL|FAILED |ERROR: |FAIL: ).*$/gm,
  /^.*(?:Traceback \(most recent|panic: |Uncaught|AssertionError|Error: ).*$/gm,
];

/** Where TAP turns to the next test, or Playwright to its files. */
const END = /^\s*(?:(?:not ok|ok|# Subtest:|# tests|1\.\.)\b|Error Context: |attachment #)/;

export const excerptFailure = (output: string, test?: string): string => {
  const name = test === undefined ? undefined : lastOf(test);
  const starts = STARTS.flatMap((pattern) => [...output.matchAll(pattern)]);
  // pytest names a test again in its summary.
  const ofTest = starts.find(([line]) => name && line.includes(name) && !line.startsWith('FAILED '));
  const from = (ofTest ?? starts[0])?.index ?? Math.max(0, output.lastIndexOf(name ?? '\0'));
  const at = output.lastIndexOf('\n', from) + 1;
  const lines = output.slice(at).trimEnd().split('\n');
  const next = lines.findIndex((line, i) => i > 0 && END.test(line));
  return lines.slice(0, Math.min(MAX_LINES, next < 0 ? MAX_LINES : next)).join('\n');
};

/** A position as stacks of Node, Python, Go and browsers write it. */
const POSITION =
  /File "([^"]+)", line (\d+)|((?:file:\/\/)?[^\s()"'`:]*[/\\.][^\s()"'`:]+\.(?:[cm]?[jt]sx?|py|go|vue|svelte)):(\d+)/g;

const isOwnCode = (file: string): boolean => !/node_modules|^node:|\/(?:lib|usr)\/|site-packages/.test(file);
const isTestCode = (file: string): boolean => /\.(?:test|spec)\.|_test\.|(?:^|\/)tests?(?:[/_]|\.\w+$)/.test(file);

/** @param folder of the command: paths are shown from it @returns `src/client.ts:12`; the app's own before that of a test */
export const findCodeLine = (text: string, folder: string): string | undefined => {
  const lines = [...text.matchAll(POSITION)].map(([, python, at, file, line]) => {
    const path = (python ?? file!).replace('file://', '');
    return { path: path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path, line: at ?? line };
  });
  const own = lines.filter(({ path }) => isOwnCode(path));
  // Python tells the most recent call last.
  if (text.includes('most recent call last')) own.reverse();
  const found = own.find(({ path }) => !isTestCode(path)) ?? own[0];
  return found && `${found.path}:${found.line}`;
};
