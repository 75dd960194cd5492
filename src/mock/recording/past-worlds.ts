// Finds the steps of a world's file: those of its ancestors up to each fork, its own, and those of worlds made from it.
import type { PlainResponse } from '../../service/http/respond.ts';
import type { Repro, RequestStep, Step } from './steps.ts';

export interface MadeWorld {
  readonly id: string;
  /** Made from the whole recording, which then belongs to it; else from the other world's state. */
  readonly rewound: boolean;
  /** None was made because the name was taken, perhaps by a world that is left out. */
  readonly refused?: true;
}

/** The world that a request has made, other than its own. */
export const madeByRequest = (
  { method, path }: Pick<RequestStep, 'method' | 'path'>,
  body: string | undefined,
  { status, text }: Pick<PlainResponse, 'status' | 'text'>,
  own: string,
): MadeWorld | undefined => {
  if (method !== 'POST' || path !== '/_mock/worlds' || (status !== 201 && status !== 409)) return undefined;
  const { id } = JSON.parse(text) as { readonly id: string };
  return id === own ? undefined : { id, rewound: /"at":/.test(body ?? ''), ...(status === 409 && { refused: true as const }) };
};

interface PastStep {
  readonly n: number;
  readonly world: string;
  readonly made?: MadeWorld | undefined;
}

export interface WorldPast<S> {
  /** The first world. */
  readonly root: string;
  /** In order; what happened after a position no longer concerns the world. */
  readonly steps: readonly { readonly step: S; readonly upTo: number }[];
}

/** @param all the steps of all worlds, in order */
export const pastOf = <S extends PastStep>(all: readonly S[], world: string): WorldPast<S> => {
  // Nothing is kept of a closed world: steps of its name belong to the last one.
  const makings = new Map(all.flatMap((step) => (step.made && !step.made.refused ? [[step.made.id, step] as const] : [])));
  const family = (id: string): readonly string[] => [
    id,
    ...[...makings].flatMap(([made, step]) => (step.world === id ? family(made) : [])),
  ];
  const past = (id: string, upTo: number, next?: S): WorldPast<S> => {
    const making = makings.get(id);
    const before = making && past(making.world, making.n, making);
    const isWhole = next === undefined || next.made!.rewound;
    const worlds = new Set(isWhole ? family(id) : [id]);
    const own = all.filter((step) => worlds.has(step.world) && step.n <= upTo);
    // Other worlds made from its ancestors do not belong to it.
    const isKept = (step: S) => (isWhole ? !making || !step.made?.refused : step === next || !step.made);
    const steps = own.filter(isKept).map((step) => ({ step, upTo: step === next ? Number.POSITIVE_INFINITY : upTo }));
    return { root: before?.root ?? id, steps: [...(before?.steps ?? []), ...steps] };
  };
  return past(world, Number.POSITIVE_INFINITY);
};

/** A host's name for the first world of a file. */
export const MAIN = 'default';

export const worldOf = ({ world = MAIN }: Step): string => world;

export const worldMadeInFile = (step: Step): MadeWorld | undefined => {
  if (!('path' in step) || !step.expect) return undefined;
  const { status, body = '' } = step.expect;
  return madeByRequest(step, step.body, { status, text: body }, worldOf(step));
};

/** The file of a world as it was after a number of steps of another. */
export const partOf = (repro: Repro, played: number, world: string): Repro => {
  let turn = 0;
  const all = repro.steps.slice(0, played).map((step) => {
    if (!step.joined) turn += 1;
    return { step, n: step.n, world: worldOf(step), made: worldMadeInFile(step), turn };
  });
  const past = pastOf(all, world).steps.map(({ step }) => step);
  const places = new Map(past.map(({ n }, i) => [n, repro.dropped === undefined ? i + 1 : n]));
  const steps = past.map(({ step: { joined: _, ...step }, n, turn }, i): Step => {
    const own = { ...step, n: places.get(n)!, ...(turn === past[i - 1]?.turn && { joined: true as const }) } as Step;
    return own.kind === 'gone' ? { ...own, request: places.get(own.request)! } : own;
  });
  return { ...repro, world, steps };
};
