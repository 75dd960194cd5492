// Operators on the budget: what its headers say of it, and what a request beyond it does.
import type { Answer } from './answer.ts';
import { type Call, isOp, keyOf } from './call.ts';
import { blank, type Lab, type Make, type OperatorMutant, operator, refuse } from './core.ts';
import { WRITES } from './tables.ts';

const LIMIT = 'x-ratelimit-limit';
const LEFT = 'x-ratelimit-remaining';
const RESET = 'x-ratelimit-reset';

interface Scene {
  readonly lab: Lab;
  readonly call: Call;
  /** Answers before this one. */
  readonly nth: number;
  readonly first: Readonly<Record<string, string>>;
}

const put = (answer: Answer, name: string, value: string): boolean => {
  if (answer.headers[name] === undefined || answer.headers[name] === value) return false;
  answer.headers[name] = value;
  return true;
};
const number = (answer: Answer, name: string): number => Number(answer.headers[name]);

const FAULTS: Readonly<Record<string, (answer: Answer, scene: Scene) => boolean>> = {
  'Remaining never falls': (answer) => put(answer, LEFT, answer.headers[LIMIT]!),
  'Remaining above Limit': (answer) => put(answer, LEFT, String(number(answer, LIMIT) + 1)),
  'Remaining a fraction': (answer) => put(answer, LEFT, `${answer.headers[LEFT]}.5`),
  'Remaining with a unit': (answer) => put(answer, LEFT, `${answer.headers[LEFT]} requests`),
  'Limit with its window': (answer) => put(answer, LIMIT, `${answer.headers[LIMIT]};w=60`),
  'Limit changes': (answer, { nth }) => put(answer, LIMIT, String(number(answer, LIMIT) + (nth % 2))),
  'Limit differs by key': (answer, { call, lab }) =>
    keyOf(call) === lab.keys.read && put(answer, LIMIT, String(number(answer, LIMIT) * 2)),
  'Limit of an hour': (answer) => put(answer, LIMIT, String(number(answer, LIMIT) * 60)),
  'Reset in milliseconds': (answer) => put(answer, RESET, `${answer.headers[RESET]}000`),
  'Reset as seconds to wait': (answer, { lab }) =>
    put(answer, RESET, String(Math.max(0, number(answer, RESET) - Math.floor(lab.now() / 1000)))),
  'Reset a date': (answer) => put(answer, RESET, new Date(number(answer, RESET) * 1000).toISOString()),
  'Reset past': (answer) => put(answer, RESET, String(number(answer, RESET) - 3600)),
  'Reset an hour ahead': (answer) => put(answer, RESET, String(number(answer, RESET) + 3600)),
  'Reset never moves': (answer, { first, lab }) => put(answer, RESET, first[RESET]!) && Number(first[RESET]) * 1000 < lab.now(),
};

/** What shows only in a run of more than a minute. */
const LONG = ['Reset never moves'];

/** Which answers are spoilt. */
const WHERE: Readonly<Record<string, (call: Call, answer: Answer) => boolean>> = {
  always: () => true,
  reads: ({ method }, answer) => method === 'GET' && answer.ok,
  writes: ({ method }, answer) => method !== 'GET' && answer.ok,
  refusals: (_call, answer) => !answer.ok,
};

/** What is told only over several answers of one kind is not told of refusals, which may cost nothing. */
const visible = (name: string, where: string): boolean => {
  if (name === 'Limit of an hour' || name === 'Limit changes') return name === 'Limit changes' || where !== 'always';
  if (['Remaining never falls', 'Reset never moves'].includes(name)) return where !== 'refusals' && where !== 'writes';
  return !(name === 'Limit differs by key' && where === 'writes');
};

const headers: readonly OperatorMutant[] = Object.entries(FAULTS).flatMap(([name, change]) =>
  Object.entries(WHERE)
    .filter(([where]) => visible(name, where))
    .map(([where, test]) =>
      operator(
        'rate',
        'rate limits',
        LONG.includes(name) ? { allow: ['webhooks', 'slow'] } : {},
      )(`${name}, ${where}`, (lab) => {
        let nth = 0;
        let first: Record<string, string> | undefined;
        return async (call, next) => {
          const answer = await next(call);
          if (!call.home || answer.status === 401 || !test(call, answer)) return answer;
          first ??= { ...answer.headers };
          lab.hit(change(answer, { lab, call, nth: nth++, first }));
          return answer;
        };
      }),
    ),
);

/** How many requests of the true budget are held back, so that a request beyond the told one can still be carried out. */
const HELD = 20;

/** A budget that is told smaller than it is: what comes after is answered 429, and done all the same where the operator says so. */
const overBudget =
  (op: string | undefined, early: number): Make =>
  (lab) => {
    let [told, until] = [HELD, 0];
    return async (call, next) => {
      const spent = call.home && told <= early && lab.now() < until;
      const idle = spent && call.method !== 'GET' && !(op !== undefined && isOp(op)(call));
      const answer = idle ? await blank(lab, call, next) : await next(call);
      if (!call.home || answer.status === 401 || answer.status === 429) return answer;
      const left = number(answer, LEFT) - HELD;
      answer.headers[LIMIT] = String(number(answer, LIMIT) - HELD);
      answer.headers[LEFT] = String(Math.max(0, left));
      [told, until] = [left, number(answer, RESET) * 1000];
      if (left >= early) return answer;
      lab.hit(op === undefined ? left >= 0 : isOp(op)(call) && answer.ok);
      return refuse(answer, 429);
    };
  };

const beyond: readonly OperatorMutant[] = [
  ...WRITES.filter(({ id }) => id !== 'create_webhook').map(({ id }) =>
    operator('429-and-done', 'refused requests')(id, overBudget(id, 0), { allow: ['quota'], on: 'reference' }),
  ),
  operator('429-early', 'rate limits')('five too early', overBudget(undefined, 5), { allow: ['quota'], on: 'reference' }),
];

export const rateMutants: readonly OperatorMutant[] = [...headers, ...beyond];
