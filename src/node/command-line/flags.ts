// The flags of each command, as one table.
import { RUN_DEFAULTS } from '../../client/run-defaults.ts';
import { type Option, type Rows, SERVE } from '../../mock/api/options.ts';
import { RELEASE_NAMES } from '../../service/contract/releases.ts';

export interface Flag {
  readonly type: 'string' | 'boolean';
  readonly short?: string | undefined;
  readonly multiple?: boolean;
  /** Separator of several values in its environment variable; a comma by default. */
  readonly separator?: string;
  readonly value?: string | undefined;
  readonly says: string;
  readonly bare?: string | undefined;
  /** Its environment variable, if that isn't WM_MOCK_ and its name. */
  readonly variable?: string;
}
type Flags = Readonly<Record<string, Flag>>;

export const toUpperSnakeCase = (name: string): string => name.toUpperCase().replaceAll('-', '_');

export const flagName = (name: string, { flag }: Option): string =>
  flag?.name ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const toFlag = ({ schema: { type }, flag: { short, value, bare, says } = { says: '' } }: Option): Flag => {
  return { type: type === 'boolean' ? type : 'string', says, short, value, bare, multiple: type === 'array' };
};

const toFlags = (rows: Rows): Flags =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [flagName(name, row), toFlag(row)]));

/** With exec, standard output and the exit belong to the command. */
const SERVE_ONLY_OPTIONS = ['json', 'watch', 'open', 'record', 'save', 'quiet', 'verbose', 'exitWithParent'];
const FOR_EXEC = Object.fromEntries(Object.entries<Option>(SERVE).filter(([name]) => !SERVE_ONLY_OPTIONS.includes(name)));
const EXEC_FLAGS = toFlags(FOR_EXEC);
const pickExecFlags = (...names: readonly string[]): Flags => Object.fromEntries(names.map((name) => [name, EXEC_FLAGS[name]!]));
const FREE_PORT: Flag = { ...EXEC_FLAGS.port!, says: 'port; 0 = any free one (default)' };

const booleanFlag = (says: string, more: Partial<Flag> = {}): Flag => ({ type: 'boolean', says, ...more });
const textFlag = (value: string, says: string, more: Partial<Flag> = {}): Flag => ({ type: 'string', value, says, ...more });

export const COMMON_FLAGS: Flags = {
  help: booleanFlag('show this help', { short: 'h' }),
  version: booleanFlag('show the version', { short: 'v' }),
};

const HOSTED_FLAG = booleanFlag('a folder of hosted worlds, on durable objects: docs/hosted.md');
/** By default the environment variable is WM_ and the name; the help names each other one. */
const nameSuiteVariables = (flags: Flags): Flags =>
  Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => {
      const { variable = `WM_${toUpperSnakeCase(name)}`, says } = flag;
      const usual = variable === `WM_${toUpperSnakeCase(name)}`;
      return [name, { ...flag, variable, says: usual ? says : `${says} [${variable}]` }];
    }),
  );

const CONTRACT_FLAGS = nameSuiteVariables({
  'base-url': textFlag('<url>', 'target, ends in /v1 (default: a mock started for the run)'),
  'key-admin': textFlag('<key>', 'key with scope admin', { variable: 'WM_API_KEY_ADMIN' }),
  'key-write': textFlag('<key>', 'key with scope write, same workspace', { variable: 'WM_API_KEY_WRITE' }),
  'key-read': textFlag('<key>', 'key with scope read, same workspace', { variable: 'WM_API_KEY_READ' }),
  'key-revoked': textFlag('<key>', 'revoked key', { variable: 'WM_API_KEY_REVOKED' }),
  'key-other': textFlag('<key>', 'key of a second workspace', { variable: 'WM_API_KEY_OTHER_WORKSPACE' }),
  'control-url': textFlag('<url>', 'control API of a wm-mock, for checks that move its clock'),
  'receiver-url': textFlag('<url>', "URL at which the target reaches the suite's receiver", {
    variable: 'WM_WEBHOOK_RECEIVER_URL',
  }),
  'receiver-port': textFlag('<n>', 'local port of that receiver', { variable: 'WM_WEBHOOK_RECEIVER_PORT' }),
  'task-with-comments': textFlag('<id>', 'id of a task that has comments (the API cannot create any)'),
  profile: textFlag('<name>', 'read-only, core or full (default)'),
  allow: textFlag('<list>', 'checks to allow: any of webhooks, quota, slow, comma-separated'),
  release: textFlag('<name>', `release to test against: ${RELEASE_NAMES.join(', ')} (default: detected)`),
  'max-rpm': textFlag('<n>', 'limit of requests a minute'),
  only: textFlag('<id,...>', 'run only these requirements or checks, by id prefix'),
  'rerun-failed': booleanFlag('run only what failed in the last report of the folder'),
  baseline: textFlag('<file>', 'known violations that do not fail the run, YAML or JSON'),
  'write-baseline': textFlag('<file>', "write this run's violations as a baseline to fill in"),
  bail: booleanFlag('stop at the first violation'),
  keep: booleanFlag('do not delete what the run created'),
  thorough: booleanFlag('try every situation, with no limit of requests'),
  header: textFlag('<name: value>', 'header to send, for a gateway; hidden in reports; repeatable', {
    multiple: true,
    separator: '\n',
    variable: 'WM_HEADERS',
  }),
  timeout: textFlag('<ms>', 'milliseconds to wait for a response (default 20000)'),
  'require-complete': booleanFlag('exit with 3 if a requirement was skipped'),
  report: textFlag('<folder>', 'folder for the reports (default contract-report)', { variable: 'WM_REPORT_DIR' }),
});

/** Each run starts a mock of its own on a free port. */
const { 'no-control': _, latency: __, port: ___, host: ____, ...FOR_MANY } = EXEC_FLAGS;

const REPEATED_RUN_FLAGS = {
  workers: textFlag('<n>', `commands to run at once (default ${RUN_DEFAULTS.workers})`),
  repeat: textFlag('<n>', `runs in which a failure must repeat to count (default ${RUN_DEFAULTS.repeat})`),
  resume: booleanFlag('continue the run that was stopped in the report folder'),
};

const MATRIX_FLAGS = {
  ...FOR_MANY,
  report: textFlag('<folder>', 'folder for the reports (default matrix-report)'),
  only: textFlag('<list>', 'try only these flips, by kind, name or id, comma-separated'),
  baseline: textFlag('<file>', 'assumptions to accept: an earlier matrix.json, or a list of ids'),
  ...REPEATED_RUN_FLAGS,
};

const RACE_FLAGS = {
  ...FOR_MANY,
  report: textFlag('<folder>', 'folder for the reports (default race-report)'),
  orders: textFlag('<n>', `limit of orders to try (default ${RUN_DEFAULTS.orders})`),
  lost: booleanFlag('also lose responses to writes, after they take effect'),
  replay: textFlag('<id or file>', 'try only this finding of the report folder, or those of a race.json'),
  baseline: textFlag('<file>', 'races to accept: an earlier race.json, or a list of ids'),
  ...REPEATED_RUN_FLAGS,
};

const AFTER_DASHES = '[options] -- <command>';
const commandRow = (takes: string, says: string, flags: Flags = {}) => ({ takes, says, flags });

export const COMMANDS = {
  serve: commandRow('', 'start the mock (the default command)', toFlags(SERVE)),
  exec: commandRow(AFTER_DASHES, 'run a command with a mock, whose address and keys it gets', { ...EXEC_FLAGS, port: FREE_PORT }),
  matrix: commandRow(AFTER_DASHES, 'run a command on permitted variants of the service: which break it?', MATRIX_FLAGS),
  race: commandRow(AFTER_DASHES, 'run a command with responses in other orders: which break it?', RACE_FLAGS),
  replay: commandRow('<file>', 'replay a repro file; exits with 0 if equal, 2 if not, 1 if it is no repro file'),
  contract: commandRow('', 'test a service against the specification', CONTRACT_FLAGS),
  check: commandRow('<seed>...', 'check seed files; problems are printed as file:line:column'),
  init: commandRow('[file]', 'write a commented starter seed (default wm-mock.yaml)', {
    hosted: HOSTED_FLAG,
    force: booleanFlag('overwrite the file'),
    'service-worker': booleanFlag('copy the service worker into the folder instead (default public)'),
  }),
  dev: commandRow('[folder]', 'with --hosted: run hosted worlds on this machine (default .wm-mock-hosted)', {
    hosted: HOSTED_FLAG,
    ...pickExecFlags('seed', 'now', 'port', 'host'),
    seed: textFlag('<file>', 'YAML or JSON seed of a new folder (default: its seed.yaml, or demo)', { short: 's' }),
    json: booleanFlag('print one JSON line when ready, instead of the addresses'),
  }),
  deploy: commandRow('[folder]', 'deploy a folder of init --hosted with wrangler', {
    bucket: textFlag('<url>', 'serve here, as one machine of a fleet that stores its worlds in this bucket'),
    ...pickExecFlags('port', 'host'),
  }),
  choices: commandRow('', "list the spec's open points: options, default, why"),
  mcp: commandRow('', 'serve tools for coding agents (Model Context Protocol over stdio)', {
    ...pickExecFlags('seed', 'now', 'random-seed', 'plan', 'choice', 'forward-compat', 'release', 'control-token'),
    port: FREE_PORT,
    'control-url': textFlag('<url>', 'use this running mock instead of starting one'),
  }),
  openapi: commandRow('', 'print the OpenAPI document, 3.1 or 3.0', {
    yaml: booleanFlag('print YAML instead of JSON'),
    release: toFlag(SERVE.release),
    openapi: textFlag('<version>', '3.1 (default), or 3.0 for older tools'),
  }),
} as const;
export type Command = keyof typeof COMMANDS;

/** Limit of positional arguments, read from `takes`: none for a command after `--` or for `...`. */
export const maxArguments = (command: Command): number => {
  const { takes } = COMMANDS[command];
  return /-- |\.\.\.$/.test(takes) ? Number.POSITIVE_INFINITY : Math.min(takes.length, 1);
};
