// The text that shows a started mock to a person.
import type { Mock } from '../../mock/api/mock.ts';
import { escapeControls, several } from '../../mock/api/report.ts';
import type { Server } from '../server/listen.ts';

const COUNTED_RECORDS = ['project', 'task', 'user', 'team', 'comment', 'webhook'] as const;

export const quoteText = (text: string): string =>
  /^[\w .:-]*$/.test(text) ? `"${text}"` : `'${escapeControls(text).replaceAll("'", "'\\''")}'`;

export const formatBanner = (
  mock: Mock,
  server: Server,
  facts: {
    version: string;
    seed: string;
    colour: boolean;
    noControl?: boolean;
    addresses?: readonly string[];
    save?: unknown;
    record?: unknown;
  },
): string => {
  const bold = (text: string) => (facts.colour ? `\u001b[1m${text}\u001b[22m` : text);
  const dim = (text: string) => (facts.colour ? `\u001b[2m${text}\u001b[22m` : text);
  const { world } = mock;
  const { token } = mock.guard;
  const seen = new Set<string>();
  const first = mock.keys.filter(({ scope }) => !seen.has(scope) && seen.add(scope));
  const keys = first.map(({ value, scope, workspace_id, user_id }) => {
    const name = world.store.users.get(user_id)?.value.name ?? user_id;
    const whose = `${name}, ${world.workspaces.get(workspace_id)?.name}`;
    return `    ${scope.padEnd(6)} ${bold(escapeControls(value).padEnd(24))} ${dim(escapeControls(whose))}`;
  });
  const counts = COUNTED_RECORDS.flatMap((one) => {
    const { size } = world.store[`${one}s`];
    return size > 0 ? [several(size, one)] : [];
  });
  const clock = world.clock.mode === 'frozen' ? `frozen at ${new Date(world.clock.now()).toISOString()}` : 'running';
  const kept = [
    ...(facts.save ? [`${escapeControls(String(facts.save))} keeps the data`] : []),
    ...(facts.record ? [`all that comes in is written to ${escapeControls(String(facts.record))}`] : []),
  ];
  const [key] = first;
  const curl = key
    ? [`  Try   curl -H ${quoteText(`Authorization: Bearer ${key.value}`)} "${server.baseUrl}/tasks?limit=3"`, '']
    : [];
  return [
    '',
    `  ${bold('wm-mock')} ${facts.version}`,
    '',
    `  API   ${bold(server.baseUrl)}`,
    ...(facts.addresses ?? []).map((address) => `        http://${address}:${server.port}/v1`),
    ...(facts.noControl ? [] : [`  Dash  ${bold(`${server.origin}/`)}`]),
    `  Docs  ${server.origin}/docs   ${dim(`${server.origin}/openapi.json`)}`,
    ...(facts.noControl ? [] : [`  Ctrl  ${server.origin}/_mock${token === undefined ? '' : `   token ${bold(token)}`}`]),
    `  Seed  ${escapeControls(facts.seed)} ${dim(`(${counts.join(', ') || 'empty'}; clock ${clock})`)}`,
    '',
    '  Keys',
    ...keys,
    '',
    ...curl,
    `  ${dim(`Ctrl+C stops it; ${kept.join(', and ') || 'nothing is kept'}.`)}`,
    '',
  ].join('\n');
};
