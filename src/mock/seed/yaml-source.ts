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
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { type Path, pathText, valueText } from '../../service/validation/show.ts';
import { MAX_PROBLEMS, type ProblemPlace, type SeedProblem } from './seed-error.ts';

export interface SeedText {
  /** Undefined when the text cannot be read at all. */
  readonly value: unknown;
  /** Mistakes of writing: syntax, duplicate keys. As many as are listed. */
  readonly problems: readonly SeedProblem[];
  /** How many more there are. */
  readonly more: number;
  /** Line and column of a value, or of its key. Only called when something is wrong. */
  readonly placeOf: () => Promise<(path: Path, atKey: boolean) => ProblemPlace | undefined>;
}

/** Reads a text as YAML. Never throws. */
export const readYaml = (text: string): SeedText => {
  const lineCounter = new LineCounter();
  const placeAt = (offset: number): ProblemPlace => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  try {
    const document = parseDocument(text, { lineCounter, merge: true, prettyErrors: false, logLevel: 'error', uniqueKeys: false });
    const found = firstAtEachPlace([...document.errors, ...repeatedKeys(document)]);
    const problems = found.slice(0, MAX_PROBLEMS).map((mistake): SeedProblem => {
      const [start] = mistake.pos;
      const { path, key } = pathAt(document, start);
      return { ...placeAt(start), path: pathText(path), ...wordsOf(mistake, key, text.slice(start).split('\n', 1)[0]!.trim()) };
    });
    const place = (path: Path, atKey: boolean) => {
      const offset = offsetOf(document, path, atKey);
      return offset === undefined ? undefined : placeAt(offset);
    };
    const value = document.errors.length > 0 ? undefined : document.toJS();
    return { value, problems, more: found.length - problems.length, placeOf: async () => place };
  } catch (error) {
    // Aliases that lead nowhere or multiply, nesting too deep for the stack.
    const what = `syntax: ${(error as Error).message}`;
    const problem = { path: '', what, expected: 'YAML or JSON', got: 'what cannot be read' };
    return { value: undefined, problems: [problem], more: 0, placeOf: async () => () => undefined };
  }
};

/** @param rest of the line where it is */
const wordsOf = ({ code, message }: Mistake, key: string | undefined, rest: string) => {
  if (code === 'DUPLICATE_KEY') return { what: 'duplicate key', expected: 'each key once', got: valueText(key) };
  if (code === 'MULTIPLE_DOCS') return { what: 'another document', expected: 'one in each file', got: valueText('---') };
  return { what: `syntax: ${message}`, expected: 'YAML or JSON', got: rest === '' ? 'the end of a line' : valueText(rest) };
};

type Mistake = Pick<YAMLError, 'code' | 'message' | 'pos'>;

/** The library compares each key with all before it. */
const repeatedKeys = (document: Document): Mistake[] => {
  const found: Mistake[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key) || key.value === '<<') continue;
        const start = key.range?.[0] ?? 0;
        if (seen.has(key.value)) found.push({ code: 'DUPLICATE_KEY', message: '', pos: [start, start + 1] });
        seen.add(key.value);
      }
    },
  });
  return found;
};

/** A missing bracket or quote is reported once more by all that it leaves open. */
const firstAtEachPlace = (errors: readonly Mistake[]): readonly Mistake[] => {
  const seen = new Set<number>();
  return errors.filter(({ pos: [start] }) => !seen.has(start) && seen.add(start));
};

const nodeStart = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);
const keyOf = ({ key }: Pair): string => String(isScalar(key) ? key.value : key);
const resolved = (document: Document, node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node);

const pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();
/** The pair of a key; of several the last. */
const pairOf = (map: YAMLMap, key: string): Pair | undefined => {
  const known = pairs.get(map) ?? new Map(map.items.map((pair) => [keyOf(pair), pair]));
  pairs.set(map, known);
  return known.get(key);
};

/** Where the value at a path begins, or its key; when it is not there, what was to hold it. */
const offsetOf = (document: Document, path: Path, atKey: boolean): number | undefined => {
  let node: unknown = document.contents;
  let offset = nodeStart(node);
  for (const [i, step] of path.entries()) {
    const holder = resolved(document, node);
    if (isMap(holder)) {
      const pair = pairOf(holder, String(step));
      if (!pair) return offset;
      node = pair.value;
      const last = i === path.length - 1;
      offset = (last && atKey ? undefined : nodeStart(node)) ?? nodeStart(pair.key) ?? offset;
    } else if (isSeq(holder) && typeof step === 'number') {
      node = holder.items[step];
      offset = nodeStart(node) ?? offset;
    } else return offset;
  }
  return offset;
};

const covers = (node: unknown, offset: number): node is Node =>
  isNode(node) && !!node.range && node.range[0] <= offset && offset < node.range[2];

/** The last of these that begins at an offset or before it; they are in the order of the text. */
const lastFrom = <T>(items: readonly T[], offset: number, begin: (item: T) => number | undefined): number => {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((begin(items[middle]!) ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

/** The path of what stands at an offset, and the key if it is one. */
const pathAt = (document: Document, offset: number): { readonly path: Path; readonly key?: string } => {
  const path: (string | number)[] = [];
  let node: unknown = document.contents;
  for (;;) {
    if (isMap(node)) {
      const pair = node.items[lastFrom(node.items, offset, ({ key, value }) => nodeStart(key) ?? nodeStart(value))];
      if (!pair || !(covers(pair.key, offset) || covers(pair.value, offset))) return { path };
      path.push(keyOf(pair));
      if (covers(pair.key, offset)) return { path, key: keyOf(pair) };
      node = pair.value;
    } else if (isSeq(node)) {
      const index = lastFrom(node.items, offset, nodeStart);
      if (!covers(node.items[index], offset)) return { path };
      path.push(index);
      node = node.items[index];
    } else return { path };
  }
};
