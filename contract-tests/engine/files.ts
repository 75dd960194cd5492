// The one reader of YAML and JSON files of the suite, and its one writer: what they hold is bounded, and a file is there whole.
import { chmodSync, closeSync, fsyncSync, openSync, readSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomHex } from './random-hex.ts';
import { Lexer, Parser, parse } from './yaml.ts';

const MAX_FILE_BYTES = 64_000_000;
const MAX_LEVELS = 100;

/** The parser keeps a stack of its own, but what follows it recurses. */
const checkLevels = (text: string): void => {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // Each token is made only when it is taken.
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > MAX_LEVELS) throw new Error(`it nests more than ${MAX_LEVELS} levels deep`);
  }
};

/** A device such as /dev/zero has no end. */
const readAtMost = (path: string, max: number): Buffer => {
  const [file, chunks] = [openSync(path, 'r'), [] as Buffer[]];
  try {
    for (let size = 0, read = -1; size < max && read !== 0; size += read) {
      const chunk = Buffer.alloc(1_000_000);
      read = readSync(file, chunk);
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
  return Buffer.concat(chunks);
};

const textOf = (path: string): string => {
  const bytes = readAtMost(path, MAX_FILE_BYTES + 1);
  if (bytes.length > MAX_FILE_BYTES) throw new Error(`it has more than ${MAX_FILE_BYTES / 1_000_000} MB`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('it is not UTF-8; save it as UTF-8');
  }
};

/** @throws Error that says what is wrong with it */
export const readDocument = (path: string): unknown => {
  const text = textOf(path);
  if (path.endsWith('.json')) return JSON.parse(text) as unknown;
  checkLevels(text);
  return parse(text) as unknown;
};

const linkedTo = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

/** A reader meets the old file or the new one; a link beside it is never followed. @throws the error of the system */
export const writeWhole = (path: string, text: string, mode?: number): void => {
  const target = linkedTo(path);
  const draft = `${target}.${randomHex(6)}.tmp`;
  try {
    const file = openSync(draft, 'wx');
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (mode !== undefined) chmodSync(draft, mode);
    renameSync(draft, target);
  } finally {
    rmSync(draft, { force: true });
  }
};
