// The real process behind the command line.
import type { EventEmitter } from 'node:events';
import { isatty } from 'node:tty';
import type { Io } from './io.ts';

/** What is touched of a process. */
export type OwnProcess = Pick<NodeJS.Process, 'env' | 'cwd' | 'platform'> &
  Pick<EventEmitter, 'on' | 'once' | 'off'> & {
    readonly stdout: { readonly isTTY?: boolean; write(text: string): unknown };
    readonly stderr: { write(text: string): unknown };
  };

/** Streams, environment and signals of a process. @param terminal whether its input is one */
export const processIo = (own: OwnProcess = process, terminal = isatty(0)): Io => {
  const signals: readonly NodeJS.Signals[] = [
    'SIGINT',
    'SIGTERM',
    'SIGHUP',
    ...(own.platform === 'win32' ? ['SIGBREAK' as const] : []),
  ];
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) own.once(signal, () => stop.abort(signal));
  return {
    out: (text) => void own.stdout.write(text),
    err: (text) => void own.stderr.write(text),
    env: own.env,
    cwd: own.cwd(),
    stop: stop.signal,
    onSignal: (heard) => {
      for (const signal of signals) own.on(signal, heard);
      return () => {
        for (const signal of signals) own.off(signal, heard);
      };
    },
    colour: own.stdout.isTTY === true && own.env.NO_COLOR === undefined,
    terminal,
  };
};
