// The scripted client session that shows whether a fault can be seen at all.

import type { Service } from '../judge/reference/service/service.ts';
import { Differs, Session } from '../judge/reference/session.ts';
import type { StyleName } from '../judge/reference/styles.ts';
import { access } from './exercise/access.ts';
import { again } from './exercise/again.ts';
import { almost } from './exercise/almost.ts';
import { corners } from './exercise/corners.ts';
import { dates } from './exercise/dates.ts';
import { elsewhere } from './exercise/elsewhere.ts';
import { events, retries } from './exercise/events.ts';
import { fresh } from './exercise/fresh.ts';
import { budget, errors, strangers } from './exercise/limits.ts';
import { lists, many } from './exercise/lists.ts';
import { namesakes } from './exercise/namesakes.ts';
import { onceMore } from './exercise/once-more.ts';
import { people } from './exercise/people.ts';
import { posted } from './exercise/posted.ts';
import { projects } from './exercise/projects.ts';
import { queue } from './exercise/queue.ts';
import { quick } from './exercise/quick.ts';
import { crowds, rarely } from './exercise/rarely.ts';
import { seams } from './exercise/seams.ts';
import { stacks } from './exercise/stacks.ts';
import { tasks } from './exercise/tasks.ts';
import { texts } from './exercise/texts.ts';
import { wrong } from './exercise/wrong.ts';

/** Each part runs on a server of its own. */
export const PARTS = {
  ...{ people, projects, tasks, errors, strangers, events, retries, access, lists, budget, many },
  ...{ quick, namesakes, dates, texts, wrong, queue, again, corners, stacks, seams },
  ...{ rarely, crowds, almost, elsewhere, posted, fresh, onceMore },
} as const;
export type Part = keyof typeof PARTS;

/** What a client wrote down in one part of the session; with `expected` it ends at the first difference, which it throws. */
export const exercise = async (
  part: Part,
  style: StyleName,
  alter?: (service: Service) => void,
  expected?: readonly string[],
): Promise<Session> => {
  const session = new Session(style, alter, expected);
  await PARTS[part](session);
  return session;
};

export interface Difference {
  readonly part: Part;
  readonly conforming: string;
  readonly faulty: string;
}

const baselines = new Map<string, Promise<readonly string[]>>();

const baseline = (part: Part, style: StyleName): Promise<readonly string[]> => {
  const name = `${part}/${style}`;
  const known = baselines.get(name) ?? exercise(part, style).then(({ transcript }) => transcript);
  baselines.set(name, known);
  return known;
};

const differenceIn = async (part: Part, style: StyleName, alter: (service: Service) => void): Promise<Difference | undefined> => {
  const expected = await baseline(part, style);
  try {
    const { transcript } = await exercise(part, style, alter, expected);
    const left = expected[transcript.length];
    return left === undefined ? undefined : { part, conforming: left, faulty: 'nothing more' };
  } catch (error) {
    if (error instanceof Differs) return { part, conforming: error.expected, faulty: error.actual };
    throw error;
  }
};

/** The first thing that a client sees differently, looked for in some parts first; undefined when the fault cannot be seen. */
export const firstDifference = async (
  style: StyleName,
  alter: (service: Service) => void,
  first: readonly Part[] = [],
): Promise<Difference | undefined> => {
  for (const part of new Set([...first, ...(Object.keys(PARTS) as Part[])])) {
    const found = await differenceIn(part, style, alter);
    if (found) return found;
  }
  return undefined;
};
