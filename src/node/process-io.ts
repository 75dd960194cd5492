// The real process behind the command line.
import type { Io } from './io.ts';

const SIGNALS: readonly NodeJS.Signals[] = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  ...(process.platform === 'win32' ? ['SIGBREAK' as const] : []),
];

const onSignal = (heard: (signal: NodeJS.Signals) => void): (() => void) => {
  for (const signal of SIGNALS) process.on(signal, heard);
  return () => {
    for (const signal of SIGNALS) process.off(signal, heard);
  };
};

/** Streams, environment and signals of this process. */
export const processIo = (): Io => {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(signal));
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    env: process.env,
    cwd: process.cwd(),
    stop: stop.signal,
    onSignal,
    colour: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
  };
};
