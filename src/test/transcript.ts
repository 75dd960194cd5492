// Transcripts of the session of 300 requests, as far as the Fetch API shows what was answered.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { playSession as play } from './session-steps.mjs';

export interface Answered {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}

/** What no caller of `fetch` is shown for certain: these tell of the connection, and there is none. */
const OF_THE_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];

const shown = (asked: string, { status, headers, text }: Answered): string => {
  const lines = headers.filter(([name]) => !OF_THE_CONNECTION.includes(name)).map(([name, value]) => `${name}: ${value}`);
  return [asked, status, ...lines.sort(), text].join('\n');
};

/** Plays the session. @param ask makes one request of it. @returns each answer with its headers, names in lower case and in order. */
export const transcriptOf = async (
  ask: (method: string, path: string, body?: object, key?: string) => Promise<Answered>,
): Promise<string[]> => {
  const seen: string[] = [];
  await play(async (method: string, path: string, body?: object, key = 'wm_acme_admin') => {
    const answered = await ask(method, path, body, key);
    seen.push(shown(`> ${method} ${path}`, answered));
    return answered.text === '' ? undefined : JSON.parse(answered.text);
  });
  return seen;
};

const playedByNode = async (): Promise<string[]> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['src/test/session.mjs'], { maxBuffer: 64 * 1024 * 1024 });
  const exchanges = stdout.split(/^(?=> )/m).filter(Boolean);
  return exchanges.map((exchange) => {
    const [asked = '', head = '', ...text] = exchange.split('\n');
    const raw = head.slice(head.indexOf(' ') + 1).split('|');
    const headers = raw.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), raw[i + 1]!] as const] : []));
    return shown(asked, { status: Number.parseInt(head, 10), headers, text: text.join('\n').trimEnd() });
  });
};

let ofNode: Promise<string[]> | undefined;
/** The same session against the built command line over a socket, in the same form; `determinism.test.ts` says that one is as good as another. */
export const transcriptOfNode = (): Promise<string[]> => {
  ofNode ??= playedByNode();
  return ofNode;
};
