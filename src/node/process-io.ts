// The real process behind the command line.
import type { Io } from './io.ts';

/** Streams, environment and signals of this process. */
export const processIo = (): Io => {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    env: process.env,
    cwd: process.cwd(),
    stop: stop.signal,
    colour: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
  };
};
