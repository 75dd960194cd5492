// Writes the artefacts of a run; each passes through the redactor as a whole once more.
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { UNOBSERVED } from '../engine/choices.ts';
import { RunError } from '../engine/options.ts';
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

const orRunError = (what: string, attempt: () => void): void => {
  try {
    attempt();
  } catch (error) {
    throw new RunError(`${what}: ${(error as Error).message}. Give another folder with --report or WM_REPORT_DIR.`);
  }
};

/** Makes the folder before anything is asked: a run whose report has no place is not begun. @throws RunError */
export const openFolder = (folder: string): void =>
  orRunError('the report folder cannot be written to', () => {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  });

/** @throws RunError when a file cannot be written; it tells the verdict, which would else be lost. */
export const writeReports = (report: Report, folder: string, clean: (text: string) => string): void =>
  orRunError(`the run ended with the verdict ${report.verdict}, but its report could not be written`, () => {
    const write = (name: string, text: string) => writeFileSync(join(folder, name), clean(text));
    write('report.json', `${JSON.stringify(report, null, 2)}\n`);
    write('junit.xml', junit(report));
    write('report.html', html(report));
    if (Object.keys(report.choices).length > 0) write('choices.yaml', choicesYaml(report));
  });
