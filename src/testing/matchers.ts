// The matchers for a mock in this process, or in another, which is asynchronous.
import type { OperationId } from '../service/contract/operations.ts';
import type { EventName } from '../service/contract/resources.ts';
import { localMatchers as here, type Judgement, type WarningOptions } from './judgements.ts';
import type { DeliveryPattern, RequestPattern } from './pattern.ts';
import type { Witness } from './show-lines.ts';

/** A mock in another process, from `connect` of `wm-mock/connect`. */
export interface RemoteWitness {
  readonly requests: PromiseLike<Witness['requests']>;
  readonly deliveries: PromiseLike<Witness['deliveries']>;
  readonly compatibility: PromiseLike<NonNullable<Witness['compatibility']>>;
}

/** The matchers, for any runner: `R` is what its matchers return. */
export interface MockMatchers<R = void> {
  /** Requests of an operation, or that match a pattern, were received: at least one, or exactly `times`. */
  toHaveReceived(expected: OperationId | RequestPattern, times?: number): R;
  /** A delivery of the event was acknowledged, or matches the pattern. */
  toHaveDelivered(event: EventName, pattern?: DeliveryPattern): R;
  /** The client kept to the contract. */
  toHaveNoClientWarnings(options?: WarningOptions): R;
  /** Under `forwardCompat`: the client coped with the changes that v1 allows, as far as a server can see. */
  toHaveSurvivedForwardCompat(options?: WarningOptions): R;
}

/** The result of a matcher: a promise for a mock in another process. */
export type MatcherResult<T, R = void> = T extends RemoteWitness ? Promise<void> : R;

type LocalOrRemoteMatcher<A extends readonly unknown[]> = <T extends Witness | RemoteWitness>(
  received: T,
  ...given: A
) => T extends RemoteWitness ? Promise<Judgement> : Judgement;

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as PromiseLike<unknown> | undefined)?.then === 'function';

/** @param beside another member that the matcher reads */
const acceptRemote = <A extends readonly unknown[]>(
  judge: (received: Witness, ...given: A) => Judgement,
  beside?: 'compatibility',
) =>
  ((received: Witness | RemoteWitness, ...given: A) => {
    const requests: unknown = received?.requests;
    if (!isPromise(requests)) return judge(received as Witness, ...given);
    const others = [requests, received.deliveries, ...(beside ? [received[beside]] : [])];
    return Promise.all(others).then(([asked, deliveries, compatibility]) =>
      judge({ requests: asked, deliveries, compatibility } as unknown as Witness, ...given),
    );
  }) as LocalOrRemoteMatcher<A>;

export const toHaveReceived = acceptRemote(here.toHaveReceived);
export const toHaveDelivered = acceptRemote(here.toHaveDelivered);
export const toHaveNoClientWarnings = acceptRemote(here.toHaveNoClientWarnings);
export const toHaveSurvivedForwardCompat = acceptRemote(here.toHaveSurvivedForwardCompat, 'compatibility');

/** For a runner's `expect.extend`. */
export const matchers = { toHaveReceived, toHaveDelivered, toHaveNoClientWarnings, toHaveSurvivedForwardCompat };
