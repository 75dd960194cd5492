// A situation is a row of a table: requests in words, with names in place of ids. It asserts nothing; the oracle and the laws judge what comes back.
import type { Need } from '../engine/check.ts';
import type { Json } from '../engine/exchange.ts';
import type { Tools } from '../engine/tools.ts';

/** 1: every run but a read-only one. 2: every full run. 3 and 4: where the budget of requests has room, in this order. */
export type Tier = 1 | 2 | 3 | 4;

type Body = Json | ((t: Tools) => unknown);

/**
 * `GET /tasks/{s0}`: by the main key. `read PATCH /tasks/{s0}`: by that role's, or with none by `keyless`. `new = POST /projects`: what it makes is
 * `{new}` in later steps. `walk 3 /tasks`: this many pages of a list. `later`: on a virtual clock, time goes by.
 */
export type Step = string | readonly [call: string, body: Body | undefined, more?: More];

export interface More {
  /** A body sent as it stands, or made of the text of the one that is given. */
  readonly raw?: string | ((body: string) => string);
  /** Fields that are wrong, in place of those of the body: what a refusal doesn't name of several is sent alone. */
  readonly wrong?: Readonly<Record<string, unknown>>;
  readonly headers?: (key: string) => Readonly<Record<string, string>>;
}

export interface Row {
  readonly id: string;
  readonly tier: Tier;
  /** It only reads, and needs no record of ours: a read-only run sends it too. */
  readonly anywhere?: true;
  /** Only a read-only run sends it: others see the same elsewhere. */
  readonly alone?: true;
  /** Only a core run sends it: a full one has rows that show more. */
  readonly core?: true;
  /** It shows no more than this, and isn't sent where it has been asked: see `Asked`. */
  readonly unless?: string;
  /** Only a list that is longer shows more. */
  readonly beyond?: readonly [list: string, length: number];
  readonly steps: readonly Step[];
}

/** Rows of one kind, and the requirements that they show. */
export interface Area {
  readonly id: string;
  readonly says: string;
  readonly covers: readonly string[];
  readonly needs?: readonly Need[];
  /** Why a requirement is not seen though all rows were sent. */
  readonly otherwise?: string;
  readonly rows: (t: Tools) => readonly Row[];
}

export const row = (id: string, tier: Tier, ...steps: readonly Step[]): Row => ({ id, tier, steps });

const callOf = (step: Step): string => (typeof step === 'string' ? step : step[0]);

export interface Call {
  readonly as: string | undefined;
  readonly method: string;
  readonly path: string;
  /** The name of what it makes. */
  readonly makes: string | undefined;
  /** Pages that it asks for. */
  readonly pages: number;
}

const CALL = /^(?:(\w+) = )?(?:(\w+) )?(GET|POST|PATCH|PUT|DELETE|walk \d+) (\/.*)$/;

/** @returns undefined for a wait */
export const readStep = (step: Step): Call | undefined => {
  const text = callOf(step);
  if (text === 'later') return undefined;
  const [, makes, as, method, path] = CALL.exec(text) ?? [];
  if (method === undefined || path === undefined) throw new TypeError(`no step of a situation: ${text}`);
  const pages = method.startsWith('walk') ? Number(method.slice('walk '.length)) : 1;
  return { as, method: method.startsWith('walk') ? 'walk' : method, path, makes, pages };
};

/** Requests that a row takes at most; a list is seldom longer than the largest page. */
export const costOf = ({ steps }: Row): number => {
  const cost = (call: Call | undefined) => (call === undefined ? 0 : /limit=100\b/.test(call.path) ? 1 : call.pages);
  return steps.reduce((sum, step) => sum + cost(readStep(step)), 0);
};
