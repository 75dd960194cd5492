// The guard against breaking changes: the document as generated, against the one that was released last.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { openApi } from '../src/service/openapi/openapi.ts';
import type { Json } from '../src/service/openapi/schemas.ts';
import { BREAKING, breaking, majorOf } from './differences.ts';

const FOLDER = 'openapi/released';

/** `1.10.0.json` as three numbers. */
const versionOf = (file: string): readonly number[] => file.split('.', 3).map(Number);
const byVersion = (a: string, b: string): number => {
  const [left, right] = [versionOf(a), versionOf(b)];
  return left.map((part, i) => part - (right[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
};

/** What breaks clients of a released document, a line each; empty when nothing does, or the major version moved. */
export const broken = (released: Json, now: Json): readonly string[] =>
  majorOf(now) > majorOf(released)
    ? []
    : breaking(released, now).map(({ breaks, fact, says }) => `${fact.of} ${fact.at}: ${says} (${BREAKING[breaks!]})`);

export const checkReleased = async (root: string, say: (line: string) => void, now: Json = openApi()): Promise<number> => {
  const names = await readdir(resolve(root, FOLDER)).catch(() => []);
  const last = names
    .filter((name) => /^\d+\.\d+\.\d+\.json$/.test(name))
    .sort(byVersion)
    .at(-1);
  if (!last) {
    say(`${FOLDER} holds no released document: keep one with \`node scripts/generate.mjs --keep-release\``);
    return 1;
  }
  const lines = broken(JSON.parse(await readFile(resolve(root, FOLDER, last), 'utf8')), now);
  for (const line of lines) say(`breaking: ${line}`);
  say(
    lines.length > 0
      ? `${lines.length} breaking changes since ${last}: they need a new major version (spec: Versioning 3)`
      : `no breaking change since ${last}`,
  );
  return lines.length > 0 ? 1 : 0;
};

export const keepReleased = async (root: string, say: (line: string) => void, now: Json = openApi()): Promise<number> => {
  const path = `${FOLDER}/${(now.info as { version: string }).version}.json`;
  await mkdir(resolve(root, FOLDER), { recursive: true });
  await writeFile(resolve(root, path), `${JSON.stringify(now, null, 2)}\n`);
  say(`wrote ${path}`);
  return 0;
};
