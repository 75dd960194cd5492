// A request of the journal as text to take along: a line of shell, a call of fetch, a report of a bug.
import { clipText } from '../mock/control/fault-words.ts';
import { nameCheck } from '../service/contract/errors.ts';
import { releaseRow } from '../service/contract/releases.ts';
import type { RequestEntry } from '../service/http/journal-entries.ts';
import type { Context } from './context.ts';
import { listActiveFaults, listChangedChoices, summarizeFault } from './override-strip.tsx';
import { prettyPrintBody } from './traffic-parts.tsx';

/** The value of a key that the seed names; others were shown once and are shown no more. */
const keyValueOf = ({ instance, world }: Context, id: string | null): string | undefined => {
  const known = id === null ? undefined : instance.origin.world.store.keys.get(id)?.value;
  return known && world.store.keys.get(known.id)?.value.value === known.value ? known.value : undefined;
};

const quoteShellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const KEY_PLACEHOLDER = 'Bearer $WM_API_KEY';

const entryBodyText = ({ request: { body } }: RequestEntry): string | null =>
  body === null || typeof body === 'string' ? body : JSON.stringify(body);
const urlOf = (context: Context, { path }: RequestEntry): string => `${context.url.origin}${context.base}${path}`;
const typeOf = ({ request }: RequestEntry): string => request.headers['content-type'] ?? 'text/plain';

/** A line of shell. @param key the header of its key, as the shell is given it */
const writeCurl = (context: Context, entry: RequestEntry, key: string): string => {
  const body = entryBodyText(entry);
  return [
    `curl -X ${entry.method} ${quoteShellText(urlOf(context, entry))}`,
    ...(entry.request.headers.authorization === undefined ? [] : [`-H ${key}`]),
    ...(body === null ? [] : [`-H ${quoteShellText(`content-type: ${typeOf(entry)}`)}`, `-d ${quoteShellText(body)}`]),
  ].join(' \\\n  ');
};

/** A key that the mock may not show is the environment variable `WM_API_KEY`. */
export const snippetsOf = (context: Context, entry: RequestEntry) => {
  const value = keyValueOf(context, entry.key_id);
  const body = entryBodyText(entry);
  const key = value === undefined ? KEY_PLACEHOLDER : `Bearer ${value}`;
  const headers = {
    ...(entry.request.headers.authorization === undefined ? {} : { authorization: key }),
    ...(body === null ? {} : { 'content-type': typeOf(entry) }),
  };
  const init = JSON.stringify({ method: entry.method, headers, body: body ?? undefined }, null, 2);
  return {
    curl: writeCurl(context, entry, value === undefined ? `"authorization: ${key}"` : quoteShellText(`authorization: ${key}`)),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code to copy
    fetch: `const response = await fetch(${JSON.stringify(urlOf(context, entry))}, ${init.replace(`"${KEY_PLACEHOLDER}"`, '`Bearer ${process.env.WM_API_KEY}`')});`,
  };
};

const MAX_FENCED_CHARACTERS = 8000;
const fenceText = (text: string): string => `\`\`\`\n${clipText(text, MAX_FENCED_CHARACTERS)}\n\`\`\``;
const fenceMessage = ({ headers, body }: RequestEntry['response'] | RequestEntry['request']): string =>
  fenceText(
    [...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', body === null ? '' : prettyPrintBody(body)]
      .join('\n')
      .trim(),
  );

export const bugReportOf = (context: Context, entry: RequestEntry): string => {
  const { world, instance } = context;
  const { release, choices, clock } = world;
  const changed = listChangedChoices(world).map((id) => `${id}=${choices[id]}`);
  const state = [
    `service v${releaseRow(release).version}`,
    `world ${instance.id}`,
    entry.at,
    `clock ${clock.mode} now`,
    ...(changed.length > 0 ? [`open points now: ${changed.join(', ')}`] : []),
    ...listActiveFaults(instance).map((fault) => `${fault.id} now: ${summarizeFault(context, fault)}`),
  ];
  return [
    `## ${entry.status === 0 ? 'closed' : entry.status} ${entry.method} ${clipText(entry.path, 300)}`,
    ...state.map((line) => `- ${line}`),
    '### Why',
    ...entry.why.map(({ check, found, part }) => `- ${nameCheck(check)}: ${clipText(found, 600)} (${part})`),
    ...entry.warnings.slice(0, 20).map(({ code, says }) => `- against the contract: ${code}, ${clipText(says, 300)}`),
    '### Request',
    fenceText(writeCurl(context, entry, "'authorization: Bearer <key>'")),
    fenceMessage(entry.request),
    '### Response',
    fenceMessage(entry.response),
    ...(entry.changes.length > 0 ? ['### Changed'] : []),
    ...entry.changes.map(({ kind, collection, id }) => `- ${kind} ${collection} ${id}`),
  ].join('\n');
};
