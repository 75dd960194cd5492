// The matchers, shared by all runners: received, delivered, no warnings.

import type { Compatibility } from '../mock/control/calls/release.ts';
import type { OperationId } from '../service/contract/operations.ts';
import type { EventName } from '../service/contract/resources.ts';
import type { ClientWarning } from '../service/http/client-warnings.ts';
import type { Delivery } from '../service/webhooks/delivery.ts';
import { checkPattern } from './check-patterns.ts';
import { matchesShape, showValue } from './match-shape.ts';
import { type DeliveryPattern, nearest, patternText, type RequestPattern, requestFits } from './pattern.ts';
import { deliveryLines, indented, requestLine, requestLines } from './show-lines.ts';
import type { Witness } from './world-description.ts';

/** A matcher's result, as runners take it. */
export interface Judgement {
  readonly pass: boolean;
  readonly message: () => string;
}

export interface WarningOptions {
  /** Warnings that the test expects. */
  readonly except?: readonly ClientWarning['code'][];
}

const MOST_SHOWN = 3;
const MOST_WARNED = 10;

const witness = (received: unknown, name: string): Witness => {
  const { requests, deliveries } = (received ?? {}) as Partial<Witness>;
  if (!Array.isArray(requests) || !Array.isArray(deliveries))
    throw new TypeError(`${name}: expected a mock, as in expect(mock).${name}(…), got ${showValue(received)}.`);
  return received as Witness;
};

const often = (count: number): string => (count === 1 ? 'once' : `${count} times`);
const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
const wanted = (times: number | undefined): string => (times === undefined ? 'at least once' : often(times));
const counts = (count: number, times: number | undefined): boolean => (times === undefined ? count > 0 : count === times);
const block = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : ['', title, ...lines]);

/** Whether requests of an operation, or that match a pattern, were received: at least one, or exactly `times`. */
export const toHaveReceived = (received: Witness, expected: OperationId | RequestPattern, times?: number): Judgement => {
  const { requests } = witness(received, 'toHaveReceived');
  const pattern: RequestPattern = typeof expected === 'string' ? { operation: expected } : expected;
  checkPattern('toHaveReceived', 'received', pattern);
  checkPattern('toHaveReceived', 'beside', { times });
  const fitting = requests.filter((request) => requestFits(pattern, request));
  const pass = counts(fitting.length, times);
  const message = () => {
    const shown = fitting.slice(-MOST_SHOWN).flatMap((request) => requestLines(request));
    const others = pass ? [] : nearest(pattern, requests, MOST_SHOWN);
    const differing = others.flatMap(({ request, says }) => requestLines(request, says));
    return [
      `expected ${pass ? 'no' : 'a'} request with ${patternText(pattern)}${pass && times === undefined ? '' : `, ${wanted(times)}`}`,
      `received ${fitting.length === 0 ? 'none' : often(fitting.length)}; ${counted(requests.length, 'request')} in all`,
      ...block('Those that fit:', shown),
      ...block('The nearest others:', differing),
    ].join('\n');
  };
  return { pass, message };
};

const deliveryFits = ({ state = 'delivered', webhook, url, attempts, data }: DeliveryPattern, delivery: Delivery): boolean =>
  delivery.state === state &&
  (webhook === undefined || delivery.webhook_id === webhook) &&
  (url === undefined || matchesShape(url, delivery.url)) &&
  (attempts === undefined || delivery.attempts.length === attempts) &&
  (data === undefined || matchesShape(data, delivery.event.data));

/** Whether an event reached a receiver: at least one delivery was acknowledged, or matches the pattern. */
export const toHaveDelivered = (received: Witness, event: EventName, pattern: DeliveryPattern = {}): Judgement => {
  const { deliveries } = witness(received, 'toHaveDelivered');
  checkPattern('toHaveDelivered', 'beside', { event: event ?? null });
  checkPattern('toHaveDelivered', 'delivered', pattern);
  const ofEvent = deliveries.filter((delivery) => delivery.event.event === event);
  const fitting = ofEvent.filter((delivery) => deliveryFits(pattern, delivery));
  const { times, ...parts } = pattern;
  const pass = counts(fitting.length, times);
  const others = (ofEvent.length > 0 ? ofEvent : deliveries).slice(-MOST_SHOWN);
  const message = () => {
    const lines = others.flatMap((one) => deliveryLines(one, [`data ${JSON.stringify(one.event.data)}`]));
    return [
      `expected ${pass ? 'no' : 'a'} delivery of ${event} with ${showValue({ state: 'delivered', ...parts })}${pass && times === undefined ? '' : `, ${wanted(times)}`}`,
      `found ${fitting.length}, of ${counted(ofEvent.length, 'delivery', 'deliveries')} of the event and ${deliveries.length} in all`,
      ...block('Deliveries:', lines),
    ].join('\n');
  };
  return { pass, message };
};

/** Whether the client kept to the contract: no unknown parameter, no early retry, no key in a URL. */
export const toHaveNoClientWarnings = (received: Witness, options: WarningOptions = {}): Judgement => {
  const { requests } = witness(received, 'toHaveNoClientWarnings');
  checkPattern('toHaveNoClientWarnings', 'warnings', options);
  const { except } = options;
  const warned = requests.flatMap((request) => {
    const warnings = request.warnings.filter(({ code }) => !except?.includes(code));
    return warnings.length === 0 ? [] : [{ request, warnings }];
  });
  const message = () =>
    warned.length === 0
      ? `expected warnings on what the client did, found none in ${counted(requests.length, 'request')}`
      : [
          `expected no warnings on what the client did, found them on ${warned.length} of ${counted(requests.length, 'request')}`,
          ...warned
            .slice(0, MOST_WARNED)
            .flatMap(({ request, warnings }) => [
              `  ${requestLine(request)}`,
              ...indented(warnings.map(({ code, says }) => `${code}: ${says}`)),
            ]),
          ...(warned.length > MOST_WARNED ? [`  … and ${warned.length - MOST_WARNED} more`] : []),
        ].join('\n');
  return { pass: warned.length === 0, message };
};

const lookOf = ({ survived, answers, delivered, forward_compat: kinds }: Compatibility): string => {
  if (kinds.length === 0) return 'the mock is not ahead of its clients: start it with forwardCompat';
  if (survived === null) return 'nothing was asked, so nothing was seen';
  return `${counted(answers, 'answer')} and ${counted(delivered, 'delivery', 'deliveries')} carried ${kinds.join(', ')}`;
};

/** Whether a client coped with forward-compatible changes, as far as a server can see; fails without traffic. */
export const toHaveSurvivedForwardCompat = (received: Witness, options: WarningOptions = {}): Judgement => {
  const { compatibility } = witness(received, 'toHaveSurvivedForwardCompat');
  checkPattern('toHaveSurvivedForwardCompat', 'warnings', options);
  const { except } = options;
  if (!compatibility)
    throw new TypeError('toHaveSurvivedForwardCompat: expected a mock of this version, which has `compatibility`');
  const { survived, refused } = compatibility;
  const warnings = compatibility.warnings.filter(({ code }) => !(except as readonly string[] | undefined)?.includes(code));
  const pass = survived !== null && warnings.length + refused.length === 0;
  const message = () =>
    [
      `expected the client ${pass ? 'not ' : ''}to live through a service that is ahead of it`,
      lookOf(compatibility),
      ...indented(warnings.map(({ request, code, says }) => `${request}  ${code}: ${says}`)),
      ...indented(refused.map(({ delivery, event, says }) => `${delivery}  ${event}: ${says}`)),
    ].join('\n');
  return { pass, message };
};

/** For a runner's `expect.extend`. */
export const matchers = { toHaveReceived, toHaveDelivered, toHaveNoClientWarnings, toHaveSurvivedForwardCompat };
