// Writes the artefacts of a run; what is there is there whole, or not at all.
import { accessSync, appendFileSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkedBaseline, type KnownDeviation, nextBaseline } from '../engine/baseline.ts';
import { isRecord } from '../engine/exchange.ts';
import { readDocument, writeWhole } from '../engine/files.ts';
import type { ContractOptions } from '../engine/options.ts';
import { type LastReport, readLast } from '../engine/previous.ts';
import type { Requirement } from '../engine/register.ts';
import type { Report } from '../engine/report.ts';
import { RunError } from '../engine/terms.ts';
import { stringify } from '../engine/yaml.ts';
import { forComment } from './escape.ts';
import { html } from './html.ts';
import { junit } from './junit.ts';
import { summary } from './summary.ts';

/** The text of a file; undefined when it is not there or cannot be read. */
const read = (path: string): unknown => {
  try {
    return readDocument(path);
  } catch {
    return undefined;
  }
};

/** The choices that earlier runs left in that folder. */
export const readChoices = (folder: string): Readonly<Record<string, string>> => {
  const found = read(join(folder, 'choices.yaml'));
  return isRecord(found) ? (found as Record<string, string>) : {};
};

export interface LastRun extends LastReport {
  readonly judged?: unknown;
}

/** The last report of that folder. */
export const readReport = (folder: string): LastRun | undefined => {
  const parsed = read(join(folder, 'report.json'));
  const last = readLast(parsed);
  const release = isRecord(parsed) && isRecord(parsed.release) ? parsed.release.judged : undefined;
  return last && (release === undefined ? last : { ...last, judged: release });
};

/** A run of another base URL or release cannot tell what is new, fixed or of another choice. */
export const comparedWith = (last: LastRun | undefined, report: Report): Report => {
  const { target = report.target, judged = report.release.judged } = last ?? {};
  if (target === report.target && judged === report.release.judged) return report;
  return { ...report, previous: { new: report.failures, still: [], fixed: [], unjudged: [] }, choices_changed: [] };
};

/** @throws RunError that says what is wrong with the file. */
export const readBaseline = (file: string, register: readonly Requirement[]): readonly KnownDeviation[] => {
  let parsed: unknown;
  try {
    parsed = readDocument(file);
  } catch (cause) {
    throw new RunError(
      `the baseline ${file} cannot be read: ${(cause as Error).message.split('\n')[0]}. --write-baseline writes one.`,
    );
  }
  return checkedBaseline(parsed, register, file);
};

const howLong = (report: Report): string =>
  `the run of ${report.started_at} against ${report.target}: profile ${report.profile}, ${report.requests} requests, ${(report.duration_ms / 1000).toFixed(1)} s`;

const choicesYaml = (report: Report): string => {
  const kept = new Map(report.choices_kept.map((one) => [one.choice, one]));
  const comments = [
    `# How ${report.target} behaves where the specification is silent.`,
    '# wm-mock --choices choices.yaml imitates it.',
    `# Seen by ${howLong(report)}.`,
    ...Object.entries(report.other_choices).map(([name, value]) => `# ${name}: "${value}" is no choice that a mock knows`),
    ...report.choices_unseen.filter((name) => !kept.has(name)).map((name) => `# ${name} was not seen.`),
  ].map(forComment);
  const choices = [
    ...Object.entries(report.choices),
    ...report.choices_kept.map(({ choice, value }) => [choice, value] as const),
  ];
  const lines = choices
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, value]) => {
      const line = stringify({ [name]: value }, { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' }).trimEnd();
      const from = kept.get(name);
      return from ? `${line} # not seen by this run; seen by ${from.seen ? `that of ${from.seen}` : 'an earlier one'}` : line;
    });
  return `${comments.join('\n')}\n${lines.length > 0 ? lines.join('\n') : '{}'}\n`;
};

const baselineYaml = (report: Report): string => {
  const entries = nextBaseline(report.baseline, report.started_at.slice(0, 10));
  return [
    forComment(`# Known deviations of ${report.target}, written by ${howLong(report)}.`),
    '# Fill in owner and reason; expires is the last day on which a deviation is accepted.',
    '# contains: a part of the message narrows an entry to some of the violations of its requirement.',
    entries.length > 0 ? stringify(entries, { lineWidth: 0 }) : '[]\n',
  ].join('\n');
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

const SCRIPT = /^WM-[A-Z]+-\d+\.sh$/;

/** The scripts of the last run belong to its report. */
const removeScripts = (folder: string): void => {
  const scripts = join(folder, 'failures');
  if (!existsSync(scripts)) return;
  for (const name of readdirSync(scripts)) if (SCRIPT.test(name)) rmSync(join(scripts, name));
};

const intoFolder = (report: Report, files: ReadonlyMap<string, string>, folder: string): void => {
  const write = (name: string, text: string) => writeWhole(join(folder, name), text);
  const json = join(folder, 'report.json');
  const last = existsSync(json) ? readFileSync(json, 'utf8') : undefined;
  removeScripts(folder);
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeWhole(join(folder, name), text, 0o755);
  }
  write('report.json', `${JSON.stringify(report, null, 2)}\n`);
  if (last !== undefined) write('report.previous.json', last);
  write('junit.xml', junit(report));
  write('report.html', html(report));
  if (Object.keys(report.choices).length > 0) write('choices.yaml', choicesYaml(report));
};

/** @throws RunError when a file cannot be written; it tells the verdict, which would else be lost. */
export const writeReports = (
  report: Report,
  files: ReadonlyMap<string, string>,
  { reportDir, summaryFile, writeBaseline }: ContractOptions,
): void => {
  const lost = `the run ended with the verdict ${report.verdict}, but its`;
  if (reportDir) orRunError(`${lost} report could not be written`, () => intoFolder(report, files, reportDir));
  try {
    if (writeBaseline) writeWhole(writeBaseline, baselineYaml(report));
    if (summaryFile) appendFileSync(summaryFile, summary(report));
  } catch (error) {
    throw new RunError(`${lost} summary or baseline could not be written: ${(error as Error).message}`);
  }
};
