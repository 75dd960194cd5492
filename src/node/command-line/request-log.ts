// A line for each request, for people: time, status, operation, world, and what the client did against the contract.
import { escapeControls } from '../../mock/api/report.ts';
import type { RequestEntry, RequestSummary } from '../../service/http/journal-entries.ts';
import { explainRequest } from '../../testing/show-lines.ts';
import type { Io } from './io.ts';

const COLOUR_CODES = { dim: 2, red: 31, green: 32, yellow: 33 } as const;

const colourOfStatus = (status: number): keyof typeof COLOUR_CODES =>
  status === 0 || status >= 500 ? 'red' : status >= 300 ? 'yellow' : 'green';

/** @param verbose adds reasons and bodies */
export const formatRequestLog = ({ colour }: Pick<Io, 'colour'>, verbose: boolean) => {
  const painted = (name: keyof typeof COLOUR_CODES, text: string) =>
    colour ? `\u001b[${COLOUR_CODES[name]}m${text}\u001b[0m` : text;
  return (request: RequestSummary, world: string, entry: () => RequestEntry): string => {
    const { at, method, path, status, operation, duration_ms, fault, warnings } = request;
    const more = [operation ?? 'no operation', `${duration_ms} ms`, world === 'default' ? '' : world, fault ?? ''];
    const says = verbose ? explainRequest(entry()) : warnings.map(({ code, says }) => `warning   ${code}: ${says}`);
    const head = `${painted('dim', at.slice(11, 23))} ${painted(colourOfStatus(status), status === 0 ? 'cut' : String(status))}`;
    const line = `  ${head} ${method.padEnd(6)} ${escapeControls(path)}  ${painted('dim', escapeControls(more.filter(Boolean).join('  ')))}`;
    const toneOf = (why: string) => (/^\w+ +\d{3}: /.test(why) ? colourOfStatus(status) : /^warn/.test(why) ? 'yellow' : 'dim');
    return [line, ...says.map((why) => `    ${painted(toneOf(why), escapeControls(why))}`), ''].join('\n');
  };
};
