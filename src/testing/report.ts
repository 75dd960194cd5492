// What a failed test shows of its world: clock, faults, journal and deliveries as readable text.
import type { Mock } from '../mock/mock.ts';
import { attemptLines, deliveryLine, indented, requestLine, whyLines } from './lines.ts';

/** So many of the newest are shown with all their lines; the rest is counted. */
const MOST = 100;

const titled = (title: string, all: number, lines: readonly string[]): string[] => {
  const earlier = all - MOST;
  return ['', `${title}: ${all}`, ...(earlier > 0 ? [`  … ${earlier} earlier ones are left out`] : []), ...lines];
};

/** The state of a world for people: why each request was answered so, what became of each event. */
export const reportOf = ({ id, clock, faults, requests, deliveries }: Witness): string => {
  const ordered = faults.list();
  const asked = requests;
  const sent = deliveries;
  return [
    `wm-mock world ${id}, clock ${clock.now} (${clock.mode})`,
    ...titled(
      'Requests',
      asked.length,
      asked.slice(-MOST).flatMap((request) => [`  ${requestLine(request)}`, ...indented(whyLines(request))]),
    ),
    ...titled(
      'Deliveries',
      sent.length,
      sent.slice(-MOST).flatMap((delivery) => [`  ${deliveryLine(delivery)}`, ...indented(attemptLines(delivery))]),
    ),
    ...(ordered.length === 0
      ? []
      : titled(
          'Faults',
          ordered.length,
          ordered.slice(-MOST).map((fault) => `  ${JSON.stringify(fault)}`),
        )),
    '',
  ].join('\n');
};

/** A mock, or one of its worlds. */
export type Witness = Pick<Mock, 'id' | 'clock' | 'requests' | 'deliveries' | 'faults'> & Partial<Pick<Mock, 'compatibility'>>;
