// The open points as a page of documentation.
import { CHOICES } from '../src/service/contract/choices.ts';

const INTRODUCTION = `# Open points of the specification

Generated from \`src/service/contract/choices.ts\` by \`npm run generate\`; do not edit.

Where the specification says "not shown", contradicts itself or is silent, several options conform; wm-mock has a default.
Choose another with \`wm-mock --choice <point>=<option>\`, with a file (\`--choices\`), or under \`choices:\` in a seed.
A test of a real service may require only what all options have in common.
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
  return [INTRODUCTION, ...sections].join('\n');
};
