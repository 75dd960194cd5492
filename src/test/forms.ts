// What comes of posted forms, a line each: where it leads and what is noted there, or why it was refused and at which fields.
import { ACKNOWLEDGED, type DashboardBench, dashboardBench } from './dashboard.ts';
import { linesOf, mainOf } from './reading.ts';

export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A form that is posted to a page, then what the mock is asked to show what has become of it. */
export type Step = readonly [path: string, fields: Fields, ...after: readonly string[]];

const NOTICE = /<div class="notice (?:good|once|bad)"[\s\S]*?<\/div>/g;
const ISSUE = /<p class="issue"[\s\S]*?<\/p>/g;
const said = (html: string, pattern: RegExp): string => (mainOf(html).match(pattern) ?? []).flatMap(linesOf).join(' ');

const answered = async (bench: DashboardBench, path: string, fields: Fields): Promise<string> => {
  const posted = await bench.post(path, fields);
  const to = posted.headers.get('location');
  const { status, text } = to === null ? posted : await bench.get(to);
  const what = [said(text, NOTICE), said(text, ISSUE)].filter(Boolean).join(' | ') || linesOf(mainOf(text)).join(' ');
  return `${to === null ? '' : `${posted.status} ${to} `}${status}: ${what}`;
};

const shown = async ({ mock }: DashboardBench, path: string): Promise<string> => {
  const answer = await mock.app.fetch(new Request(`http://127.0.0.1:4700${path}`, { headers: mock.auth('admin') }));
  return `> GET ${path} ${answer.status} ${await answer.text()}`;
};

const transcriptOf = async (bench: DashboardBench, steps: readonly Step[]): Promise<string> => {
  const lines: string[] = [];
  for (const [path, fields, ...after] of steps) {
    lines.push(`POST ${path} ${JSON.stringify(fields)}  =>  ${await answered(bench, path, fields)}`);
    for (const one of after) lines.push(await shown(bench, one));
  }
  return lines.join('\n').replace(/x{100,}/g, (run) => `x{${run.length}}`);
};

/** Forms by a name for each group, and what comes before them on its mock. */
export type Forms = Readonly<
  Record<string, { readonly before?: (bench: DashboardBench) => Promise<unknown>; readonly steps: readonly Step[] }>
>;

/** Goes through the steps of each group, one after the other, on a mock of its own. */
export const transcriptsOf = async (forms: Forms): Promise<string> => {
  const said: string[] = [];
  for (const [name, { before, steps }] of Object.entries(forms)) {
    const bench = await dashboardBench(ACKNOWLEDGED);
    await before?.(bench);
    said.push(`# ${name}\n${await transcriptOf(bench, steps)}\n`);
    await bench.mock.close();
  }
  return said.join('');
};
