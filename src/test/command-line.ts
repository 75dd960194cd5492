// The command line in process: its arguments, its output, and its status.
import type { Io } from '../node/command-line/io.ts';
import { main } from '../node/main.ts';
import { within } from './within.ts';

/** Streams that are kept, an environment, and a signal to stop. */
export const keptIo = (more: Partial<Io> = {}) => {
  const control = new AbortController();
  const output = { out: '', err: '' };
  let wake = () => {};
  const say = (stream: 'out' | 'err') => (text: string) => {
    output[stream] += text;
    wake();
  };
  const streams = {
    out: say('out'),
    err: say('err'),
    raw: say('out'),
    unread: () => 0,
    colour: false,
    screen: false,
    terminal: false,
  };
  const io: Io = { ...streams, env: {}, cwd: process.cwd(), stop: control.signal, onSignal: () => () => {}, ...more };
  /** Waits until a text has been printed. */
  const until = async (text: string) => {
    const ends = performance.now() + 3000;
    while (!output.out.includes(text) && !output.err.includes(text)) {
      const left = ends - performance.now();
      if (left <= 0) throw new Error(`never said ${JSON.stringify(text)}, but:\n${output.out}${output.err}`);
      await within(new Promise<void>((done) => (wake = done)), left).catch(() => {});
    }
  };
  return { io, said: output, until, stop: (signal?: string) => control.abort(signal) };
};

/** Starts a command. */
export const start = (words: readonly string[], more: Partial<Io> = {}) => {
  const { io, said, until, stop } = keptIo(more);
  const status = main(words, io);
  return {
    get out() {
      return said.out;
    },
    get err() {
      return said.err;
    },
    status,
    stop: () => stop(),
    until,
  };
};

export type Run = ReturnType<typeof start>;

/** Runs a command to its end. */
export const run = async (words: readonly string[], more: Partial<Io> = {}) => {
  const started = start(words, more);
  const status = await started.status;
  return { status, out: started.out, err: started.err };
};

/** Runs a command that must refuse: were it to serve, it would stop at once. */
export const refused = (words: readonly string[], more: Partial<Io> = {}) => run(words, { stop: AbortSignal.abort(), ...more });
