// The control API as a page of Markdown, from its own table.
import { CONTROL, type ControlRow } from './operations.ts';

const HEAD = `# The control API

Generated from \`src/control/operations.ts\`; its OpenAPI document is [\`openapi/control.json\`](../openapi/control.json), served at \`/_mock/openapi.json\`.

The powers of the service's dashboard, and those of a test. JSON in and out, errors in the API's own envelope. It is no part of \`/v1\` and counts against no rate limit.
Every call below stands at \`/_mock\` for the default world and at \`/worlds/{id}/_mock\` for each other one.

It answers this machine alone: a foreign \`Host\`, a page of another origin and a body that is not \`application/json\` are refused, and when the mock is bound beyond loopback it asks for the token that it prints at its start.
`;

const cells = (row: ControlRow): string => {
  const query = Object.keys(row.query ?? {});
  const call = `\`${row.method} /_mock${row.path}${query.length > 0 ? `?${query.map((name) => `${name}=`).join('&')}` : ''}\``;
  const body = Object.keys((row.body?.properties ?? {}) as object);
  const says = `${row.summary}.${row.description ? ` ${row.description}` : ''}`.replaceAll('|', '\\|');
  return `| ${call} | ${body.map((name) => `\`${name}\``).join(', ')} | ${row.status} | ${says} |`;
};

/** The text of docs/control-api.md. */
export const controlPage = (): string => {
  const rows = Object.values(CONTROL) as readonly ControlRow[];
  const tags = [...new Set(rows.map(({ tag }) => tag))];
  const tables = tags.map((tag) => {
    const calls = rows.filter((row) => row.tag === tag).map(cells);
    return `## ${tag}\n\n| call | body | status | does |\n|---|---|---|---|\n${calls.join('\n')}\n`;
  });
  return [HEAD, ...tables].join('\n');
};
