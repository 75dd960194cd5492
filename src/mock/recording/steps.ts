// The format of a repro file, as schemas: a seed, options, and all input from outside, in order.
import {
  array,
  boolean,
  type Is,
  integer,
  map,
  object,
  oneOf,
  type Schema,
  type Schemas,
  string,
} from '../../service/contract/schema.ts';
import { ReleaseWord } from '../../service/contract/terms.ts';
import type { Outcome } from '../../service/webhooks/delivery.ts';

const anyText = string({ 'x-says': 'a text' });
const textsByName: Schema<Readonly<Record<string, string>>> = { type: 'object', additionalProperties: anyText };
const place = integer({ minimum: 1, 'x-says': 'an integer from 1' });
const hash = string({ pattern: '^[\\da-f]{64}$', 'x-says': '64 hexadecimal digits' });
const mark: Schema<true> = {};

export const Expected = object(
  {
    /** 0: the connection was closed. */
    status: integer({ 'x-says': 'a status, or 0' }),
    headers: textsByName,
  },
  {
    /** Of the bytes of the body. May be absent if `body` is present. */
    sha256: hash,
    /** Absent if it is long. */
    body: anyText,
  },
);
export interface Expected extends Is<typeof Expected> {}

const stepOf = <const K extends readonly string[], R extends Schemas, O extends Schemas>(kinds: K, required: R, optional: O) =>
  object(
    {
      /** Its position. */
      n: place,
      /** Real time. */
      at: string({ format: 'date-time', 'x-says': 'an ISO 8601 time' }),
      kind: oneOf(kinds),
      ...required,
    },
    {
      /** The world that it concerns; absent: the first one. */
      world: anyText,
      /** It arrived before the previous step had any effect. */
      joined: mark,
      /** Got its response after later steps had arrived. */
      late: mark,
      ...optional,
    },
  );

const requestStep = stepOf(
  ['request', 'control'],
  {
    method: string({ pattern: '^[\\w-]+$', 'x-says': 'a method' }),
    /** With its query, without a world's prefix. */
    path: string({ pattern: '^/', 'x-says': 'a path, which begins with /' }),
    headers: textsByName,
  },
  {
    /** Absent: no response yet. */
    expect: Expected,
    /** Said where `expect` is absent. */
    unanswered: mark,
    body: anyText,
    /** A body that was refused unread. */
    unread: oneOf(['too large', 'not UTF-8', 'too many']),
  },
);
/** A request to the service or the control API; calls of a program and forms of the dashboard are such requests. */
export interface RequestStep extends Is<typeof requestStep> {}

const clockStep = stepOf(['clock'], { /** Which of the waits of this world. */ wait: place }, {});
/** Pending work resumed, because time had passed. */
export interface ClockStep extends Is<typeof clockStep> {}

const receiverStep = stepOf(
  ['receiver'],
  {
    /** Which of the attempts of this world. */
    attempt: place,
    delivery: anyText,
    /** Of what was sent: headers and body. */
    expect: object({ sha256: hash }, { body: anyText }),
  },
  { /** Absent: nothing was sent. */ outcome: { type: 'object' } as Schema<Outcome> },
);
/** A receiver has responded to an event. */
export interface ReceiverStep extends Is<typeof receiverStep> {}

const goneStep = stepOf(['gone'], { /** The position of its request. */ request: place }, {});
/** A client that waited for a response has disconnected. */
export interface GoneStep extends Is<typeof goneStep> {}

export type Step = RequestStep | ClockStep | ReceiverStep | GoneStep;

/** The state before the first step, where the seed is not: earlier steps were dropped, or it was a copy. */
const reproStart = object({
  /** One for what a reset goes back to, one for each snapshot, one for the world if it runs; each may be based on an earlier one. */
  images: array(object({ entries: array<unknown>({}) }, { base: integer() })),
  /** Ids of the snapshots. */
  snapshots: array(anyText),
  runs: boolean(),
  /** How many snapshots were made. */
  taken: integer(),
  attempted: array(anyText),
});

const reproFile = object(
  {
    release: ReleaseWord,
    /** Those that the seed does not determine. */
    options: map('Options.'),
    seed: object({ text: string({ 'x-says': 'a seed as JSON' }) }),
    steps: array<Step>(object({ kind: oneOf(['request', 'control', 'clock', 'receiver', 'gone']) }) as Schema<never>),
  },
  {
    start: reproStart,
    /** How many earlier steps are not in it. Where it is present, steps are not numbered one by one. */
    dropped: integer(),
  },
);

export const REPRO = { file: reproFile, request: requestStep, clock: clockStep, receiver: receiverStep, gone: goneStep };

/** A repro file. Keys and secrets are masked. */
export interface Repro extends Is<typeof reproFile> {
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
