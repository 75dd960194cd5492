// What the command line touches of its process, so that tests can stand in for it.

export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Bytes of what was said that nobody has read yet. */
  readonly unread?: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Aborts when the process is told to stop. */
  readonly stop: AbortSignal;
  readonly colour: boolean;
  /** Whether standard output is a terminal, where a person reads. */
  readonly screen?: boolean;
  /** Whether a terminal gives the input, and with it signals. */
  readonly terminal?: boolean;
  /** Calls at each signal to stop, in place of what the system does then. @returns what ends it. */
  readonly onSignal?: (heard: (signal: NodeJS.Signals) => void) => () => void;
}

/** It was told to stop before it had begun: no failure. */
export class Stopped extends Error {}

/** A mistake of the user: one line, no stack trace. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitStatus: number;

  /** @param exitStatus 2: wrong usage; 1: right usage, and it could not be done. */
  constructor(message: string, exitStatus: 1 | 2 = 2) {
    super(message);
    this.exitStatus = exitStatus;
  }
}

/** A text from elsewhere, such as a name, a path or a key, in one line that steers no terminal: control characters are shown. */
export const escapeControls = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);
