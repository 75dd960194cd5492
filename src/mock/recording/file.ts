// What stands in a repro file instead of what came in: masks for keys and secrets, hashes, the worlds that were made.
import { escapeRegExp, isSecretName } from '../../service/http/redact.ts';
import { SIGNATURE_HEADER, toHex } from '../../service/webhooks/sign.ts';
import { decoded } from '../../service/world/decoded.ts';
import type { Expected, RequestStep } from './format.ts';
import type { Made } from './past.ts';

/** Shorter texts occur in others by chance. */
const LEAST = 6;

/** A mask of the same length. */
const maskOf = (secret: string, place: number): string => {
  const start = /^[A-Za-z]{1,8}_/.exec(secret)?.[0] ?? '';
  return start + String(place + 1).padStart(Math.max(4, secret.length - start.length), 'x');
};

/** Encoded as in a form. */
const inForm = (text: string): string => new URLSearchParams({ text }).toString().slice('text='.length);

/** Replaces secrets by masks, in any text. */
export const masking = (secrets: Iterable<string>): ((text: string) => string) => {
  const known = [...new Set(secrets)].filter((one) => one.length >= LEAST).sort((a, b) => b.length - a.length);
  if (known.length === 0) return (text) => text;
  const forms = new Map(
    known.flatMap((secret, i) => {
      const mask = maskOf(secret, i);
      return [secret, encodeURIComponent(secret), inForm(secret), JSON.stringify(secret).slice(1, -1)].map(
        (form) => [form, mask] as const,
      );
    }),
  );
  const pattern = new RegExp([...forms.keys()].map(escapeRegExp).join('|'), 'g');
  return (text) => text.replace(pattern, (form) => forms.get(form)!);
};

/** As sent, and decoded if possible. */
const secretsInCookies = (value: string): string[] =>
  value.split(/;\s*/).flatMap((pair) => {
    const [name, secret] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    return isSecretName(name) ? [...new Set([secret, decoded(secret)])] : [];
  });

/** The secrets that come with a request: its token, and headers that carry one by their name. */
export const secretsIn = (headers: Iterable<readonly [string, string]>): string[] =>
  [...headers].flatMap(([name, value]) => {
    if (!isSecretName(name) || name === SIGNATURE_HEADER.toLowerCase()) return [];
    // The scheme stays: the response may depend on it.
    return name === 'cookie' ? secretsInCookies(value) : [value.replace(/^\w+\s+/, '')];
  });

/** A text without the signatures of events. */
export const unsigned = (text: string): string =>
  text.replace(new RegExp(`(${SIGNATURE_HEADER}"?: ?"?)[^"\\n]+`, 'gi'), '$1[signature]');

/** What was sent to a receiver, as compared. @param signed whether its signature can be the same */
export const sentText = (
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  signed: boolean,
): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = `${lines.sort().join('\n')}\n\n${body}`;
  return signed ? text : unsigned(text);
};

/** Calls that make a world from another: from its state, or from its recording. */
const MAKING = ['fork', 'rewind'];

/** What a call returned, as compared: for a new world, its id. */
export const shownResult = (call: string, result: unknown): string =>
  JSON.stringify(MAKING.includes(call) ? { id: (result as { readonly id: string }).id } : result) ?? '';

/** The world that a call has made. */
export const madeByCall = (call: string, given: readonly unknown[], status: number): Made | undefined => {
  if (!MAKING.includes(call)) return undefined;
  const { id } = given.at(-1) as { readonly id: string };
  return { id, rewound: call === 'rewind', ...(status !== 200 && { refused: true as const }) };
};

/** The fields of a form that opens a world, or one as it was at a step. */
const FORMS_MAKING = ['createWorld', 'fork', 'before', 'after'];

/** The world that a request has made: by the control API, or by a form that redirects to it. */
export const madeByRequest = (
  { kind, method, path, body = '' }: Pick<RequestStep, 'kind' | 'method' | 'path'> & { readonly body?: string | undefined },
  { status, headers, text }: Pick<Expected, 'status' | 'headers'> & { readonly text: string },
): Made | undefined => {
  if (kind === 'edit') {
    const form = new URLSearchParams(body);
    const id = FORMS_MAKING.includes(form.get('do')!) ? /^\/worlds\/([^/?#]+)\//.exec(headers.location ?? '')?.[1] : undefined;
    return id === undefined ? undefined : { id, rewound: form.has('at') };
  }
  if (method !== 'POST' || path !== '/_mock/worlds' || (status !== 201 && status !== 409)) return undefined;
  const { id } = JSON.parse(text) as { readonly id: string };
  return { id, rewound: /"at":/.test(body), ...(status === 409 && { refused: true as const }) };
};

/** SHA-256 of a text in UTF-8, in hexadecimal. */
export const sha256 = async (text: string): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
