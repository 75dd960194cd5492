// The text of a file as YAML, which JSON is a part of: its value, its mistakes, and the place of each value.
import * as yaml from 'yaml';
import { getOrMake } from '../../service/contract/keyed.ts';
import { isObject } from '../../service/contract/schema.ts';
import { MAX_LEVELS } from '../../service/validation/json-text.ts';
import { type Path, pathText, valueText } from '../../service/validation/show.ts';
import { MAX_PROBLEMS, type ProblemPlace, type SeedProblem, SOURCE_FAULTS, type Source } from './seed-error.ts';

/** A text of 2 MB has this many tokens of one kind, and its tree takes 300 MB. */
const MAX_TOKENS = 1_000_000;
/** Aliases share what they lead to, but readers walk through it once for each. */
const MAX_ALIASED_VALUES = 1_000_000;
const upTo = (max: number, what: string) => ({ expected: `at most ${max.toLocaleString('en')} ${what}`, got: 'more' });

/** The path and the rest of the line are added if absent. */
type Mistake = { readonly offset: number } & Pick<SeedProblem, 'what' | 'expected'> & Partial<Pick<SeedProblem, 'path' | 'got'>>;

/** Ends the reading. */
class Unreadable extends Error {
  readonly mistake: Mistake;

  constructor(mistake: Mistake) {
    super(mistake.what);
    this.mistake = mistake;
  }
}

/** Reads a text as YAML. Never throws. */
export const readYaml = (text: string): Source => {
  const lineCounter = new yaml.LineCounter();
  lineCounter.addNewLine(0);
  const placeAt = (offset: number): ProblemPlace => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problemOf = ({ offset, ...words }: Mistake): SeedProblem => {
    const rest = text.slice(offset).split('\n', 1)[0]!.trim();
    return { ...placeAt(offset), path: '', got: rest === '' ? 'the end of a line' : valueText(rest), ...words };
  };
  try {
    const { document, mistakes } = compose(text, lineCounter);
    const read = readValues(document);
    const found = firstAtEachPlace([...mistakes, ...read.mistakes]);
    const problems = found.slice(0, MAX_PROBLEMS).map(problemOf);
    const place = (path: Path, atKey: boolean) => {
      const offset = offsetOf(document, path, atKey);
      return offset === undefined ? undefined : placeAt(offset);
    };
    const value = mistakes.length > 0 ? undefined : read.value;
    return { value, problems, more: found.length - problems.length, placeOf: async () => place };
  } catch (error) {
    const { mistake = { offset: 0, ...syntaxMistake((error as Error).message) } } = error as Partial<Unreadable>;
    return { value: undefined, problems: [problemOf(mistake)], more: 0, placeOf: async () => () => undefined };
  }
};

const syntaxMistake = (message: string) => ({ what: `syntax: ${message}`, expected: 'YAML or JSON' });

/** The parser keeps a stack of its own, but all that follows recurses. @throws Unreadable */
function* limitedTokens(text: string, parser: yaml.Parser) {
  let [lexemes, mistakes] = [0, 0];
  for (const lexeme of new yaml.Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      yield token;
      if (token.type === 'error' || token.type === 'directive') mistakes += 1;
    }
    lexemes += 1;
    const { stack, offset } = parser;
    const inner = stack.at(-1);
    // Beside the collections the stack holds the document, and perhaps a scalar.
    if (stack.length - (inner && 'items' in inner ? 1 : 2) > MAX_LEVELS)
      throw new Unreadable({ offset: offset - lexeme.length, ...SOURCE_FAULTS.nesting });
    if (lexemes > MAX_TOKENS) throw new Unreadable({ offset, what: 'too long for YAML', ...upTo(MAX_TOKENS, 'tokens, or JSON') });
    if (mistakes > MAX_PROBLEMS) return;
  }
  yield* parser.end();
}

const compose = (text: string, lineCounter: yaml.LineCounter) => {
  const composer = new yaml.Composer({ lineCounter, merge: true, prettyErrors: false, logLevel: 'error', uniqueKeys: false });
  const documents = composer.compose(limitedTokens(text, new yaml.Parser(lineCounter.addNewLine)), true, text.length);
  const document = documents.next().value as yaml.Document.Parsed;
  const mistakes = document.errors.map(({ pos, message }): Mistake => ({ offset: pos[0], ...syntaxMistake(message) }));
  const another = documents.next().value as yaml.Document.Parsed | undefined;
  if (another) mistakes.push({ offset: another.range[0], what: 'another document', expected: 'one in each file', got: '"---"' });
  return { document, mistakes };
};

/** A value, with how much a reader walks through in it. */
interface Extent {
  readonly value: unknown;
  readonly size: number;
  readonly levels: number;
}

const LEAF: Extent = { value: null, size: 1, levels: 0 };

/** The value of a document; the library compares each key, and each alias, with all before it. @throws Unreadable */
const readValues = (document: yaml.Document) => {
  const mistakes: Mistake[] = [];
  const anchors = new Map<string, Extent>();
  let aliased = 0;
  const follow = ({ source, range }: yaml.Alias, path: Path): Extent => {
    const found = anchors.get(source);
    const at = { offset: range![0], path: pathText(path) };
    if (!found)
      throw new Unreadable({ ...at, what: 'unknown alias', expected: 'an anchor that ends before it', got: `*${source}` });
    if (path.length + found.levels > MAX_LEVELS) throw new Unreadable({ ...at, ...SOURCE_FAULTS.nesting });
    aliased += found.size;
    if (aliased > MAX_ALIASED_VALUES)
      throw new Unreadable({ ...at, what: 'too many aliases', ...upTo(MAX_ALIASED_VALUES, 'values from them') });
    return found;
  };
  const merge = (into: object, { value }: Extent, offset: number): void => {
    const sources = [value].flat();
    if (!sources.every(isObject)) throw new Unreadable({ offset, what: 'merge', expected: 'objects', got: valueText(value) });
    for (const [name, one] of sources.flatMap(Object.entries)) if (!Object.hasOwn(into, name)) define(into, name, one);
  };
  const readMap = ({ items }: yaml.YAMLMap, path: Path): Extent => {
    const value = {};
    const seen = new Set<string>();
    const inner = items.map((pair) => {
      const key = read(pair.key, path).value;
      const name = typeof key === 'object' ? keyOf(pair) : String(key);
      const extent = read(pair.value, [...path, name]);
      const offset = nodeStart(pair.key) ?? 0;
      if (isMergeKey(pair.key)) merge(value, extent, offset);
      else {
        if (seen.has(name))
          mistakes.push({ offset, path: pathText([...path, name]), ...SOURCE_FAULTS.keys, got: valueText(name) });
        seen.add(name);
        define(value, name, extent.value);
      }
      return extent;
    });
    return around(value, inner);
  };
  const read = (node: unknown, path: Path): Extent => {
    if (yaml.isAlias(node)) return follow(node, path);
    let extent = LEAF;
    if (yaml.isScalar(node)) extent = { ...LEAF, value: node.value };
    else if (yaml.isMap(node)) extent = readMap(node, path);
    else if (yaml.isSeq(node)) {
      const inner = node.items.map((item, i) => read(item, [...path, i]));
      extent = around(
        inner.map(({ value }) => value),
        inner,
      );
    }
    if (yaml.isNode(node) && 'anchor' in node && node.anchor) anchors.set(node.anchor, extent);
    return extent;
  };
  return { value: read(document.contents, []).value, mistakes };
};

const around = (value: object, inner: readonly Extent[]): Extent => ({
  value,
  size: inner.reduce((sum, { size }) => sum + size, 1),
  levels: inner.reduce((max, { levels }) => Math.max(max, levels), 0) + 1,
});

const isMergeKey = (key: unknown): boolean =>
  yaml.isScalar(key) && (typeof key.value === 'symbol' || (key.value === '<<' && key.type === 'PLAIN'));

/** Also a member of the name `__proto__`. */
const define = (object: object, name: string, value: unknown): unknown =>
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });

/** A missing bracket or quote is reported once more by all that it leaves open. */
const firstAtEachPlace = (mistakes: readonly Mistake[]): readonly Mistake[] => {
  const seen = new Set<number>();
  return mistakes.filter(({ offset }) => !seen.has(offset) && seen.add(offset));
};

const nodeStart = (node: unknown): number | undefined => (yaml.isNode(node) ? node.range?.[0] : undefined);
const keyOf = ({ key }: yaml.Pair): string => String(yaml.isScalar(key) ? (key.value ?? '') : key);
const resolveAlias = (document: yaml.Document, node: unknown): unknown => (yaml.isAlias(node) ? node.resolve(document) : node);

const pairs = new WeakMap<yaml.YAMLMap, ReadonlyMap<string, yaml.Pair>>();
/** The pair of a key; of several the last. */
const pairOf = (map: yaml.YAMLMap, key: string): yaml.Pair | undefined =>
  getOrMake(pairs, map, () => new Map(map.items.map((pair) => [keyOf(pair), pair]))).get(key);

/** Where the value at a path begins, or its key; when it is not there, what was to hold it. */
const offsetOf = (document: yaml.Document, path: Path, atKey: boolean): number | undefined => {
  let node: unknown = document.contents;
  let offset = nodeStart(node);
  for (const [i, step] of path.entries()) {
    const holder = resolveAlias(document, node);
    if (yaml.isMap(holder)) {
      const pair = pairOf(holder, String(step));
      if (!pair) return offset;
      node = pair.value;
      const last = i === path.length - 1;
      offset = (last && atKey ? undefined : nodeStart(node)) ?? nodeStart(pair.key) ?? offset;
    } else if (yaml.isSeq(holder) && typeof step === 'number') {
      node = holder.items[step];
      offset = nodeStart(node) ?? offset;
    } else return offset;
  }
  return offset;
};
