// The text of a seed file as YAML, which JSON is a part of: its value, its mistakes, and the place of each value.
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLError,
} from 'yaml';
import { type Path, show, showPath } from '../validation/show.ts';
import type { Place, SeedProblem } from './seed-error.ts';

export interface Written {
  readonly value: unknown;
  readonly readable: boolean;
  readonly problems: readonly SeedProblem[];
  place(path: Path, atKey: boolean): Place | undefined;
}

const UNREADABLE = { value: undefined, readable: false } as const;

/** Reads a text as YAML. Never throws. */
export const readYaml = (text: string): Written => {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false, logLevel: 'error' });
    const placeAt = (offset: number): Place => {
      const { line, col } = lines.linePos(offset);
      return { line: Math.max(line, 1), column: Math.max(col, 1) };
    };
    const problems = firstAtEachPlace(document.errors).map(({ code, message, pos: [start] }): SeedProblem => {
      const place = placeAt(start);
      const { path, key } = pathAt(document, start);
      if (code === 'DUPLICATE_KEY') {
        return { ...place, path: showPath(path), what: 'duplicate key', expected: 'each key once', got: show(key) };
      }
      if (code === 'MULTIPLE_DOCS') {
        return { ...place, path: showPath(path), what: 'another document', expected: 'one in each file', got: show('---') };
      }
      const rest = text.slice(start).split('\n')[0]!.trim();
      const got = rest === '' ? 'the end of a line' : show(rest);
      return { ...place, path: showPath(path), what: `syntax: ${message}`, expected: 'YAML or JSON', got };
    });
    const place = (path: Path, atKey: boolean) => {
      const offset = offsetOf(document, path, atKey);
      return offset === undefined ? undefined : placeAt(offset);
    };
    if (document.errors.some(({ code }) => code !== 'DUPLICATE_KEY')) return { ...UNREADABLE, problems, place };
    return { value: document.toJS(), readable: true, problems, place };
  } catch (error) {
    // Aliases that lead nowhere or multiply, nesting too deep for the stack.
    const problem = {
      path: '',
      what: `syntax: ${(error as Error).message}`,
      expected: 'YAML or JSON',
      got: 'what cannot be read',
    };
    return { ...UNREADABLE, problems: [problem], place: () => undefined };
  }
};

/** A missing bracket or quote is reported once more by all that it leaves open. */
const firstAtEachPlace = (errors: readonly YAMLError[]): readonly YAMLError[] => {
  const seen = new Set<number>();
  return errors.filter(({ pos: [start] }) => !seen.has(start) && seen.add(start));
};

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);
const keyOf = ({ key }: Pair): string => String(isScalar(key) ? key.value : key);
const resolved = (document: Document, node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node);

/** Where the value at a path begins, or its key; when it is not there, what was to hold it. */
const offsetOf = (document: Document, path: Path, atKey: boolean): number | undefined => {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const [i, step] of path.entries()) {
    const holder = resolved(document, node);
    if (isMap(holder)) {
      const pair = holder.items.findLast((one) => keyOf(one) === step);
      if (!pair) return offset;
      node = pair.value;
      const last = i === path.length - 1;
      offset = (last && atKey ? undefined : startOf(node)) ?? startOf(pair.key) ?? offset;
    } else if (isSeq(holder) && typeof step === 'number') {
      node = holder.items[step];
      offset = startOf(node) ?? offset;
    } else return offset;
  }
  return offset;
};

const covers = (node: unknown, offset: number): node is Node =>
  isNode(node) && !!node.range && node.range[0] <= offset && offset < node.range[2];

/** The path of what stands at an offset, and the key if it is one. */
const pathAt = (document: Document, offset: number): { readonly path: Path; readonly key?: string } => {
  const path: (string | number)[] = [];
  let node: unknown = document.contents;
  for (;;) {
    if (isMap(node)) {
      const pair = node.items.find((one) => covers(one.key, offset) || covers(one.value, offset));
      if (!pair) return { path };
      path.push(keyOf(pair));
      if (covers(pair.key, offset)) return { path, key: keyOf(pair) };
      node = pair.value;
    } else if (isSeq(node)) {
      const index = node.items.findIndex((one) => covers(one, offset));
      if (index === -1) return { path };
      path.push(index);
      node = node.items[index];
    } else return { path };
  }
};
