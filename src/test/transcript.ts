// Transcripts of the session of 300 requests, as far as the Fetch API shows its responses.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { shown } from './session-steps.mjs';

export { type RecordedResponse, transcriptOf } from './session-steps.mjs';

const playedByNode = async (): Promise<string[]> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['src/test/session.mjs'], { maxBuffer: 64 * 1024 * 1024 });
  const exchanges = stdout.split(/^(?=> )/m).filter(Boolean);
  return exchanges.map((exchange) => {
    const [request = '', head = '', ...text] = exchange.split('\n');
    const raw = head.slice(head.indexOf(' ') + 1).split('|');
    const headers = raw.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), raw[i + 1]!] as const] : []));
    return shown(request, { status: Number.parseInt(head, 10), headers, text: text.join('\n').trimEnd() });
  });
};

let ofNode: Promise<string[]> | undefined;
/** This session against the built command line over a socket, in the same form; `determinism.test.ts` proves that one is as good as another. */
export const transcriptOfNode = (): Promise<string[]> => {
  ofNode ??= playedByNode();
  return ofNode;
};
