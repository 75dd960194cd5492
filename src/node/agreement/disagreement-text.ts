// Says how a screen disagrees with its service: what differs, and which request made a response out of date.
import type { ScreenDifference } from './compare-screens.ts';
import type { FreshRead } from './second-page.ts';
import type { TrackedPage, TrackedRequest } from './tracked-page.ts';
import { formatChange, formatPastRequest, type WorldHistory } from './world-history.ts';

const MAX_SHOWN_DIFFERENCES = 8;
const MAX_REQUESTS = 3;
const MAX_CHARS = 120;

const cut = (text: string): string => (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text);
const quote = (difference: ScreenDifference, side: 'shown' | 'expected'): string =>
  cut(difference[side].map(({ text }) => text).join(' · ')) || '(nothing)';

const describePlace = ({ path }: ScreenDifference): string =>
  path
    .filter((name) => !/^(div|span|body|main)\b/.test(name))
    .slice(-3)
    .join(' › ') || 'page';

const describeDifference = (difference: ScreenDifference): readonly string[] => {
  const { kind } = difference;
  const title = kind === 'order' ? `${describePlace(difference)}, in another order:` : `${describePlace(difference)}:`;
  return [
    `  ${title}`,
    ...(kind === 'missing' ? [] : [`    - ${quote(difference, 'shown')}`]),
    ...(kind === 'extra' ? [] : [`    + ${quote(difference, 'expected')}`]),
  ];
};

/** The last read of each URL that the service would answer otherwise now. */
const staleReads = (first: TrackedPage, fresh: readonly FreshRead[]): TrackedRequest[] =>
  fresh.flatMap(({ url, sent }) => {
    const last = first.requests.findLast((one) => one.method === 'GET' && one.url === url && one.past !== undefined);
    return last && JSON.stringify(last.past!.entry().response.body) !== JSON.stringify(sent) ? [last] : [];
  });

const describeCause = (first: TrackedPage, history: WorldHistory, fresh: readonly FreshRead[]): readonly string[] => {
  const stale = staleReads(first, fresh);
  const writes = first.requests.filter(({ method, past }) => method !== 'GET' && past);
  const last = writes.at(-1)?.past;
  if (stale.length === 0) {
    const failed =
      last && (last.status >= 400 || last.status === 0)
        ? ` Its last change failed, ${cut(formatPastRequest(last))}: was it taken back?`
        : '';
    return [`No response that the page read is out of date: it shows something that it did not read.${failed}`];
  }
  return stale.slice(0, MAX_REQUESTS).flatMap(({ past }) => {
    const since = history.changes.filter(({ n }) => n > past!.after);
    const whole = [...new Set(since.map(formatChange))].slice(-MAX_REQUESTS);
    return [
      `Out of date: ${cut(formatPastRequest(past!))}, the last read of this list or record.`,
      ...(whole.length === 0 ? [] : [`  since then: ${whole.join('; ')}`]),
    ];
  });
};

export const describeDisagreement = (
  differences: readonly ScreenDifference[],
  first: TrackedPage,
  history: WorldHistory,
  fresh: readonly FreshRead[],
): string => {
  const more = differences.length - MAX_SHOWN_DIFFERENCES;
  return [
    'The screen does not agree with the service: after a reload it would show something else.',
    '',
    '  - the screen',
    '  + after a reload',
    ...differences.slice(0, MAX_SHOWN_DIFFERENCES).flatMap(describeDifference),
    ...(more > 0 ? [`  and ${more} more`] : []),
    '',
    ...describeCause(first, history, fresh),
    'If this is state of the page alone, leave it out with `ignore` or the attribute data-wm-own: see docs/agreement.md.',
  ].join('\n');
};
