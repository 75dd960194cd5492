// Which steps a file of a world holds: those that it comes from, those that came into it, and into the worlds made of it.

/** What came into a world. */
interface Came {
  readonly n: number;
  readonly world: string;
}

/** A world that a step has made. */
export interface Made {
  readonly id: string;
  /** Made of what was recorded, all of which belongs to it; else of how the other world stood. */
  readonly rewound: boolean;
  /** None was made, for the name was taken: by whom is not told where worlds beside it are left out. */
  readonly refused?: true;
}

interface Making<S> extends Made {
  readonly step: S;
}

export interface Past<S> {
  /** The world that all began with. */
  readonly root: string;
  /** In their order; what happened after a place no longer concerns the world. */
  readonly steps: readonly { readonly step: S; readonly upTo: number }[];
}

/** @param all what came into any world, in its order */
export const pastOf = <S extends Came>(all: readonly S[], madeBy: (step: S) => Made | undefined, world: string): Past<S> => {
  const tried = all.flatMap((step): Making<S>[] => {
    const made = madeBy(step);
    return made ? [{ ...made, step }] : [];
  });
  // Nothing is kept of a world that was closed: what came into one of its name came into the last.
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
    // Worlds that were made of those that it comes from are none of its own.
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
