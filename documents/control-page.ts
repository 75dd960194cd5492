// docs/control-api.md: the calls of the control API by section.
import { CONTROL, type ControlRow } from '../src/mock/control/operations.ts';

const HEAD = `# The control API

Generated from \`src/mock/control/operations.ts\`; its OpenAPI document is [\`openapi/control.json\`](../openapi/control.json), served at \`/_mock/openapi.json\`.

What the service's dashboard can do, and what a test needs. Bodies are JSON, errors have the API's envelope. It isn't part of \`/v1\` and doesn't count toward rate limits.
Paths are relative to \`/_mock\` (default world) or \`/worlds/{id}/_mock\`.

Lists are returned whole unless you pass \`limit\` or the response would exceed 16 MB. Pass \`next_cursor\` as \`cursor\` to get the next page; the last page has none. The first page of a log (requests, timeline, deliveries, messages) has the newest entries and the next page those before them; within a page, the oldest comes first.

It only accepts requests from this machine: a foreign \`Host\`, a page of another origin and a body that is not \`application/json\` are refused. When the mock is bound beyond loopback, it also requires the token that it prints at startup.
`;

const cells = (row: ControlRow): string => {
  const query = Object.keys(row.query ?? {});
  const call = `\`${row.method} /_mock${row.path}${query.length > 0 ? `?${query.map((name) => `${name}=`).join('&')}` : ''}\``;
  const body = Object.keys((row.body?.properties ?? {}) as object);
  const says = `${row.summary}.${row.description ? ` ${row.description}` : ''}`.replaceAll('|', '\\|');
  return `| ${call} | ${body.map((name) => `\`${name}\``).join(', ')} | ${row.status} | ${says} |`;
};

export const controlPage = (): string => {
  const rows = Object.values(CONTROL) as readonly ControlRow[];
  const tags = [...new Set(rows.map(({ tag }) => tag))];
  const tables = tags.map((tag) => {
    const calls = rows.filter((row) => row.tag === tag).map(cells);
    return `## ${tag}\n\n| call | body | status | does |\n|---|---|---|---|\n${calls.join('\n')}\n`;
  });
  return [HEAD, ...tables].join('\n');
};
