// What a repro file holds: a seed, options, and everything that came in from outside, in its order. Keys and secrets are masked.
import type { Release } from '../contract/releases.ts';
import { escaped, isSecretName } from '../http/redact.ts';
import type { Outcome } from '../webhooks/delivery.ts';
import { SIGNATURE_HEADER } from '../webhooks/sign.ts';
import { decoded } from '../world/decoded.ts';
import type { Made } from './past.ts';

/** The response; the hash is of its body's bytes. */
export interface Expected {
  /** 0: the connection was closed. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for dashboard forms, where only status and `location` are compared; or if `body` is present. */
  readonly sha256?: string;
  /** Absent if it is long. */
  readonly body?: string;
}

interface Came {
  /** Its position. */
  readonly n: number;
  /** Real time, ISO 8601. */
  readonly at: string;
  /** The world that it concerns; absent: the first one. */
  readonly world?: string;
  /** It arrived before the previous step had any effect. */
  readonly joined?: true;
  /** Got its response after later steps had arrived. */
  readonly late?: true;
}

/** A request to the service, to the control API, or a form of the dashboard. */
export interface RequestStep extends Came {
  readonly kind: 'request' | 'control' | 'edit';
  readonly method: string;
  /** With its query, without a world's prefix. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A body that was refused unread. */
  readonly unread?: 'too large' | 'not UTF-8' | 'too many';
  /** Absent: no response yet. */
  readonly expect?: Expected;
  /** Said where `expect` is absent. */
  readonly unanswered?: true;
}

/** A call that a program makes on its mock. */
export interface CallStep extends Came {
  readonly kind: 'control';
  /** Such as `clock.advance`. */
  readonly call: string;
  readonly given: readonly unknown[];
  /** Hash of what it returned, as JSON; `body` is that, or the message of what it threw. */
  readonly expect?: Expected;
  /** Said where `expect` is absent. */
  readonly unanswered?: true;
}

/** Pending work resumed, because time had passed. */
export interface ClockStep extends Came {
  readonly kind: 'clock';
  /** Which of the waits of this world. */
  readonly wait: number;
}

/** A receiver has responded to an event. */
export interface ReceiverStep extends Came {
  readonly kind: 'receiver';
  /** Which of the attempts of this world. */
  readonly attempt: number;
  readonly delivery: string;
  /** Absent: nothing was sent. */
  readonly outcome?: Outcome;
  /** Hash of what was sent: headers and body. */
  readonly expect: { readonly sha256: string; readonly body?: string };
}

/** A client that waited for a response has disconnected. */
export interface GoneStep extends Came {
  readonly kind: 'gone';
  /** The position of its request. */
  readonly request: number;
}

export type Step = RequestStep | CallStep | ClockStep | ReceiverStep | GoneStep;

/** A repro file. */
export interface Repro {
  readonly version: 1;
  /** The version of wm-mock that wrote it. */
  readonly wm_mock: string;
  /** What the file is about. */
  readonly title?: string;
  /** The world that the file is about; absent: the first one. */
  readonly world?: string;
  readonly release: Release;
  /** Whether signatures are compared: not if the secret of a registration is masked. */
  readonly signed: boolean;
  readonly seed: { readonly format: 'json'; readonly text: string };
  /** Those that the seed does not determine. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
}

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
  const pattern = new RegExp([...forms.keys()].map(escaped).join('|'), 'g');
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

const HEX = 16;

/** SHA-256 of a text in UTF-8, in hexadecimal. */
export const sha256 = async (text: string): Promise<string> => {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(HEX).padStart(2, '0')).join('');
};
