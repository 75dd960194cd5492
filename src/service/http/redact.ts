// Keeps keys and signing secrets out of everything that is shown: journal, event stream, logs.
import type { World } from '../world/world.ts';

export const HIDDEN = '[hidden]';

/** Shorter texts are not hidden inside others: they would hide half of every response. */
export const MIN_SECRET_LENGTH = 4;

const GENERATED_SECRETS = ['whsec_[\\w+/=-]+', 'wm_[0-9a-z]{32}', 'wm_[0-9A-Za-z]+_[0-9a-z]{24}'];

const SECRET_NAME = /^(.*[-_.])?(api[-_]?key|key|access[-_]?token|token|authorization|auth|secret|password|signature)$/i;

/** Whether a parameter or header of this name carries a secret; `auth[token]` is called token. */
export const isSecretName = (name: string): boolean =>
  SECRET_NAME.test(name.replace(/^.*\[([^\]]+)\](\[\])?$/, '$1')) || /apikey|cookie|jwt|credential|session/i.test(name);

/** Letters that JSON may write as \u0061, in however many texts within texts. */
const ESCAPED_LETTER = /\\+u00(2d|2e|3\d|[46][1-9a-f]|[57][\da]|5f)/gi;

/** Hides what a text holds, and what it holds once its escapes are read. */
export const readEscapes =
  (hide: (text: string) => string): ((text: string) => string) =>
  (text) => {
    const hidden = hide(text);
    if (!hidden.includes('\\u00')) return hidden;
    const read = hidden.replace(ESCAPED_LETTER, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    const all = hide(read);
    return all === read ? hidden : all;
  };

const WHOLE_GENERATED_SECRET = new RegExp(`^(${GENERATED_SECRETS.join('|')})$`);

export const isGeneratedSecret = (secret: string): boolean => WHOLE_GENERATED_SECRET.test(secret);

export const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Hides the values of every key and the secret of every registration of a world, as they are now. */
export const createRedactor = (world: World, more: Iterable<string> = []): ((text: string) => string) => {
  const keys = world.store.keys.all().map(({ value }) => value.value);
  const secrets = world.store.webhooks.all().map(({ value }) => value.secret);
  const known = [...new Set([...keys, ...secrets, ...more])].filter(
    (one) => one.length >= MIN_SECRET_LENGTH && !isGeneratedSecret(one),
  );
  const forms = known.flatMap((value) => [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]);
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  const pattern = new RegExp([...GENERATED_SECRETS, ...longestFirst.map(escapeRegExp)].join('|'), 'g');
  return readEscapes((text) => text.replace(pattern, HIDDEN));
};

/** A value with each property named `secret`, and each secret in its texts, hidden at any depth. */
export const hideSecrets = (value: unknown, hide: (text: string) => string = (text) => text): unknown => {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((inner) => hideSecrets(inner, hide));
  if (typeof value !== 'object' || value === null) return value;
  const shown = Object.entries(value).map(([name, inner]) => [
    hide(name),
    name === 'secret' && typeof inner === 'string' ? HIDDEN : hideSecrets(inner, hide),
  ]);
  return Object.fromEntries(shown);
};

export const redactPath = (url: string, hide: (text: string) => string): string => {
  const question = url.indexOf('?');
  const path = redactSegments(question < 0 ? url : url.slice(0, question), hide);
  if (question < 0) return path;
  const pairs = url.slice(question + 1).split('&');
  const shown = pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return value.length > 0 && (isSecretName(decodeLetters(name)) || hide(decodeLetters(pair)) !== decodeLetters(pair))
      ? `${hide(name)}=${HIDDEN}`
      : pair;
  });
  return `${path}?${shown.join('&')}`;
};

/** A path may write any letter as %61. */
const redactSegments = (path: string, hide: (text: string) => string): string => {
  const hidden = hide(path);
  if (!hidden.includes('%')) return hidden;
  return hidden
    .split('/')
    .map((part) => (hide(decodeLetters(part)) === decodeLetters(part) ? part : HIDDEN))
    .join('/');
};

/** The letters of a text are read, whatever else in it is no encoding. */
const decodeLetters = (text: string): string =>
  text.replaceAll('+', ' ').replace(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
