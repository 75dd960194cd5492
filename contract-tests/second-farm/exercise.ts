// The scripted client session that shows whether a fault can be seen at all.
import { access, people, projects, tasks } from './exercise-records.ts';
import { budget, errors, events, lists, many, retries, strangers } from './exercise-rest.ts';
import type { Service } from './service/service.ts';
import { Session } from './session.ts';
import type { StyleName } from './styles.ts';

/** Each part runs on a server of its own. */
export const PARTS = { people, projects, tasks, errors, strangers, events, retries, access, lists, budget, many } as const;
export type Part = keyof typeof PARTS;

/** What a client wrote down in one part of the session. */
export const exercise = async (part: Part, style: StyleName, alter?: (service: Service) => void): Promise<Session> => {
  const session = new Session(style, alter);
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

/** The first thing that a client sees differently; undefined when the fault cannot be seen. */
export const firstDifference = async (style: StyleName, alter: (service: Service) => void): Promise<Difference | undefined> => {
  for (const part of Object.keys(PARTS) as Part[]) {
    const conforming = await baseline(part, style);
    const { transcript } = await exercise(part, style, alter);
    const at = conforming.findIndex((line, index) => line !== transcript[index]);
    if (at >= 0 || transcript.length > conforming.length) {
      const index = at < 0 ? conforming.length : at;
      return { part, conforming: conforming[index] ?? '', faulty: transcript[index] ?? '' };
    }
  }
  return undefined;
};
