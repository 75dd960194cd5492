// Finds the steps of a world's file: those of its ancestors up to each fork, its own, and those of worlds made from it.
import type { Expected, RequestStep } from './steps.ts';

/** A step of a world. */
interface WorldStep {
  readonly n: number;
  readonly world: string;
}

/** A world that a step has made. */
export interface Made {
  readonly id: string;
  /** Made from the whole recording, which then belongs to it; else from the other world's state. */
  readonly rewound: boolean;
  /** None was made because the name was taken, perhaps by a world that is left out. */
  readonly refused?: true;
}

/** The world that a request has made. */
export const madeByRequest = (
  { method, path, body = '' }: Pick<RequestStep, 'method' | 'path'> & { readonly body?: string | undefined },
  { status, text }: Pick<Expected, 'status'> & { readonly text: string },
): Made | undefined => {
  if (method !== 'POST' || path !== '/_mock/worlds' || (status !== 201 && status !== 409)) return undefined;
  const { id } = JSON.parse(text) as { readonly id: string };
  return { id, rewound: /"at":/.test(body), ...(status === 409 && { refused: true as const }) };
};

interface Making<S> extends Made {
  readonly step: S;
}

export interface Past<S> {
  /** The first world. */
  readonly root: string;
  /** In order; what happened after a position no longer concerns the world. */
  readonly steps: readonly { readonly step: S; readonly upTo: number }[];
}

/** @param all the steps of all worlds, in order */
export const pastOf = <S extends WorldStep>(all: readonly S[], madeBy: (step: S) => Made | undefined, world: string): Past<S> => {
  const tried = all.flatMap((step): Making<S>[] => {
    const made = madeBy(step);
    return made ? [{ ...made, step }] : [];
  });
  // Nothing is kept of a closed world: steps of its name belong to the last one.
  const makings = new Map(tried.filter(({ refused }) => !refused).map((one) => [one.id, one]));
  const makers = new Set(tried.map(({ step }) => step));
  const refused = new Set(tried.filter((one) => one.refused).map(({ step }) => step));
  const family = (id: string): readonly string[] => [
    id,
    ...[...makings.values()].flatMap((one) => (one.step.world === id ? family(one.id) : [])),
  ];
  const past = (id: string, upTo: number, next?: Making<S>): Past<S> => {
    const making = makings.get(id);
    const before = making && past(making.step.world, making.step.n, making);
    const isWhole = next === undefined || next.rewound;
    const worlds = new Set(isWhole ? family(id) : [id]);
    const own = all.filter((step) => worlds.has(step.world) && step.n <= upTo);
    // Other worlds made from its ancestors do not belong to it.
    const isKept = (step: S) => (isWhole ? !making || !refused.has(step) : step === next.step || !makers.has(step));
    const kept = own.filter(isKept);
    const first = before?.steps ?? [];
    return {
      root: before?.root ?? id,
      steps: [...first, ...kept.map((step) => ({ step, upTo: step === next?.step ? Number.POSITIVE_INFINITY : upTo }))],
    };
  };
  return past(world, Number.POSITIVE_INFINITY);
};
