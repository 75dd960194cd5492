// The open points as a page of documentation.
import { CHOICES } from '../src/service/contract/choices.ts';

const INTRODUCTION = `# Open points of the specification

Generated from \`src/service/contract/choices.ts\` by \`npm run generate\`; do not edit.

Where the specification says "not shown", contradicts itself or is silent, several options conform; wm-mock has a default.
Choose another with \`wm-mock --choice <point>=<option>\`, with a file (\`--choices\`), or under \`choices:\` in a seed.
A test of a real service may require only what all options have in common.
`;

/** Decided without an option: what every client can live with. */
const DECIDED = `## Decided, without an option

- A datetime has the extended form of ISO 8601 with hours, minutes and \`Z\` or \`±hh:mm\`, as in RFC 3339 and in all examples. The
  basic form (\`20250120T100000Z\`), weeks (\`2025-W04-1\`) and offsets of hours alone (\`+02\`) are refused; a service that takes them
  conforms too.
- \`limit\` is written in digits: \`01\` is 1; \`+1\`, \`1.0\` and \`1e1\` are refused.
- A path is decoded in its variables alone: \`/tasks/task%5Fdated\` is the task \`task_dated\`, \`/v1/%74asks\` is no path of the API.
- \`--now\` and \`now\` of a program take a date, which is its midnight in UTC; \`now\` of a seed has a time.
`;

interface Point {
  readonly question: string;
  readonly options: Readonly<Record<string, string>>;
  readonly ours: string;
  readonly because: string;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

const row = ([id, { question, options, ours, because }]: readonly [string, Point]): string => {
  const choices = Object.entries(options).map(([option, says]) => {
    const name = option === ours ? `**\`${option}\`**` : `\`${option}\``;
    return says === option ? name : `${name}: ${says}`;
  });
  return `| \`${id}\` | ${cell(question)} | ${choices.map(cell).join('<br>')} | \`${ours}\` | ${cell(because)} |`;
};

/** The table of open points as markdown, part by part in the order of the table. */
export const choicesPage = (): string => {
  const points = Object.entries(CHOICES);
  const parts = [...new Set(points.map(([, { part }]) => part))];
  const sections = parts.map((part) => {
    const rows = points.filter(([, point]) => point.part === part).map(row);
    return `## ${part}\n\n| Point | Question | Options | Default | Why |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return [INTRODUCTION, ...sections, DECIDED].join('\n');
};
