// The world of a failed test as text: clock, faults, journal and deliveries.
import type { Mock } from '../mock/api/mock.ts';
import { formatDelivery, formatRequest } from './show-lines.ts';

const MAX_DESCRIBED = 100;

const describeNewest = <T>(title: string, all: readonly T[], linesOf: (one: T) => readonly string[]): string[] => {
  const earlier = all.length - MAX_DESCRIBED;
  const left = earlier > 0 ? [`  … ${earlier} earlier ones are left out`] : [];
  return ['', `${title}: ${all.length}`, ...left, ...all.slice(-MAX_DESCRIBED).flatMap(linesOf)];
};

export const describeWorld = ({ id, clock, faults, requests, deliveries }: Witness): string => {
  const ordered = faults.list();
  return [
    `wm-mock world ${id}, clock ${clock.now} (${clock.mode})`,
    ...describeNewest('Requests', requests, (request) => formatRequest(request)),
    ...describeNewest('Deliveries', deliveries, (delivery) => formatDelivery(delivery)),
    ...(ordered.length === 0 ? [] : describeNewest('Faults', ordered, (fault) => [`  ${JSON.stringify(fault)}`])),
    '',
  ].join('\n');
};

/** A mock, or one of its worlds. */
export type Witness = Pick<Mock, 'id' | 'clock' | 'requests' | 'deliveries' | 'faults'> & Partial<Pick<Mock, 'compatibility'>>;
