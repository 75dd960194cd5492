// Compares two screens: what one shows and the other does not, what reads otherwise, and rows in another order.
import type { ScreenNode } from './read-screen.ts';

/** A text that one screen has, with what it stands in. */
export interface Leaf {
  readonly text: string;
  /** Lies in a dialog, a toast or the like. */
  readonly overlay: boolean;
  /** Of a button or a link: what can be done, rather than what is. */
  readonly isAction: boolean;
  readonly isTime: boolean;
}

export interface ScreenDifference {
  /** `extra`: on the screen alone; `missing`: after a reload alone. */
  readonly kind: 'extra' | 'missing' | 'changed' | 'order';
  /** Roles and labels from the root. */
  readonly path: readonly string[];
  /** Inside a repeated element, such as a row. */
  readonly inRow: boolean;
  readonly shown: readonly Leaf[];
  readonly expected: readonly Leaf[];
}

const RELATIVE_TIMES =
  /\b(?:just now|(?:a few|an?|\d+) ?(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|mo|months?|y|years?)\.? ago|in (?:a few|an?|\d+) (?:second|minute|hour|day|week|month|year)s?|\d{1,2}:\d{2}:\d{2}(?: ?[ap]m)?)\b/gi;

/** Relative times change by themselves. */
export const withoutTimes = (text: string): string => text.replace(RELATIVE_TIMES, '…');

const keys = new WeakMap<ScreenNode, string>();

/** Equal for nodes that read alike. */
const readingKey = (node: ScreenNode): string => {
  let key = keys.get(node);
  if (key === undefined) {
    const { tag, label = '', text = '', value = '', kids } = node;
    key = JSON.stringify([tag, withoutTimes(label), withoutTimes(text), value, kids.map(readingKey)]);
    keys.set(node, key);
  }
  return key;
};

const ACTIONS = new Set(['button', 'link', 'menuitem', 'tab', 'option']);

/** The texts of a node, in order. */
const leavesOf = (node: ScreenNode, within: Omit<Leaf, 'text'> = { overlay: false, isAction: false, isTime: false }): Leaf[] => {
  const here = {
    overlay: within.overlay || node.overlay === true,
    isAction: within.isAction || ACTIONS.has(node.role ?? node.tag),
    isTime: within.isTime || node.tag === 'time',
  };
  const own = [node.label, node.text, node.value].filter((text) => text !== undefined && text !== '');
  return [...own.map((text) => ({ text: text!, ...here })), ...node.kids.flatMap((kid) => leavesOf(kid, here))];
};

const wordsOf = (node: ScreenNode): Set<string> =>
  new Set(
    leavesOf(node)
      .flatMap(({ text }) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
      .filter((word) => word !== ''),
  );

/** 0 for nothing in common, 1 for equal. */
const overlapOf = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  if (a.size + b.size === 0) return 1;
  let both = 0;
  for (const one of a) if (b.has(one)) both += 1;
  return (2 * both) / (a.size + b.size);
};

const MIN_ROW_OVERLAP = 0.34;

interface Candidate {
  readonly node: ScreenNode;
  readonly index: number;
  readonly words: ReadonlySet<string>;
  readonly isRow: boolean;
}

/** @returns undefined where the two can't be the same element */
const scoreOf = (a: Candidate, b: Candidate): number | undefined => {
  if (a.node.tag !== b.node.tag || a.node.role !== b.node.role) return undefined;
  const words = overlapOf(a.words, b.words);
  const names = overlapOf(new Set(a.node.names), new Set(b.node.names));
  const isRow = a.isRow && b.isRow;
  if (isRow && words < MIN_ROW_OVERLAP) return undefined;
  if (!isRow && a.node.overlay !== b.node.overlay) return undefined;
  if (a.node.tag !== '#text' && words === 0 && names === 0) return undefined;
  return 2 * words + names - Math.abs(a.index - b.index) / 1000;
};

const candidatesOf = (kids: readonly ScreenNode[], isMatched: ReadonlySet<number>): Candidate[] => {
  const counts = new Map<string, number>();
  for (const { tag, names } of kids) {
    const kind = `${tag} ${names?.[0] ?? ''}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return kids.flatMap((node, index) => {
    if (isMatched.has(index)) return [];
    const isRepeated = counts.get(`${node.tag} ${node.names?.[0] ?? ''}`)! > 1 && leavesOf(node).length > 1;
    const isRow = isRepeated || /^(listitem|row|option|article)$/.test(node.role ?? '');
    return [{ node, index, words: wordsOf(node), isRow: isRow && node.tag !== '#text' }];
  });
};

type IndexPair = readonly [shown: number, expected: number];

/** Pairs of equal nodes: each once, the first with the first. */
const pairEqual = (shown: readonly ScreenNode[], expected: readonly ScreenNode[]): IndexPair[] => {
  const places = new Map<string, number[]>();
  for (const [index, node] of expected.entries()) places.set(readingKey(node), [...(places.get(readingKey(node)) ?? []), index]);
  return shown.flatMap((node, index): IndexPair[] => {
    const place = places.get(readingKey(node))?.shift();
    return place === undefined ? [] : [[index, place]];
  });
};

const pairAlike = (shown: readonly Candidate[], expected: readonly Candidate[]): (readonly [Candidate, Candidate])[] => {
  const scored = shown.flatMap((a) => expected.flatMap((b) => ({ a, b, score: scoreOf(a, b) })));
  const taken = new Set<Candidate>();
  return scored
    .filter(({ score }) => score !== undefined)
    .sort((one, other) => other.score! - one.score!)
    .flatMap(({ a, b }) => {
      if (taken.has(a) || taken.has(b)) return [];
      taken.add(a).add(b);
      return [[a, b] as const];
    });
};

const nameOf = ({ tag, role, label, names }: ScreenNode): string => {
  const name = role ?? (names?.[0] ? `${tag}.${names[0]}` : tag);
  return label ? `${name} "${label}"` : name;
};

interface ScreenPlace {
  readonly path: readonly string[];
  readonly inRow: boolean;
}

const orderDifference = (
  pairs: readonly IndexPair[],
  shown: readonly ScreenNode[],
  expected: readonly ScreenNode[],
  place: ScreenPlace,
): ScreenDifference[] => {
  const rows = pairs.filter(([index]) => shown[index]!.tag !== '#text');
  const isSorted = rows.every(([, at], i) => i === 0 || rows[i - 1]![1] < at);
  if (isSorted) return [];
  const whole = (node: ScreenNode): Leaf[] => {
    const leaves = leavesOf(node);
    return leaves.slice(0, 1).map((leaf) => ({ ...leaf, text: leaves.map(({ text }) => text).join(', ') }));
  };
  const sorted = rows.map(([, at]) => at).sort((a, b) => a - b);
  const texts = {
    shown: rows.flatMap(([index]) => whole(shown[index]!)),
    expected: sorted.flatMap((at) => whole(expected[at]!)),
  };
  return [{ kind: 'order', ...place, ...texts }];
};

const ownTexts = ({ label, text, value }: ScreenNode): readonly (string | undefined)[] => [label, text, value];

const changesOf = (shown: ScreenNode, expected: ScreenNode, place: ScreenPlace): ScreenDifference[] => {
  const [a, b] = [ownTexts(shown), ownTexts(expected)];
  return a.flatMap((text, i): ScreenDifference[] => {
    const other = b[i];
    // A field that was touched on one side has no value there.
    if (i === 2 && (text === undefined || other === undefined)) return [];
    if (withoutTimes(text ?? '') === withoutTimes(other ?? '')) return [];
    const leaf = (node: ScreenNode, one: string | undefined) =>
      one === undefined ? [] : [{ ...leavesOf({ ...node, kids: [] })[0]!, text: one }];
    return [{ kind: 'changed', ...place, shown: leaf(shown, text), expected: leaf(expected, other) }];
  });
};

const inherit = (leaves: Leaf[], { overlay, isAction, isTime }: Omit<Leaf, 'text'>): Leaf[] =>
  leaves.map((leaf) => ({
    ...leaf,
    overlay: leaf.overlay || overlay,
    isAction: leaf.isAction || isAction,
    isTime: leaf.isTime || isTime,
  }));

const differencesIn = (
  shown: ScreenNode,
  expected: ScreenNode,
  place: ScreenPlace,
  around: Omit<Leaf, 'text'>,
): ScreenDifference[] => {
  if (readingKey(shown) === readingKey(expected)) return [];
  const here = { ...leavesOf({ ...shown, label: '-', text: undefined, value: undefined, kids: [] }, around)[0]! };
  const inner = (isRow: boolean): ScreenPlace => ({ path: [...place.path, nameOf(shown)], inRow: place.inRow || isRow });
  const equal = pairEqual(shown.kids, expected.kids);
  const left = candidatesOf(shown.kids, new Set(equal.map(([index]) => index)));
  const right = candidatesOf(expected.kids, new Set(equal.map(([, index]) => index)));
  const alike = pairAlike(left, right);
  const isPaired = new Set(alike.flat());
  const alone = (kind: 'extra' | 'missing', { node, isRow }: Candidate): ScreenDifference => ({
    kind,
    ...inner(isRow),
    shown: kind === 'extra' ? inherit(leavesOf(node), here) : [],
    expected: kind === 'missing' ? inherit(leavesOf(node), here) : [],
  });
  const changed = changesOf(shown, expected, place).map((one) => ({
    ...one,
    shown: inherit([...one.shown], here),
    expected: inherit([...one.expected], here),
  }));
  return [
    ...changed,
    ...orderDifference(equal, shown.kids, expected.kids, inner(false)),
    ...alike.flatMap(([a, b]) => differencesIn(a.node, b.node, inner(a.isRow), here)),
    ...left.filter((one) => !isPaired.has(one)).map((one) => alone('extra', one)),
    ...right.filter((one) => !isPaired.has(one)).map((one) => alone('missing', one)),
  ];
};

/** @param shown the tested page @param expected a page loaded anew */
export const compareScreens = (shown: ScreenNode, expected: ScreenNode): ScreenDifference[] =>
  differencesIn(shown, expected, { path: [], inRow: false }, { overlay: false, isAction: false, isTime: false });
