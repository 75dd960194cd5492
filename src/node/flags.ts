// The flags of each command, as one table.
import { FORWARD_KINDS } from '../contract/forward.ts';
import { PLANS } from '../contract/limits.ts';
import { LATEST, RELEASE_NAMES } from '../contract/releases.ts';

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

const SERVE = {
  seed: { type: 'string', short: 's', value: '<file>', says: 'YAML or JSON seed (default: the built-in demo)' },
  port: { type: 'string', short: 'p', value: '<n>', says: 'port; 0 = any free one (default 4700)' },
  host: { type: 'string', value: '<addr>', says: 'address to bind (default 127.0.0.1)' },
  now: { type: 'string', value: '<ISO>', says: 'start the clock there, frozen' },
  'random-seed': { type: 'string', value: '<n>', says: 'ids, secrets and generated data are a function of it' },
  plan: { type: 'string', value: '<plan>', says: `${Object.keys(PLANS).join(', ')}; overrides every workspace's plan` },
  latency: { type: 'string', value: '<ms|min-max>', says: 'delay every /v1 answer' },
  choice: { type: 'string', multiple: true, value: '<name=value>', says: 'answer one of the open points; repeatable' },
  choices: { type: 'string', value: '<file>', says: 'answers to the open points, YAML or JSON' },
  'forward-compat': {
    type: 'string',
    value: '[=<kinds>]',
    bare: 'all',
    says: `make changes that v1 allows: any of ${Object.keys(FORWARD_KINDS).join(',')}`,
  },
  release: {
    type: 'string',
    value: '<name>',
    says: `${RELEASE_NAMES.join(', ')}: the service as it was then (default ${LATEST})`,
  },
  'strict-webhooks': { type: 'boolean', says: 'accept only publicly reachable https receivers' },
  'deliver-public': { type: 'boolean', says: 'really send events to receivers beyond this machine' },
  'control-token': { type: 'string', value: '<t>', says: 'the control API and the dashboard ask for it' },
  'allow-host': { type: 'string', multiple: true, value: '<name>', says: 'another name for this machine; repeatable' },
  'world-idle': { type: 'string', value: '<minutes>', says: 'delete worlds that nobody asks; 0 = never (default 60)' },
  watch: { type: 'boolean', says: 'reload when the seed file changes' },
  open: { type: 'boolean', says: 'open the dashboard in the browser' },
  json: { type: 'boolean', says: 'JSON lines on stdout: one when ready, one per request' },
} as const satisfies Readonly<Record<string, Flag>>;

/** Without what prints, watches or opens: standard output and the end belong to the command. */
const {
  json: _json,
  watch: _watch,
  open: _open,
  ...EXEC
} = {
  ...SERVE,
  port: { ...SERVE.port, says: 'port; 0, the default = any free one' },
};

export const COMMON = {
  help: { type: 'boolean', short: 'h', says: 'show this help' },
  version: { type: 'boolean', short: 'v', says: 'show the version' },
} as const satisfies Readonly<Record<string, Flag>>;

const YAML = {
  yaml: { type: 'boolean', says: 'print YAML instead of JSON' },
  release: SERVE.release,
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
  serve: { flags: SERVE, takes: '', most: 0, says: 'start the mock (the default command)' },
  exec: {
    flags: EXEC,
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
