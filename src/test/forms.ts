// What comes of a posted form, as text: where it leads and what it says there, or why it was refused and at which fields.
import type { DashboardBench } from './dashboard.ts';
import { mainOf, outline, partsOf } from './outline.ts';

export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A form that is posted to a page, then what the mock is asked to show what has become of it. */
export type Step = readonly [path: string, fields: Fields, ...after: readonly string[]];

const NOTICE = /^ *div class="notice (good|once|bad)"/;
const ISSUE = /^ *p class="issue"/;
const WRONG = /^ *(input|textarea|select) .*aria-invalid/;

const answered = async (bench: DashboardBench, path: string, fields: Fields): Promise<string[]> => {
  const posted = await bench.post(path, fields);
  const to = posted.headers.get('location');
  if (to === null) {
    const lines = outline(mainOf(posted.text));
    const said = [...partsOf(lines, NOTICE), ...partsOf(lines, WRONG), ...partsOf(lines, ISSUE)];
    return [String(posted.status), ...(said.length > 0 ? said : [lines])];
  }
  const { status, text } = await bench.get(to);
  return [`${posted.status} ${to}`, `GET ${status}`, ...partsOf(outline(mainOf(text)), NOTICE)];
};

const shown = async ({ mock }: DashboardBench, path: string): Promise<string> => {
  const answer = await mock.app.fetch(new Request(`http://127.0.0.1:4700${path}`, { headers: mock.auth('admin') }));
  return `> GET ${path} ${answer.status}\n${await answer.text()}`;
};

/** Goes through steps, one after the other, on one mock. */
export const transcriptOf = async (bench: DashboardBench, steps: readonly Step[]): Promise<string> => {
  const lines: string[] = [];
  for (const [path, fields, ...after] of steps) {
    lines.push(`# POST ${path} ${JSON.stringify(fields)}`, ...(await answered(bench, path, fields)));
    for (const one of after) lines.push(await shown(bench, one));
    lines.push('');
  }
  return lines.join('\n');
};
