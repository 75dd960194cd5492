// The documents of the releases, frozen: the first whole, each later one as what it changed in the one before it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LATEST, RELEASE_NAMES, type Release, releaseRow } from '../src/service/contract/releases.ts';
import { openApi } from '../src/service/openapi/openapi.ts';
import { printJson } from './print-json.ts';

const FOLDER = 'openapi/released';
const TABLES = ['choices', 'operations', 'releases', 'resources'].map((name) => `src/service/contract/${name}.ts`);
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** @param patch a unified diff without context. @throws Error when it does not fit. */
export const applyPatch = (text: string, patch: string): string => {
  const lines = text.split('\n');
  const made: string[] = [];
  let at = 0;
  for (const line of patch.split('\n').slice(2, -1)) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      const start = Number(hunk[1]) - (hunk[2] === '0' ? 0 : 1);
      made.push(...lines.slice(at, start));
      at = start;
    } else if (line.startsWith('+')) made.push(line.slice(1));
    else if (line.slice(1) === lines[at]) at += 1;
    else throw new Error(`line ${at + 1} is not ${line.slice(1)}`);
  }
  return [...made, ...lines.slice(at)].join('\n');
};

/** The unified diff of two texts, without context. */
export const makePatch = (names: readonly [string, string], texts: readonly [string, string]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'wm-mock-patch-'));
  try {
    for (const [i, text] of texts.entries()) writeFileSync(join(folder, `${i}`), text);
    const diff = ['diff', '--no-index', '--no-color', '--no-ext-diff', '--minimal', '-U0', '0', '1'];
    execFileSync('git', diff, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    return '';
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    if (!stdout) throw error;
    const hunks = stdout.slice(stdout.indexOf('\n@@') + 1).replace(/^(@@ .*? @@).*$/gm, '$1');
    return `--- ${names[0]}\n+++ ${names[1]}\n${hunks}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

const pathOf = (release: Release): string => `${FOLDER}/${release}.${release === RELEASE_NAMES[0] ? 'json' : 'patch'}`;

/** The document that a release was published with; undefined when it is not frozen. */
export const readReleased = (release: Release): string | undefined => {
  const names = RELEASE_NAMES.slice(1, RELEASE_NAMES.indexOf(release as never) + 1);
  return names.reduce<string | undefined>(
    (text, name) => {
      const patch = textOf(pathOf(name));
      return text === undefined || patch === undefined ? undefined : applyPatch(text, patch);
    },
    textOf(pathOf(RELEASE_NAMES[0]!)),
  );
};

/** The document of a release as the tables say. */
export const printRelease = (release: Release): string => printJson(openApi({ release }));

/** Gives what is not released the version of a new release. */
export const nameNext = (): void => {
  if (textOf(pathOf(LATEST)) !== undefined) return;
  for (const path of TABLES) {
    const text = readFileSync(path, 'utf8');
    const named = text.replace(/(since: |\b\w+\()'next'/g, `$1'${releaseRow(LATEST).version}'`);
    if (named !== text) writeFileSync(path, named);
  }
};

/** Freezes the document of each release that is not frozen as the tables say. */
export const freeze = (say: (line: string) => void): void => {
  let before: string | undefined;
  for (const release of RELEASE_NAMES) {
    const text = printRelease(release);
    const name = RELEASE_NAMES[RELEASE_NAMES.indexOf(release) - 1];
    const isFrozen = textOf(pathOf(release)) !== undefined && readReleased(release) === text;
    if (!isFrozen) {
      writeFileSync(pathOf(release), before === undefined ? text : makePatch([`v${name}`, `v${release}`], [before, text]));
      say(`wrote ${pathOf(release)}`);
    }
    before = text;
  }
};
