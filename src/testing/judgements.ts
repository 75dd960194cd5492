// The matchers, shared by all runners: received, delivered, no warnings.

import { several } from '../mock/api/report.ts';
import type { OperationId } from '../service/contract/operations.ts';
import type { EventName } from '../service/contract/resources.ts';
import type { ClientWarning } from '../service/http/client-warnings.ts';
import type { Compatibility } from '../service/webhooks/compatibility.ts';
import type { Delivery } from '../service/webhooks/delivery.ts';
import { checkPattern } from './check-patterns.ts';
import {
  type DeliveryPattern,
  findNearest,
  formatPattern,
  matchesShape,
  type RequestPattern,
  requestFits,
  showValue,
} from './pattern.ts';
import { formatDelivery, formatRequest, formatRequestLine, indentLines, type Witness } from './show-lines.ts';

/** A matcher's result, as runners take it. */
export interface Judgement {
  readonly pass: boolean;
  readonly message: () => string;
}

export interface WarningOptions {
  /** Warnings that the test expects. */
  readonly except?: readonly ClientWarning['code'][];
}

const MAX_SHOWN_MATCHES = 3;
const MAX_SHOWN_WARNINGS = 10;

const requireWitness = (received: unknown, name: string): Witness => {
  const { requests, deliveries } = (received ?? {}) as Partial<Witness>;
  if (!Array.isArray(requests) || !Array.isArray(deliveries))
    throw new TypeError(`${name}: expected a mock, as in expect(mock).${name}(…), got ${showValue(received)}.`);
  return received as Witness;
};

const formatTimes = (count: number): string => (count === 1 ? 'once' : `${count} times`);
const describeTimes = (times: number | undefined): string => (times === undefined ? 'at least once' : formatTimes(times));
const isExpectedCount = (count: number, times: number | undefined): boolean =>
  times === undefined ? count > 0 : count === times;
const formatTitledLines = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines];

export const judgeReceived = (received: Witness, expected: OperationId | RequestPattern, times?: number): Judgement => {
  const { requests } = requireWitness(received, 'toHaveReceived');
  const pattern: RequestPattern = typeof expected === 'string' ? { operation: expected } : expected;
  checkPattern('toHaveReceived', 'received', pattern);
  checkPattern('toHaveReceived', 'beside', { times });
  const fitting = requests.filter((request) => requestFits(pattern, request));
  const pass = isExpectedCount(fitting.length, times);
  const message = () => {
    const shown = fitting.slice(-MAX_SHOWN_MATCHES).flatMap((request) => formatRequest(request));
    const others = pass ? [] : findNearest(pattern, requests, MAX_SHOWN_MATCHES);
    const differing = others.flatMap(({ request, says }) => formatRequest(request, says));
    return [
      `expected ${pass ? 'no' : 'a'} request with ${formatPattern(pattern)}${pass && times === undefined ? '' : `, ${describeTimes(times)}`}`,
      `received ${fitting.length === 0 ? 'none' : formatTimes(fitting.length)}; ${several(requests.length, 'request')} in all`,
      ...formatTitledLines('Those that fit:', shown),
      ...formatTitledLines('The nearest others:', differing),
    ].join('\n');
  };
  return { pass, message };
};

const isSimulated = ({ attempts }: Delivery): boolean => attempts.at(-1)?.simulated === true;

const deliveryFits = (pattern: DeliveryPattern, delivery: Delivery): boolean => {
  const { state = 'delivered', simulated = false, webhook, url, attempts, data } = pattern;
  return (
    delivery.state === state &&
    (simulated || !isSimulated(delivery)) &&
    (webhook === undefined || delivery.webhook_id === webhook) &&
    (url === undefined || matchesShape(url, delivery.url)) &&
    (attempts === undefined || delivery.attempts.length === attempts) &&
    (data === undefined || matchesShape(data, delivery.event.data))
  );
};

export const judgeDelivered = (received: Witness, event: EventName, pattern: DeliveryPattern = {}): Judgement => {
  const { deliveries } = requireWitness(received, 'toHaveDelivered');
  checkPattern('toHaveDelivered', 'beside', { event: event ?? null });
  checkPattern('toHaveDelivered', 'delivered', pattern);
  const ofEvent = deliveries.filter((delivery) => delivery.event.event === event);
  const fitting = ofEvent.filter((delivery) => deliveryFits(pattern, delivery));
  const { times, ...parts } = pattern;
  const pass = isExpectedCount(fitting.length, times);
  const simulated = ofEvent.filter((one) => isSimulated(one) && !pattern.simulated).length;
  const others = (ofEvent.length > 0 ? ofEvent : deliveries).slice(-MAX_SHOWN_MATCHES);
  const message = () => {
    const lines = others.flatMap((one) => formatDelivery(one, [`data ${JSON.stringify(one.event.data)}`]));
    return [
      `expected ${pass ? 'no' : 'a'} delivery of ${event} with ${showValue({ state: 'delivered', ...parts })}${pass && times === undefined ? '' : `, ${describeTimes(times)}`}`,
      `found ${fitting.length}, of ${several(ofEvent.length, 'delivery')} of the event and ${deliveries.length} in all`,
      ...(simulated > 0 && !pass
        ? [
            `${simulated} of them ${simulated === 1 ? 'is' : 'are'} simulated: pass { simulated: true } to count such as well, see docs/jest.md`,
          ]
        : []),
      ...formatTitledLines('Deliveries:', lines),
    ].join('\n');
  };
  return { pass, message };
};

export const judgeClientWarnings = (received: Witness, options: WarningOptions = {}): Judgement => {
  const { requests } = requireWitness(received, 'toHaveNoClientWarnings');
  checkPattern('toHaveNoClientWarnings', 'warnings', options);
  const { except } = options;
  const warned = requests.flatMap((request) => {
    const warnings = request.warnings.filter(({ code }) => !except?.includes(code));
    return warnings.length === 0 ? [] : [{ request, warnings }];
  });
  const message = () => {
    const all = several(requests.length, 'request');
    if (warned.length === 0) return `expected warnings on what the client did, found none in ${all}`;
    const shown = warned.slice(0, MAX_SHOWN_WARNINGS).flatMap(({ request, warnings }) => {
      return [`  ${formatRequestLine(request)}`, ...indentLines(warnings.map(({ code, says }) => `${code}: ${says}`))];
    });
    const left = warned.length - MAX_SHOWN_WARNINGS;
    return [
      `expected no warnings on what the client did, found them on ${warned.length} of ${all}`,
      ...shown,
      ...(left > 0 ? [`  … and ${left} more`] : []),
    ].join('\n');
  };
  return { pass: warned.length === 0, message };
};

const describeCompatibility = ({ survived, answers: responses, delivered, forward_compat: kinds }: Compatibility): string => {
  if (kinds.length === 0) return 'the mock is not ahead of its clients: start it with forwardCompat';
  if (survived === null) return 'no requests were made, so nothing was seen';
  return `${several(responses, 'response')} and ${several(delivered, 'delivery')} carried ${kinds.join(', ')}`;
};

export const judgeForwardCompat = (received: Witness, options: WarningOptions = {}): Judgement => {
  const { compatibility } = requireWitness(received, 'toHaveSurvivedForwardCompat');
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
      describeCompatibility(compatibility),
      ...indentLines(warnings.map(({ request, code, says }) => `${request}  ${code}: ${says}`)),
      ...indentLines(refused.map(({ delivery, event, says }) => `${delivery}  ${event}: ${says}`)),
    ].join('\n');
  return { pass, message };
};

export const localMatchers = {
  toHaveReceived: judgeReceived,
  toHaveDelivered: judgeDelivered,
  toHaveNoClientWarnings: judgeClientWarnings,
  toHaveSurvivedForwardCompat: judgeForwardCompat,
};
