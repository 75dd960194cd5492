// Pseudonyms of all texts of the traffic: equal for equal texts, the same for the same traffic, in the order of the texts.
import { decodeText } from '../../service/lists/query.ts';
import { parseJson } from '../../service/validation/json-text.ts';
import { textOrder } from '../../service/world/records.ts';
import { orderedPseudonyms } from './ordered-pseudonyms.ts';

/** A text of several kinds has the pseudonym of the last one in messages. */
const TEXT_KINDS = ['cursor', 'id', 'url', 'mail', 'text', 'secret'] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

export const REDACTED = '[redacted]';
/** Bounds of memory; texts beyond them are redacted. */
const [MAX_TEXTS, MAX_CHARACTERS] = [200_000, 50_000_000];
/** Shorter texts are part of others; they are replaced in quotes alone. */
const MIN_TEXT_CHARACTERS = 4;

const ID_FORM =
  /^((proj|task|user|team|evt|cmt|comment|wh|webhook|ws)_[A-Za-z0-9_-]{1,64}|\d{1,20}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** Lower case in which no character changes its place. */
const fold = (text: string): string => {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : text.replace(/./gsu, (one) => (one.toLowerCase().length === one.length ? one.toLowerCase() : one));
};

const pseudonymMail = (length: number, n: number): string =>
  `${String(n).padStart(length - '@example.test'.length, 'mail.')}@example.test`;

/** Whether a receiver may have the URL depends on its scheme and on whether it is this machine. */
const pseudonymUrl = (text: string, n: number): string => {
  const local = /^https?:\/\/(localhost|127\.|\[::1\])/i.test(text);
  const start = `${/^http:/i.test(text) ? 'http' : 'https'}://${local ? '127.0.0.1' : 'hooks.example.com'}/`;
  return start + String(n).padStart(text.length - start.length, 'path-');
};

interface CleanIndex {
  readonly grams: ReadonlySet<string>;
  readonly sorted: readonly string[];
  readonly made: ReadonlyMap<string, string>;
}

const JSON_ESCAPE = /\\u[\da-f]{4}|\\["\\/bfnrt]/gi;
const URL_ESCAPE = /\+|%[0-7][\da-f]|%[cd][\da-f]%[\da-f]{2}|%e[\da-f](?:%[\da-f]{2}){2}|%f[0-7](?:%[\da-f]{2}){3}/gi;
const readEscape = (escaped: string): string =>
  escaped.startsWith('\\') ? String(parseJson(`"${escaped}"`) ?? escaped) : decodeText(escaped, true);

export class Pseudonyms {
  readonly #numbers = new Map<string, number>();
  readonly #texts = Object.fromEntries(TEXT_KINDS.map((kind) => [kind, new Set()])) as Record<TextKind, Set<string>>;
  readonly #issued = new Set<string>();
  readonly #keys = new Map<string, string>();
  readonly #isKnown: (text: string) => boolean;
  #characters = 0;
  #isFull = false;
  #ordered: ReadonlyMap<string, string> | undefined;
  #index: CleanIndex | undefined;

  /** @param isKnown whether a text is a word of the contract, which stays in messages */
  constructor(isKnown: (text: string) => boolean) {
    this.#isKnown = isKnown;
  }

  note(kind: TextKind, text: string): void {
    if (text === '' || this.#texts[kind].has(text)) return;
    this.#isFull ||= this.#numbers.size >= MAX_TEXTS || this.#characters > MAX_CHARACTERS;
    if (this.#isFull) return;
    this.#texts[kind].add(text);
    if (!this.#numbers.has(text)) this.#numbers.set(text, this.#numbers.size + 1);
    this.#characters += text.length;
    this.#index = undefined;
    if (kind === 'text') this.#ordered = undefined;
  }

  /** An id that the service showed stays if it has the form of one. */
  noteIssued(id: string): void {
    if (ID_FORM.test(id) && this.#issued.size < MAX_TEXTS) this.#issued.add(id);
  }

  noteKey(value: string, role: string): void {
    this.note('secret', value);
    if (this.#texts.secret.has(value)) this.#keys.set(value, `[key of role ${role}]`);
  }

  of(kind: TextKind, text: string): string {
    if (text === '') return text;
    const n = this.#numbers.get(text);
    if (kind === 'secret' || n === undefined) return this.#keys.get(text) ?? REDACTED;
    if (kind === 'mail') return pseudonymMail(text.length, n);
    if (kind === 'url') return pseudonymUrl(text, n);
    if (kind === 'cursor') return `cursor_${n}`;
    if (kind === 'id') return this.#issued.has(text) && !this.#texts.secret.has(text) ? text : `id_${n}`;
    this.#ordered ??= orderedPseudonyms(this.#texts.text);
    return this.#ordered.get(text) ?? REDACTED;
  }

  /** Replaces every text of the traffic in a message; costs a build of its index after each new text, so call it at the end. */
  clean(message: string): string {
    this.#index ??= this.#buildIndex();
    const index = this.#index;
    const cleaned = replaceTexts(message, index);
    return this.#isFull
      ? cleaned.replace(/"[^"]*"/g, (quoted) => (this.#isKnown(quoted.slice(1, -1)) ? quoted : `"${REDACTED}"`))
      : cleaned;
  }

  #buildIndex(): CleanIndex {
    const made = new Map<string, string>();
    for (const kind of TEXT_KINDS)
      for (const text of this.#texts[kind]) {
        const to = this.of(kind, text);
        if (to === text || this.#isKnown(text)) made.delete(fold(text));
        else if (text.length >= MIN_TEXT_CHARACTERS) made.set(fold(text), to);
        else if (text.length > 1) made.set(`"${fold(text)}"`, `"${to}"`);
      }
    const sorted = [...made.keys()].sort(textOrder);
    return { made, sorted, grams: new Set(sorted.map((text) => text.slice(0, MIN_TEXT_CHARACTERS))) };
  }
}

/** A message with its escapes read, and where each character begins in it. */
const decodeView = (message: string, escapes: RegExp | undefined) => {
  let [plain, at] = ['', 0];
  const starts: number[] = [];
  const add = (text: string, from: number, step: number) => {
    for (let i = 0; i < text.length; i++) starts.push(from + i * step);
    plain += text;
  };
  for (const { 0: escaped, index } of escapes ? message.matchAll(escapes) : []) {
    add(message.slice(at, index), at, 1);
    add(readEscape(escaped), index, 0);
    at = index + escaped.length;
  }
  add(message.slice(at), at, 1);
  return { plain, starts: [...starts, message.length] };
};

const commonLength = (a: string, b: string): number => {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
};

/** The longest text that a message has at a place, or a beginning of one that the message cuts with an ellipsis. */
const findAt = ({ sorted, made }: CleanIndex, rest: string): { readonly length: number; readonly to: string } | undefined => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= rest) low = middle + 1;
    else high = middle;
  }
  const near = [sorted[low - 1], sorted[low]].filter((text) => text !== undefined);
  const [lcp, cut] = near.map((text) => [commonLength(text, rest), text] as const).sort(([a], [b]) => b - a)[0] ?? [0, ''];
  if (lcp >= MIN_TEXT_CHARACTERS && lcp < cut.length && /^(…|\.\.\.)/.test(rest.slice(lcp, lcp + 3)))
    return { length: lcp, to: [...made.get(cut)!].slice(0, lcp).join('') };
  for (let length = lcp; length >= MIN_TEXT_CHARACTERS; length--) {
    const to = made.get(rest.slice(0, length));
    if (to !== undefined) return { length, to };
  }
  return undefined;
};

interface FoundText {
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

/** Each text in a message, at places that have escapes alone where these are read. */
const findTexts = (message: string, index: CleanIndex, escapes: RegExp | undefined): readonly FoundText[] => {
  if (escapes && message.search(escapes) < 0) return [];
  const { plain, starts } = decodeView(message, escapes);
  const folded = fold(plain);
  return starts.flatMap((start, i) => {
    const found = index.grams.has(folded.slice(i, i + MIN_TEXT_CHARACTERS)) ? findAt(index, folded.slice(i)) : undefined;
    const end = found && starts[i + found.length]!;
    const isPlain = found && message.slice(start, end) === plain.slice(i, i + found.length);
    return end === undefined || (escapes && isPlain) ? [] : [{ start, end, to: found!.to }];
  });
};

/** Texts that overlap are replaced by the pseudonym of the longest. */
const replaceTexts = (message: string, index: CleanIndex): string => {
  const found = [undefined, JSON_ESCAPE, URL_ESCAPE].flatMap((escapes) => findTexts(message, index, escapes));
  let [out, last] = ['', { start: 0, end: 0, to: '' }];
  for (const one of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (one.start >= last.end) {
      out += last.to + message.slice(last.end, one.start);
      last = one;
    } else if (one.end > last.end) {
      const longer = one.end - one.start > last.end - last.start ? one.to : last.to;
      last = { start: last.start, end: one.end, to: longer };
    }
  }
  return out + last.to + message.slice(last.end);
};
