// A request as a report of a bug: what was asked and answered, why, in which state of the world. No key stands in it.
import { RELEASES } from '../contract/releases.ts';
import { clipped } from '../control/fault-words.ts';
import type { RequestEntry } from '../http/show-exchange.ts';
import type { Context } from './context.ts';
import { curlOf } from './snippets.ts';
import { changedIn, faultSays, strikingIn } from './strip.tsx';
import { prettyOf } from './traffic-parts.tsx';

const LONGEST = 8000;
const fenced = (text: string): string => `\`\`\`\n${clipped(text, LONGEST)}\n\`\`\``;
const message = ({ headers, body }: RequestEntry['response'] | RequestEntry['request']): string =>
  fenced(
    [...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', body === null ? '' : prettyOf(body)]
      .join('\n')
      .trim(),
  );

/** Markdown, ready to be pasted. */
export const bugReportOf = (context: Context, entry: RequestEntry): string => {
  const { world, instance } = context;
  const { release, choices, clock } = world;
  const changed = changedIn(world).map((id) => `${id}=${choices[id]}`);
  const state = [
    `service v${RELEASES[release].version}`,
    `world ${instance.id}`,
    `clock ${clock.mode}`,
    entry.at,
    ...(changed.length > 0 ? [`open points: ${changed.join(', ')}`] : []),
    ...strikingIn(instance).map((fault) => `${fault.id}: ${faultSays(context, fault)}`),
  ];
  return [
    `## ${entry.status === 0 ? 'closed' : entry.status} ${entry.method} ${clipped(entry.path, 300)}`,
    ...state.map((line) => `- ${line}`),
    '### Why',
    ...entry.why.map(({ check, found, part }) => `- ${check}: ${clipped(found, 600)} (${part})`),
    ...entry.warnings.slice(0, 20).map(({ code, says }) => `- against the contract: ${code}, ${clipped(says, 300)}`),
    '### Request',
    fenced(curlOf(context, entry, "'authorization: Bearer <key>'")),
    message(entry.request),
    '### Response',
    message(entry.response),
    ...(entry.changes.length > 0
      ? ['### Changed', ...entry.changes.map(({ kind, collection, id }) => `- ${kind} ${collection} ${id}`)]
      : []),
  ].join('\n');
};
