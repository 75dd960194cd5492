// Keeps keys and signing secrets out of everything that is shown: journal, event stream, logs.
import type { World } from '../world/world.ts';

export const HIDDEN = '[hidden]';

/** Shorter texts are not looked for inside others: they would hide half of what is shown. */
export const LEAST = 4;

/** What this mock makes itself is known by its look, in whichever world it was made. */
const MADE = ['whsec_[\\w+/=-]+', 'wm_[0-9a-z]{32}', 'wm_[0-9A-Za-z]+_[0-9a-z]{24}'];

const SECRET_NAME = /^(.*[-_.])?(api[-_]?key|key|access[-_]?token|token|authorization|auth|secret|password|signature)$/i;

/** Whether a parameter or header of this name carries a secret; `auth[token]` is called token. */
export const isSecretName = (name: string): boolean =>
  SECRET_NAME.test(name.replace(/^.*\[([^\]]+)\](\[\])?$/, '$1')) || /apikey|cookie|jwt|credential|session/i.test(name);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Hides the values of every key and the secret of every registration of a world, as they are now. */
export const redactor = (world: World, more: Iterable<string> = []): ((text: string) => string) => {
  const keys = world.store.keys.all().map(({ value }) => value.value);
  const secrets = world.store.webhooks.all().map(({ value }) => value.secret);
  const known = [...new Set([...keys, ...secrets, ...more])].filter(({ length }) => length >= LEAST);
  const forms = known.flatMap((value) => [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]);
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  const pattern = new RegExp([...MADE, ...longestFirst.map(escaped)].join('|'), 'g');
  return (text) => text.replace(pattern, HIDDEN);
};

/** A value with each property named `secret` hidden, and what is to be hidden in its texts, at any depth. */
export const withoutSecrets = (value: unknown, hide: (text: string) => string = (text) => text): unknown => {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((inner) => withoutSecrets(inner, hide));
  if (typeof value !== 'object' || value === null) return value;
  const shown = Object.entries(value).map(([name, inner]) => [
    hide(name),
    name === 'secret' && typeof inner === 'string' ? HIDDEN : withoutSecrets(inner, hide),
  ]);
  return Object.fromEntries(shown);
};

/** Path and query of a URL with the values of secret parameters hidden. */
export const shownPath = (url: string, hide: (text: string) => string): string => {
  const question = url.indexOf('?');
  if (question < 0) return hide(url);
  const pairs = url.slice(question + 1).split('&');
  const shown = pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return value.length > 0 && (isSecretName(decoded(name)) || hide(decoded(pair)) !== decoded(pair))
      ? `${hide(name)}=${HIDDEN}`
      : pair;
  });
  return `${hide(url.slice(0, question))}?${shown.join('&')}`;
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};
