// The process as the command line sees it; tests pass their own.

export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Unread bytes of the output. */
  readonly unread: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stop: AbortSignal;
  readonly colour: boolean;
  /** Whether standard output is a terminal. */
  readonly screen: boolean;
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

/** Escape control characters, which could steer a terminal. */
export const escapeControls = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);
