// The flags of each command, as one table.
import { RELEASE_NAMES } from '../contract/releases.ts';
import { type Option, type Rows, SERVE } from '../mock/options.ts';

export interface Flag {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
  /** What stands between several values in its environment twin; absent: a comma. */
  readonly separator?: string;
  readonly value?: string;
  readonly says: string;
  /** What it means when it is given without a value. */
  readonly bare?: string;
  /** Its environment twin, where that is not WM_MOCK_ and its name. */
  readonly variable?: string;
}

/** The name of the flag that stands for an option. */
export const flagName = (name: string, { flag }: Option): string =>
  flag?.name ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const flagOf = (row: Option): Flag => {
  const { schema, flag: { short, value, bare, says } = { says: '' } } = row;
  return {
    type: schema.type === 'boolean' ? 'boolean' : 'string',
    says,
    ...(short && { short }),
    ...(value && { value }),
    ...(bare && { bare }),
    ...(schema.type === 'array' && { multiple: true }),
  };
};

const flagsOf = (rows: Rows): Readonly<Record<string, Flag>> =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [flagName(name, row), flagOf(row)]));

/** Without what prints, watches or opens: standard output and the end belong to the command. */
const { json: _json, watch: _watch, open: _open, ...FOR_EXEC } = SERVE;
const EXEC = flagsOf(FOR_EXEC);

export const COMMON = {
  help: { type: 'boolean', short: 'h', says: 'show this help' },
  version: { type: 'boolean', short: 'v', says: 'show the version' },
} as const satisfies Readonly<Record<string, Flag>>;

const YAML = {
  yaml: { type: 'boolean', says: 'print YAML instead of JSON' },
  release: flagOf(SERVE.release),
} as const;
const INIT = {
  force: { type: 'boolean', says: 'overwrite the file' },
  'service-worker': { type: 'boolean', says: 'copy the service worker into a folder instead (default public)' },
} as const;

const CONTRACT = {
  'base-url': {
    type: 'string',
    value: '<url>',
    variable: 'WM_BASE_URL',
    says: 'target, ends in /v1; absent: a mock is started for the run',
  },
  'key-admin': { type: 'string', value: '<key>', variable: 'WM_API_KEY_ADMIN', says: 'a key of scope admin' },
  'key-write': { type: 'string', value: '<key>', variable: 'WM_API_KEY_WRITE', says: 'a key of scope write, same workspace' },
  'key-read': { type: 'string', value: '<key>', variable: 'WM_API_KEY_READ', says: 'a key of scope read, same workspace' },
  'key-revoked': { type: 'string', value: '<key>', variable: 'WM_API_KEY_REVOKED', says: 'a revoked key' },
  'key-other': { type: 'string', value: '<key>', variable: 'WM_API_KEY_OTHER_WORKSPACE', says: 'a key of a second workspace' },
  'control-url': {
    type: 'string',
    value: '<url>',
    variable: 'WM_CONTROL_URL',
    says: "a wm-mock's control API: unlocks time travel",
  },
  'receiver-url': {
    type: 'string',
    value: '<url>',
    variable: 'WM_WEBHOOK_RECEIVER_URL',
    says: "where the target reaches the suite's receiver",
  },
  'receiver-port': { type: 'string', value: '<n>', variable: 'WM_WEBHOOK_RECEIVER_PORT', says: 'the local port behind it' },
  'task-with-comments': {
    type: 'string',
    value: '<id>',
    variable: 'WM_TASK_WITH_COMMENTS',
    says: 'a task id: the API cannot create comments',
  },
  profile: { type: 'string', value: '<name>', variable: 'WM_PROFILE', says: 'read-only, core, full (default) or certify' },
  allow: { type: 'string', value: '<list>', variable: 'WM_ALLOW', says: 'any of webhooks, quota, slow, with commas' },
  release: {
    type: 'string',
    value: '<name>',
    variable: 'WM_RELEASE',
    says: `the release to judge by, ${RELEASE_NAMES.join(', ')} (default: what the target shows)`,
  },
  'max-rpm': { type: 'string', value: '<n>', variable: 'WM_MAX_RPM', says: 'never more requests a minute than this' },
  only: {
    type: 'string',
    value: '<id,...>',
    variable: 'WM_ONLY',
    says: 'judge a part: beginnings of ids of requirements or of checks',
  },
  'rerun-failed': { type: 'boolean', variable: 'WM_RERUN_FAILED', says: 'judge what failed in the last report of that folder' },
  baseline: {
    type: 'string',
    value: '<file>',
    variable: 'WM_BASELINE',
    says: 'known deviations, YAML or JSON: they do not fail the run',
  },
  'write-baseline': {
    type: 'string',
    value: '<file>',
    variable: 'WM_WRITE_BASELINE',
    says: "write today's violations as a baseline to fill in",
  },
  bail: { type: 'boolean', variable: 'WM_BAIL', says: 'end at the first violation' },
  keep: { type: 'boolean', variable: 'WM_KEEP', says: 'leave on the target what the run made' },
  thorough: { type: 'boolean', variable: 'WM_THOROUGH', says: 'try every situation, with no budget of requests' },
  header: {
    type: 'string',
    multiple: true,
    separator: '\n',
    value: '<name: value>',
    variable: 'WM_HEADERS',
    says: 'a header of a gateway, hidden in reports; repeatable',
  },
  timeout: { type: 'string', value: '<ms>', variable: 'WM_TIMEOUT', says: 'the wait for one answer (default 20000)' },
  'require-complete': { type: 'boolean', variable: 'WM_REQUIRE_COMPLETE', says: 'a skipped requirement makes the exit status 3' },
  report: {
    type: 'string',
    value: '<folder>',
    variable: 'WM_REPORT_DIR',
    says: 'where the reports go (default contract-report)',
  },
} as const satisfies Readonly<Record<string, Flag>>;

/** Each command: its flags, what follows it, how many words at most, and what it does. */
export const COMMANDS = {
  serve: { flags: flagsOf(SERVE), takes: '', most: 0, says: 'start the mock (the default command)' },
  exec: {
    flags: { ...EXEC, port: { ...EXEC.port!, says: 'port; 0, the default = any free one' } },
    takes: '[options] -- <command>',
    most: Number.POSITIVE_INFINITY,
    says: 'start a mock, run a command with its address and keys, stop',
  },
  contract: { flags: CONTRACT, takes: '', most: 0, says: 'run the contract suite against a base URL' },
  check: {
    flags: {},
    takes: '<seed>...',
    most: Number.POSITIVE_INFINITY,
    says: 'check a seed file, or several: every problem as file:line:column',
  },
  init: { flags: INIT, takes: '[file]', most: 1, says: 'write a commented starter seed (default wm-mock.yaml)' },
  choices: { flags: {}, takes: '', most: 0, says: "list the spec's open points: options, our answer, why" },
  openapi: { flags: YAML, takes: '', most: 0, says: 'print the OpenAPI 3.1 document' },
} as const satisfies Readonly<
  Record<string, { flags: Readonly<Record<string, Flag>>; takes: string; most: number; says: string }>
>;
export type Command = keyof typeof COMMANDS;
