// Writes the artefacts of a run; each passes through the redactor as a whole once more.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { UNOBSERVED } from '../engine/choices.ts';
import type { Report } from '../engine/report.ts';
import { html } from './html.ts';
import { junit } from './junit.ts';

/** The choices of the last run in that folder. */
export const readChoices = (folder: string): Readonly<Record<string, string>> => {
  const path = join(folder, 'choices.yaml');
  if (!existsSync(path)) return {};
  try {
    const found: unknown = parse(readFileSync(path, 'utf8'));
    return typeof found === 'object' && found !== null ? (found as Record<string, string>) : {};
  } catch {
    return {};
  }
};

export const choicesYaml = (report: Report): string => {
  const comments = [
    `# What ${report.target} answers where the specification is silent.`,
    '# wm-mock --choices choices.yaml imitates it.',
    ...Object.entries(report.other_choices).map(
      ([name, value]) => `# ${name}: ${JSON.stringify(value)} is no answer that a mock knows`,
    ),
    ...Object.entries(UNOBSERVED)
      .filter(([name]) => !(name in report.choices))
      .map(([name, reason]) => `# ${name} was not seen: ${reason}`),
  ];
  const body =
    Object.keys(report.choices).length > 0
      ? stringify(report.choices, { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' })
      : '{}\n';
  return `${comments.join('\n')}\n${body}`;
};

export const writeReports = (report: Report, folder: string, clean: (text: string) => string): void => {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), clean(text));
  write('report.json', `${JSON.stringify(report, null, 2)}\n`);
  write('junit.xml', junit(report));
  write('report.html', html(report));
  if (Object.keys(report.choices).length > 0) write('choices.yaml', choicesYaml(report));
};
