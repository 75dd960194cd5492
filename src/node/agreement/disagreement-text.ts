// Says how a screen disagrees with its service: what differs, and which request made a response out of date.
import type { ScreenDifference } from './compare-screens.ts';
import type { PastRequest, WorldHistory } from './world-history.ts';

const MAX_SHOWN_DIFFERENCES = 8;
const MAX_REQUESTS = 3;
const MAX_CHARS = 120;

const cut = (text: string): string => (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text);
const quote = (texts: readonly string[]): string => cut(texts.join(' · ')) || '(nothing)';
const formatPastRequest = ({ method, path, status, id }: PastRequest): string =>
  cut(`${method} ${path.replaceAll('%5B', '[').replaceAll('%5D', ']')} → ${status} (${id})`);

const describeDifference = ({ place, isOrder, shown, expected }: ScreenDifference): readonly string[] => [
  `  ${place || 'page'}${isOrder ? ', in another order' : ''}:`,
  ...(shown.length > 0 ? [`    - ${quote(shown)}`] : []),
  ...(expected.length > 0 ? [`    + ${quote(expected)}`] : []),
];

const describeCause = (
  past: readonly PastRequest[],
  { requests }: WorldHistory,
  reads: readonly PastRequest[],
): readonly string[] => {
  // The last read of each URL that the service would respond to otherwise now.
  const stale = reads.flatMap(({ path, entry }) => {
    const last = past.findLast((one) => one.method === 'GET' && one.path === path);
    return last && JSON.stringify(last.entry.response.body) !== JSON.stringify(entry.response.body) ? [last] : [];
  });
  if (stale.length === 0) {
    const last = past.findLast(({ method }) => method !== 'GET');
    const failed = last && (last.status >= 400 || last.status === 0);
    const change = failed ? ` Its last change failed, ${formatPastRequest(last)}: was it taken back?` : '';
    return [`The responses that the page read last are up to date, but the screen does not show them.${change}`];
  }
  return stale.slice(0, MAX_REQUESTS).flatMap((read) => {
    const since = requests.slice(requests.indexOf(read) + 1).flatMap((one) => {
      const changed = one.entry.changes.map(({ kind, id }) => `${kind} ${id}`);
      return changed.length > 0 ? [`${formatPastRequest(one)} ${changed.slice(0, MAX_REQUESTS).join(', ')}`] : [];
    });
    return [
      `Out of date: ${formatPastRequest(read)}, the last read of this list or record.`,
      `  since then: ${since.slice(-MAX_REQUESTS).join('; ') || 'a change by the test'}`,
    ];
  });
};

export const describeDisagreement = (
  differences: readonly ScreenDifference[],
  past: readonly PastRequest[],
  history: WorldHistory,
  reads: readonly PastRequest[],
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
    ...describeCause(past, history, reads),
    'If this is state of the page alone, leave it out with `ignore` or the attribute data-wm-own: see docs/agreement.md.',
  ].join('\n');
};
