// Reads the steps of a file: the worlds they make, the requests they are, and which of them form the file of another world.
import { type Made, madeByRequest, pastOf } from './past-worlds.ts';
import type { Repro, RequestStep, Step } from './steps.ts';

/** A host's name for the first world of a file. */
export const MAIN = 'default';

/** The world that a step has made. */
export const madeBy = (step: Step): Made | undefined => {
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
  const past = pastOf(all, ({ step }) => madeBy(step), world).steps.map(({ step }) => step);
  const places = new Map(past.map(({ n }, i) => [n, i + 1]));
  const steps = past.map(({ step: { joined: _, ...step }, n, turn }, i): Step => {
    const own = { ...step, n: places.get(n)!, ...(turn === past[i - 1]?.turn && { joined: true as const }) } as Step;
    return own.kind === 'gone' ? { ...own, request: places.get(own.request)! } : own;
  });
  return { ...repro, ...(world !== MAIN && { world }), steps };
};

/** Bodies that are refused unread. */
const UNREAD = {
  'too large': () => new Uint8Array(2 * 1_048_576).fill(0x20),
  'not UTF-8': () => new Uint8Array([0xff]),
  'too many': () => '',
} as const;

const withId = (body: string, id: string): string => JSON.stringify({ ...(JSON.parse(body || '{}') as object), id });

/** The request of a step. @param made the world that it made originally: sequential ids depend on worlds outside this file */
export const requestOf = ({ method, path, headers, body, unread, world }: RequestStep, made: Made | undefined): Request => {
  const { host = 'mock.local', 'content-length': _, 'transfer-encoding': __, connection: ___, ...kept } = headers;
  const prefix = world === undefined ? '' : `/worlds/${world}`;
  const named = made && !made.refused ? withId(body || '', made.id) : undefined;
  const sent = unread === undefined ? named || body : UNREAD[unread]();
  const isBodiless = method === 'GET' || method === 'HEAD' || sent === undefined;
  const request = new Request(`http://${host}${prefix}${path}`, { method, ...(isBodiless ? {} : { body: sent }) });
  // A page may not set each of them, and a body brings one of its own.
  Object.defineProperty(request, 'headers', { value: new Headers({ ...kept, host }) });
  return request;
};
