// Ways to spoil who is let in: another key, another status, another code.
import { after, headersOf, type Loose, problem, type Seen, type Wrap } from '../wrap.ts';

export const status = (
  from: number,
  change: (answer: Loose, call: Seen) => void,
  test: (call: Seen) => boolean = () => true,
): Wrap => after((call, answer) => answer.status === from && test(call), change);
export const code = (from: number, to: string): Wrap => status(from, (a) => (a.json.error.code = to));

/** Uses another key for what the test picks. */
export const as =
  (key: string, test: (call: Seen) => boolean): Wrap =>
  () =>
  async (call, next) =>
    next(test(call) ? { ...call, authorization: `Bearer ${key}` } : call);

/** Answers a refusal with a status of its own. */
export const denied =
  (test: (call: Seen) => boolean, to: number, text: string): Wrap =>
  () =>
  async (call, next) =>
    test(call)
      ? { headers: { ...(await headersOf(call, next)), 'content-type': 'application/json' }, ...problem(to, text) }
      : next(call);
