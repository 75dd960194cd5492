// What a repro file holds, as schemas: a seed, options, and everything that came in from outside, in its order.

import { any, array, type Is, integer, map, object, oneOf, type Schema, string } from '../../service/contract/schema.ts';
import { ReleaseWord } from '../../service/contract/terms.ts';
import type { Outcome } from '../../service/webhooks/delivery.ts';

const text = string({ 'x-says': 'a text' });
const texts: Schema<Readonly<Record<string, string>>> = { type: 'object', additionalProperties: text };
const place = integer({ minimum: 1, 'x-says': 'an integer from 1' });
const hash = string({ pattern: '^[\\da-f]{64}$', 'x-says': '64 hexadecimal digits' });
/** Stands there or not; whatever it is. */
const mark: Schema<true> = {};

export const Expected = object(
  {
    /** 0: the connection was closed. */
    status: integer({ 'x-says': 'a status, or 0' }),
    headers: texts,
  },
  {
    /** Of the bytes of the body. Absent for dashboard forms, where only status and `location` are compared; or if `body` is present. */
    sha256: hash,
    /** Absent if it is long. */
    body: text,
  },
);
/** A response. */
export interface Expected extends Is<typeof Expected> {}

const cameAs = <const K extends readonly string[]>(...kinds: K) => ({
  /** Its position. */
  n: place,
  /** Real time. */
  at: string({ format: 'date-time', 'x-says': 'an ISO 8601 time' }),
  kind: oneOf(kinds),
});
const CAME = {
  /** The world that it concerns; absent: the first one. */
  world: text,
  /** It arrived before the previous step had any effect. */
  joined: mark,
  /** Got its response after later steps had arrived. */
  late: mark,
};
const ANSWERED = {
  /** Absent: no response yet. */
  expect: Expected,
  /** Said where `expect` is absent. */
  unanswered: mark,
};

const asked = object(
  {
    ...cameAs('request', 'control', 'edit'),
    method: string({ pattern: '^[\\w-]+$', 'x-says': 'a method' }),
    /** With its query, without a world's prefix. */
    path: string({ pattern: '^/', 'x-says': 'a path, which begins with /' }),
    headers: texts,
  },
  {
    ...CAME,
    ...ANSWERED,
    body: text,
    /** A body that was refused unread. */
    unread: oneOf(['too large', 'not UTF-8', 'too many']),
  },
);
/** A request to the service, to the control API, or a form of the dashboard. */
export interface RequestStep extends Is<typeof asked> {}

const called = object(
  {
    ...cameAs('control'),
    /** Such as `clock.advance`. */
    call: text,
    given: array(any('An argument.')),
  },
  {
    ...CAME,
    /** Hash of what it returned, as JSON; `body` is that, or the message of what it threw. */
    ...ANSWERED,
  },
);
/** A call that a program makes on its mock. */
export interface CallStep extends Is<typeof called> {}

const clock = object(
  {
    ...cameAs('clock'),
    /** Which of the waits of this world. */
    wait: place,
  },
  CAME,
);
/** Pending work resumed, because time had passed. */
export interface ClockStep extends Is<typeof clock> {}

const receiver = object(
  {
    ...cameAs('receiver'),
    /** Which of the attempts of this world. */
    attempt: place,
    delivery: text,
    /** Of what was sent: headers and body. */
    expect: object({ sha256: hash }, { body: text }),
  },
  {
    ...CAME,
    /** Absent: nothing was sent. */
    outcome: { type: 'object' } as Schema<Outcome>,
  },
);
/** A receiver has responded to an event. */
export interface ReceiverStep extends Is<typeof receiver> {}

const gone = object(
  {
    ...cameAs('gone'),
    /** The position of its request. */
    request: place,
  },
  CAME,
);
/** A client that waited for a response has disconnected. */
export interface GoneStep extends Is<typeof gone> {}

export type Step = RequestStep | CallStep | ClockStep | ReceiverStep | GoneStep;

const file = object({
  release: ReleaseWord,
  /** Those that the seed does not determine. */
  options: map('Options.'),
  seed: object({ text: string({ 'x-says': 'a seed as JSON' }) }),
  steps: array<Step>(object({ kind: oneOf(['request', 'control', 'edit', 'clock', 'receiver', 'gone']) }) as Schema<never>),
});

/** What a file and each of its steps are checked by. */
export const REPRO = { file, asked, called, clock, receiver, gone };

/** A repro file. Keys and secrets are masked. */
export interface Repro extends Is<typeof file> {
  readonly version: 1;
  /** The version of wm-mock that wrote it. */
  readonly wm_mock: string;
  /** What the file is about. */
  readonly title?: string;
  /** The world that the file is about; absent: the first one. */
  readonly world?: string;
  /** Whether signatures are compared: not if the secret of a registration is masked. */
  readonly signed: boolean;
  readonly seed: { readonly format: 'json'; readonly text: string };
}
