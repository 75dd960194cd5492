// Makes the calls of a program's members in its own process: checked, at once where a call waits for nothing.
import { Problem } from '../../service/contract/errors.ts';
import { IN_PROCESS } from '../control/guard.ts';
import type { Host } from '../control/host.ts';
import type { Instance } from '../control/instance.ts';
import { invoke } from '../control/invoke.ts';
import type { CallInput } from '../control/recorder.ts';
import { refusalOfMember, validate, withoutUndefined } from '../control/validate.ts';
import { type Handle, MEMBER_CALLS, type MemberCall } from './member-calls.ts';
import { once } from './members.ts';

/** The members whose names begin so, without that. */
export type MakeCall = <T extends object>(prefix: string) => T;

/** The addresses in responses begin with its own. */
const ownRequest = once(() => new Request(`http://${IN_PROCESS}/_mock`));

const checkedInput = ({ input, options, validates }: MemberCall, given: readonly unknown[]): CallInput => {
  if (options !== undefined) {
    const first = given[0] === undefined ? {} : withoutUndefined(given[0]);
    validate(options, first);
    return (input as (...given: readonly unknown[]) => CallInput)(first);
  }
  const made = (input as (...given: readonly unknown[]) => CallInput)(...given);
  const whole = 'body' in made ? { ...made, body: withoutUndefined(made.body) } : made;
  if (validates !== undefined) validate(validates, whole.body);
  return whole;
};

/** @param at gives the mock of another world of the host */
export const callerOf = ({ host, instance }: { readonly host: Host; readonly instance: Instance }, at: Handle['at']) => {
  const call = (name: string, member: MemberCall, given: readonly unknown[], seed?: CallInput['seed']): unknown => {
    const site = { host, instance, request: ownRequest(), title: `mock.${name}` };
    const resultOf = (response: unknown) => (member.result as ((...of: unknown[]) => unknown) | undefined)?.(response, handle);
    const refused = (error: unknown): unknown => {
      if (member.missing !== undefined && error instanceof Problem && error.status === 404) return member.missing;
      throw refusalOfMember(name, error);
    };
    try {
      const response = invoke(member, site, { ...checkedInput(member, given), ...(seed && { seed }) });
      return response instanceof Promise ? response.then(resultOf, refused) : resultOf(response);
    } catch (error) {
      return refused(error);
    }
  };
  const handle: Handle = { at, run: (name, given) => call(name, MEMBER_CALLS[name], given) };
  const make: MakeCall = <T extends object>(prefix: string) =>
    Object.fromEntries(
      Object.entries(MEMBER_CALLS)
        .filter(([name]) => name.startsWith(prefix) && !name.slice(prefix.length).includes('.'))
        .map(([name, member]) => [name.slice(prefix.length), (...given: unknown[]) => call(name, member, given)]),
    ) as T;
  return { call, make };
};
export type Caller = ReturnType<typeof callerOf>;
