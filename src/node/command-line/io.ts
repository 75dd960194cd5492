// The process as the command line sees it; tests pass their own.
import type { EventEmitter } from 'node:events';
import { fstatSync, type Stats } from 'node:fs';
import { isatty } from 'node:tty';
import { printableFor } from './printing.ts';

export interface Io {
  /** Text for people, as `printableFor` shows it. */
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Output for programs, and pages of escaped parts, as they are. */
  readonly raw: (text: string) => void;
  /** Unread bytes of the output. */
  readonly unread: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stop: AbortSignal;
  readonly colour: boolean;
  /** Whether standard output is a terminal. */
  readonly screen: boolean;
  /** Whether standard output is a pipe of a shell, such as `| tee log`. */
  readonly piped?: boolean | undefined;
  /** Whether standard input is a terminal, which sends signals to its group. */
  readonly terminal: boolean;
  /** Replaces the default action of signals. @returns a function that ends this */
  readonly onSignal: (heard: (signal: NodeJS.Signals) => void) => () => void;
}

export const waitForAbort = (signal: AbortSignal): Promise<void> =>
  signal.aborted ? Promise.resolve() : new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }));

/** A stop before the start; no failure. */
export class Stopped extends Error {}

export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitStatus: number;

  /** @param exitStatus 2: wrong usage; 1: the action failed */
  constructor(message: string, exitStatus: 1 | 2 = 2) {
    super(message);
    this.exitStatus = exitStatus;
  }
}

export type OwnProcess = Pick<NodeJS.Process, 'env' | 'cwd' | 'platform' | 'exit'> &
  Pick<EventEmitter, 'on' | 'once' | 'off'> & {
    readonly stdout: OutputStream & { readonly isTTY?: boolean; readonly writableLength?: number };
    readonly stderr: OutputStream;
  };

interface OutputStream {
  write(text: string): unknown;
  on(event: 'error', heard: (error: NodeJS.ErrnoException) => void): unknown;
}

/** A reader that leaves is no error. */
const CLOSED_STREAM_CODES = ['EPIPE', 'ERR_STREAM_DESTROYED'];

const readFolder = (own: OwnProcess): string => {
  try {
    return own.cwd();
  } catch {
    throw new UsageError('the current folder no longer exists. Change to another one.', 1);
  }
};

/** @param look may throw */
export const isPipe = (look: () => Stats): boolean => {
  try {
    return look().isFIFO();
  } catch {
    return false;
  }
};

/** @param terminal whether standard input is one */
export const processIo = (own: OwnProcess = process, terminal = isatty(0), piped = isPipe(() => fstatSync(1))): Io => {
  const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  if (own.platform === 'win32') signals.push('SIGBREAK');
  const stop = new AbortController();
  const printable = printableFor(own.env);
  for (const signal of signals) own.once(signal, () => stop.abort(signal));
  own.stderr.on('error', () => {});
  own.stdout.on('error', ({ code = '', message }) => {
    if (CLOSED_STREAM_CODES.includes(code)) return;
    own.stderr.write(`wm-mock: cannot write to standard output: ${message}.\n`);
    own.exit(1);
  });
  return {
    out: (text) => void own.stdout.write(printable(text)),
    err: (text) => void own.stderr.write(printable(text)),
    raw: (text) => void own.stdout.write(text),
    unread: () => own.stdout.writableLength ?? 0,
    env: own.env,
    get cwd() {
      return readFolder(own);
    },
    stop: stop.signal,
    onSignal: (heard) => {
      for (const signal of signals) own.on(signal, heard);
      return () => {
        for (const signal of signals) own.off(signal, heard);
      };
    },
    colour: own.stdout.isTTY === true && own.env.NO_COLOR === undefined,
    screen: own.stdout.isTTY === true,
    piped,
    terminal,
  };
};
