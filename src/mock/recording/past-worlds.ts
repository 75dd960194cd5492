// Finds the steps of a world's file: those of its ancestors up to each fork, its own, and those of worlds made from it.
import type { Expected, Repro, RequestStep, Step } from './steps.ts';
import type { RecordedStep } from './world-recorder.ts';

/** A step of a world. */
interface WorldStep {
  readonly n: number;
  readonly world: string;
}

/** A world that a step has made. */
export interface MadeWorld {
  readonly id: string;
  /** Made from the whole recording, which then belongs to it; else from the other world's state. */
  readonly rewound: boolean;
  /** None was made because the name was taken, perhaps by a world that is left out. */
  readonly refused?: true;
}

/** The world that a request has made. */
const madeByRequest = (
  { method, path, body = '' }: Pick<RequestStep, 'method' | 'path'> & { readonly body?: string | undefined },
  { status, text }: Pick<Expected, 'status'> & { readonly text: string },
): MadeWorld | undefined => {
  if (method !== 'POST' || path !== '/_mock/worlds' || (status !== 201 && status !== 409)) return undefined;
  const { id } = JSON.parse(text) as { readonly id: string };
  return { id, rewound: /"at":/.test(body), ...(status === 409 && { refused: true as const }) };
};

/** The world that a step has made, other than its own. */
export const worldMadeByStep = ({ input, world, response }: RecordedStep): MadeWorld | undefined => {
  if (!response || !('path' in input)) return undefined;
  const { method, path, body } = input;
  const made = madeByRequest({ method, path, body: body && 'text' in body ? body.text : '' }, response);
  return made?.id === world ? undefined : made;
};

interface WorldMaking<S> extends MadeWorld {
  readonly step: S;
}

export interface WorldPast<S> {
  /** The first world. */
  readonly root: string;
  /** In order; what happened after a position no longer concerns the world. */
  readonly steps: readonly { readonly step: S; readonly upTo: number }[];
}

/** @param all the steps of all worlds, in order */
export const pastOf = <S extends WorldStep>(
  all: readonly S[],
  madeBy: (step: S) => MadeWorld | undefined,
  world: string,
): WorldPast<S> => {
  const tried = all.flatMap((step): WorldMaking<S>[] => {
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
  const past = (id: string, upTo: number, next?: WorldMaking<S>): WorldPast<S> => {
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

/** A host's name for the first world of a file. */
export const MAIN = 'default';

/** The world that a step has made. */
export const worldMadeInFile = (step: Step): MadeWorld | undefined => {
  if (!('expect' in step) || !step.expect || step.kind === 'receiver') return undefined;
  const { status, body = '' } = step.expect;
  const made = madeByRequest(step, { status, text: body });
  return made?.id === worldOf(step) ? undefined : made;
};

export const worldOf = ({ world = MAIN }: Step): string => world;

/** The file of a world as it was after a number of steps of another. */
export const partOf = (repro: Repro, played: number, world: string): Repro => {
  let turn = 0;
  const all = repro.steps.slice(0, played).map((step) => {
    if (!step.joined) turn += 1;
    return { step, n: step.n, world: worldOf(step), turn };
  });
  const past = pastOf(all, ({ step }) => worldMadeInFile(step), world).steps.map(({ step }) => step);
  const places = new Map(past.map(({ n }, i) => [n, i + 1]));
  const steps = past.map(({ step: { joined: _, ...step }, n, turn }, i): Step => {
    const own = { ...step, n: places.get(n)!, ...(turn === past[i - 1]?.turn && { joined: true as const }) } as Step;
    return own.kind === 'gone' ? { ...own, request: places.get(own.request)! } : own;
  });
  return { ...repro, ...(world !== MAIN && { world }), steps };
};
