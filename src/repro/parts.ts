// What the steps of a file say: the worlds that they make, the requests that they are, and which of them are the file of another world.
import { isMakingWorlds, madeByCall, madeByControl, type Repro, type RequestStep, type Step } from './file.ts';
import { type Made, pastOf } from './past.ts';

/** The world that a file begins with, as a host calls it. */
export const MAIN = 'default';

/** The world that a step has made. */
export const madeBy = (step: Step): Made | undefined => {
  if (!('expect' in step) || !step.expect || !('status' in step.expect)) return undefined;
  const { status, body = '' } = step.expect;
  if ('call' in step) return status === 200 ? madeByCall(step.call, step.given) : undefined;
  return 'path' in step && status === 201 && isMakingWorlds(step.method, step.path)
    ? madeByControl(step.body ?? '', body)
    : undefined;
};

export const worldOf = ({ world = MAIN }: Step): string => world;

/** The file of a world as it was when so many steps of another had been played. */
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

/** The request of a step. @param made the world that it made then: ids that are given by turns follow from what other files hold */
export const requestOf = ({ method, path, headers, body, unread, world }: RequestStep, made: Made | undefined): Request => {
  const { host = 'mock.local', 'content-length': _, 'transfer-encoding': __, connection: ___, ...kept } = headers;
  const prefix = world === undefined ? '' : `/worlds/${world}`;
  const named = made && JSON.stringify({ ...(JSON.parse(body || '{}') as object), id: made.id });
  const sent = unread === undefined ? (named ?? body) : UNREAD[unread]();
  return new Request(`http://${host}${prefix}${path}`, {
    method,
    headers: { ...kept, host },
    ...(method === 'GET' || method === 'HEAD' || sent === undefined ? {} : { body: sent }),
  });
};
