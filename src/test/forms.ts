// Replays transcripts of forms: each line posts a form, then says where it leads and what is noted there, or why it is refused.
import { readFileSync } from 'node:fs';
import { ACKNOWLEDGED, type DashboardBench, dashboardBench } from './dashboard.ts';
import { linesOf, mainOf } from './reading.ts';

const NOTICE = /<div class="notice (?:good|once|bad)"[\s\S]*?<\/div>/g;
const ISSUE = /<p class="issue"[\s\S]*?<\/p>/g;
const readAll = (html: string, pattern: RegExp): string => (mainOf(html).match(pattern) ?? []).flatMap(linesOf).join(' ');

const post = async (bench: DashboardBench, path: string, fields: string): Promise<string> => {
  const posted = await bench.post(path, JSON.parse(fields));
  const to = posted.headers.get('location');
  const { status, text } = to === null ? posted : await bench.get(to);
  const says = [readAll(text, NOTICE), readAll(text, ISSUE)].filter(Boolean).join(' | ') || linesOf(mainOf(text)).join(' ');
  return `${to === null ? '' : `${posted.status} ${to} `}${status}: ${says}`;
};

const replayLine = async (bench: DashboardBench, line: string): Promise<string> => {
  const [, path, fields] = /^POST (\S+) (\{.*?\}) {2}=>/.exec(line) ?? [];
  if (path && fields) return `POST ${path} ${fields}  =>  ${await post(bench, path, fields)}`;
  const [, read] = /^> GET (\S+)/.exec(line) ?? [];
  if (!read) throw new Error(`No form and no request: ${line}`);
  const { app, auth } = bench.mock;
  const response = await app.fetch(new Request(`http://127.0.0.1:4700${read}`, { headers: auth('admin') }));
  return `> GET ${read} ${response.status} ${await response.text()}`;
};

/**
 * Runs the forms of a transcript again, each group on a mock of its own. To add a form, write its line up to `=>` and update the file.
 * @param before prepares the mock of a group @returns the transcript of this run
 */
export const replayForms = async (
  file: string,
  before: Readonly<Record<string, (bench: DashboardBench) => Promise<unknown>>> = {},
): Promise<string> => {
  const groups: string[] = [];
  for (const group of readFileSync(file, 'utf8').split(/^# /m).slice(1)) {
    const [name = '', ...lines] = group.trimEnd().split('\n');
    const bench = await dashboardBench(ACKNOWLEDGED);
    await before[name]?.(bench);
    groups.push(`# ${name}\n`);
    for (const line of lines) {
      const run = await replayLine(
        bench,
        line.replace(/x\{(\d+)\}/g, (_, length) => 'x'.repeat(length)),
      );
      groups.push(`${run.replace(/x{100,}/g, (all) => `x{${all.length}}`)}\n`);
    }
    await bench.mock.close();
  }
  return groups.join('');
};
