// What a run can be told: options of runContract, and the environment variables that stand for them.
import { RELEASES, type Release, releaseNamed } from './releases.ts';
import type { Time } from './time.ts';

export type Role = 'admin' | 'write' | 'read' | 'revoked' | 'other';
export const PROFILES = ['read-only', 'core', 'full', 'certify'] as const;
export type Profile = (typeof PROFILES)[number];
export const ALLOWANCES = ['webhooks', 'quota', 'slow'] as const;
export type Allowance = (typeof ALLOWANCES)[number];
export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

export interface ContractOptions {
  /** The target; ends in /v1. */
  readonly baseUrl: string;
  readonly keys: { readonly [R in Role]?: string | undefined };
  /** Replaces the global fetch: a target in the same process needs no socket. */
  readonly fetch?: Fetch | undefined;
  /** A wm-mock's control API. */
  readonly controlUrl?: string | undefined;
  readonly controlToken?: string | undefined;
  /** The URL at which the target reaches the suite's receiver. */
  readonly receiverUrl?: string | undefined;
  readonly receiverPort?: number | undefined;
  readonly taskWithComments?: string | undefined;
  readonly profile?: Profile | undefined;
  /** The release to judge by; absent: the one that the target shows itself to be. */
  readonly release?: Release | undefined;
  readonly allow?: readonly Allowance[] | undefined;
  readonly maxRpm?: number | undefined;
  readonly requireComplete?: boolean | undefined;
  /** Folder of the artefacts; false writes none. */
  readonly reportDir?: string | false | undefined;
  /** The OpenAPI document, parsed; absent: the openapi/openapi.json of this package. */
  readonly document?: object | undefined;
  /** The wait for one answer. */
  readonly timeoutMs?: number | undefined;
  /** How long a delivery is waited for, in milliseconds; absent: ten seconds. A virtual clock waits for it at no cost. */
  readonly patienceMs?: number | undefined;
  /** Who says what time it is and waits; absent: the control clock, else the real one. */
  readonly time?: Time | undefined;
  /** Shuffles the checks; the same number gives the same order. */
  readonly order?: number | undefined;
  /** Runs only the checks whose id begins so. */
  readonly only?: readonly string[] | undefined;
  /** Ends the run at the first violation. */
  readonly bail?: boolean | undefined;
  /** Leaves what the run made on the target, so that a violation can be looked at there. */
  readonly keep?: boolean | undefined;
  /** Tries every situation, with no budget of requests. */
  readonly thorough?: boolean | undefined;
  /** Sent with every request, for a gateway in front of the target. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Aborts to end the run: it removes what it made, and its verdict is error. */
  readonly stop?: AbortSignal | undefined;
  /** Receives progress, a line at a time. */
  readonly log?: ((line: string) => void) | undefined;
  /** Receives GitHub annotations, a line for each violation; give it when GITHUB_ACTIONS is set. */
  readonly annotate?: ((line: string) => void) | undefined;
}

/** A run that cannot be made: exit status 2. */
export class RunError extends Error {}

const oneOf = <T extends string>(name: string, value: string, among: readonly T[]): T => {
  if (!(among as readonly string[]).includes(value))
    throw new RunError(`${name}: expected one of ${among.join(', ')}, got "${value}"`);
  return value as T;
};

const positive = (name: string, value: string): number => {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new RunError(`${name}: expected a positive whole number, got "${value}"`);
  return number;
};

const portNumber = (name: string, value: string): number => {
  const number = positive(name, value);
  if (number > 65_535) throw new RunError(`${name}: expected a port from 1 to 65535, got "${value}"`);
  return number;
};

const knownRelease = (value: string): Release => {
  const release = releaseNamed(value);
  if (!release) throw new RunError(`WM_RELEASE: expected one of ${RELEASES.join(', ')}, got "${value}"`);
  return release;
};

/** The options that the environment gives, by the names that the CLI documents. */
export const optionsFromEnvironment = (env: Readonly<Record<string, string | undefined>>): ContractOptions => {
  const text = (name: string) => (env[name] === undefined || env[name] === '' ? undefined : env[name]);
  const baseUrl = text('WM_BASE_URL');
  if (!baseUrl) throw new RunError('WM_BASE_URL is not set: give the base URL of the target, ending in /v1');
  const profile = text('WM_PROFILE');
  const release = text('WM_RELEASE');
  const port = text('WM_WEBHOOK_RECEIVER_PORT');
  const rpm = text('WM_MAX_RPM');
  return {
    baseUrl,
    keys: {
      admin: text('WM_API_KEY_ADMIN'),
      write: text('WM_API_KEY_WRITE'),
      read: text('WM_API_KEY_READ'),
      revoked: text('WM_API_KEY_REVOKED'),
      other: text('WM_API_KEY_OTHER_WORKSPACE'),
    },
    controlUrl: text('WM_CONTROL_URL'),
    controlToken: text('WM_MOCK_CONTROL_TOKEN'),
    receiverUrl: text('WM_WEBHOOK_RECEIVER_URL'),
    receiverPort: port ? portNumber('WM_WEBHOOK_RECEIVER_PORT', port) : undefined,
    taskWithComments: text('WM_TASK_WITH_COMMENTS'),
    release: release === undefined ? undefined : knownRelease(release),
    profile: profile ? oneOf('WM_PROFILE', profile, PROFILES) : undefined,
    allow: (text('WM_ALLOW') ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => oneOf('WM_ALLOW', part, ALLOWANCES)),
    maxRpm: rpm ? positive('WM_MAX_RPM', rpm) : undefined,
    requireComplete: text('WM_REQUIRE_COMPLETE') === '1',
    reportDir: text('WM_REPORT_DIR') ?? 'contract-report',
  };
};
