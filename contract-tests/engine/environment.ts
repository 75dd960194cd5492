// The environment variables of the options of a run.
import { ALLOWANCES, type ContractOptions, PROFILES } from './options.ts';
import { randomHex } from './random-hex.ts';
import { latestRelease } from './register.ts';
import { NEXT, type Release, releaseNamed, releasesUpTo } from './releases.ts';
import { RunError } from './terms.ts';

const DEFAULT_STEPS = 300;
const anySeed = (): number => Number.parseInt(randomHex(3), 16) + 1;

type Environment = Readonly<Record<string, string | undefined>>;

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
  const latest = latestRelease();
  const release = releaseNamed(value, latest);
  if (!release) throw new RunError(`WM_RELEASE: expected one of ${[...releasesUpTo(latest), NEXT].join(', ')}, got "${value}"`);
  return release;
};

/** A header carries Latin-1 without control characters. The message shows no other part of a value, for it may be a secret. */
const sendable = (name: string, given: string): string => {
  const value = given.trim();
  const at = value.search(/[^\t\x20-\x7e\xa0-\xff]/);
  if (at < 0) return value;
  const code = value.codePointAt(at)!.toString(16).toUpperCase().padStart(4, '0');
  throw new RunError(
    `${name}: character ${at + 1} of the value, U+${code}, cannot be sent in a header: copy it again, without smart quotes, dashes and line breaks`,
  );
};

/** Headers that are the API's own: the run sets them, and leaves them out where a check is about that. */
const OWN_HEADERS = ['authorization', 'content-type', 'accept'];

/** Headers, one a line. The message never shows a value, for it may be a secret. @throws RunError */
const headerLines = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
      .map((line, i) => {
        const [, name, value] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*:[ \t]*(.*?)\s*$/.exec(line) ?? [];
        if (!name || value === undefined)
          throw new RunError(`WM_HEADERS: expected "Name: value" in line ${i + 1}, as in "X-Gateway: abc"`);
        if (OWN_HEADERS.includes(name.toLowerCase()))
          throw new RunError(
            `WM_HEADERS: ${name} is a header of the API itself, which the run sets; keys are given by WM_API_KEY_…`,
          );
        return [name, sendable(`WM_HEADERS: ${name}`, value)];
      }),
  );

const words = (text: string | undefined): string[] =>
  (text ?? '')
    .split(/[,\s]+/)
    .map((word) => word.trim())
    .filter((word) => word !== '');

const keysFrom = (key: (name: string) => string | undefined): ContractOptions['keys'] => ({
  admin: key('WM_API_KEY_ADMIN'),
  write: key('WM_API_KEY_WRITE'),
  read: key('WM_API_KEY_READ'),
  revoked: key('WM_API_KEY_REVOKED'),
  other: key('WM_API_KEY_OTHER_WORKSPACE'),
});

/** The options that the environment gives, by the names that the command line documents. @throws RunError */
export const optionsFromEnvironment = (env: Environment): ContractOptions => {
  const text = (name: string) => (env[name] === undefined || env[name] === '' ? undefined : env[name]);
  const as = <T>(name: string, read: (name: string, value: string) => T): T | undefined => {
    const value = text(name);
    return value === undefined ? undefined : read(name, value);
  };
  const on = (name: string) => !['0', 'false', 'no'].includes(text(name)?.toLowerCase() ?? 'no');
  const baseUrl = text('WM_BASE_URL');
  if (!baseUrl) throw new RunError('WM_BASE_URL is not set: give the base URL of the target, ending in /v1');
  const only = words(text('WM_ONLY'));
  const [steps, seed] = [as('WM_STEPS', positive), as('WM_SEED', positive)];
  if (!on('WM_WALK') && (steps ?? seed) !== undefined)
    throw new RunError('WM_STEPS and WM_SEED are those of a random walk: give --walk (WM_WALK=1) too');
  return {
    baseUrl,
    keys: keysFrom((name) => as(name, sendable)),
    controlUrl: text('WM_CONTROL_URL'),
    controlToken: as('WM_MOCK_CONTROL_TOKEN', sendable),
    receiverUrl: text('WM_WEBHOOK_RECEIVER_URL'),
    receiverPort: as('WM_WEBHOOK_RECEIVER_PORT', portNumber),
    taskWithComments: text('WM_TASK_WITH_COMMENTS'),
    release: as('WM_RELEASE', (_, value) => knownRelease(value)),
    profile: as('WM_PROFILE', (name, value) => oneOf(name, value, PROFILES)),
    allow: words(text('WM_ALLOW')).map((part) => oneOf('WM_ALLOW', part, ALLOWANCES)),
    maxRpm: as('WM_MAX_RPM', positive),
    timeoutMs: as('WM_TIMEOUT', positive),
    headers: as('WM_HEADERS', (_, value) => headerLines(value)),
    only: only.length > 0 ? only : undefined,
    rerunFailed: on('WM_RERUN_FAILED'),
    bail: on('WM_BAIL'),
    walk: on('WM_WALK') ? { steps: steps ?? DEFAULT_STEPS, seed: seed ?? anySeed() } : undefined,
    keep: on('WM_KEEP'),
    thorough: on('WM_THOROUGH'),
    baselineFile: text('WM_BASELINE'),
    writeBaseline: text('WM_WRITE_BASELINE'),
    requireComplete: on('WM_REQUIRE_COMPLETE'),
    reportDir: text('WM_REPORT_DIR') ?? 'contract-report',
    summaryFile: text('GITHUB_STEP_SUMMARY'),
  };
};
