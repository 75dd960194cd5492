// The flags of each command, as one table.

import { type Option, type Rows, SERVE } from '../mock/api/options.ts';
import { RELEASE_NAMES } from '../service/contract/releases.ts';

export interface Flag {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
  /** What stands between several values in its environment twin; absent: a comma. */
  readonly separator?: string;
  readonly value?: string;
  readonly says: string;
  readonly bare?: string;
  /** Its environment twin, where that is not WM_MOCK_ and its name. */
  readonly variable?: string;
}

/** The part of an environment variable that is the name of a flag. */
export const upperCase = (name: string): string => name.toUpperCase().replaceAll('-', '_');

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

/** Without what prints, keeps, watches or opens: standard output and the end belong to the command. */
const OF_SERVE = ['json', 'watch', 'open', 'record', 'save', 'quiet', 'verbose', 'exitWithParent'];
const FOR_EXEC = Object.fromEntries(Object.entries<Option>(SERVE).filter(([name]) => !OF_SERVE.includes(name)));
const EXEC = flagsOf(FOR_EXEC);
const pick = (flags: Readonly<Record<string, Flag>>, ...names: readonly string[]): Readonly<Record<string, Flag>> =>
  Object.fromEntries(names.map((name) => [name, flags[name]!]));
const FREE_PORT: Flag = { ...EXEC.port!, says: 'port; 0 (default) = any free one' };

const yes = (says: string, more: Partial<Flag> = {}): Flag => ({ type: 'boolean', says, ...more });
const text = (value: string, says: string, more: Partial<Flag> = {}): Flag => ({ type: 'string', value, says, ...more });

export const COMMON: Readonly<Record<'help' | 'version', Flag>> = {
  help: yes('show this help', { short: 'h' }),
  version: yes('show the version', { short: 'v' }),
};

const OPENAPI = {
  yaml: yes('print YAML instead of JSON'),
  release: flagOf(SERVE.release),
  openapi: text('<version>', '3.1 (default), or 3.0 for older tools'),
};
const HOSTED = yes('hosted worlds, on durable objects, in a folder: docs/hosted.md');
const INIT = {
  hosted: HOSTED,
  force: yes('overwrite the file'),
  'service-worker': yes('copy the service worker into a folder instead (default public)'),
};

/** The environment twin of a flag of the suite is WM_ and its name, unless it says otherwise. */
const ofSuite = (flags: Readonly<Record<string, Flag>>): Readonly<Record<string, Flag>> =>
  Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { variable: `WM_${upperCase(name)}`, ...flag }]));

const CONTRACT = ofSuite({
  'base-url': text('<url>', 'target, ends in /v1; absent: a mock is started for the run'),
  'key-admin': text('<key>', 'a key of scope admin', { variable: 'WM_API_KEY_ADMIN' }),
  'key-write': text('<key>', 'a key of scope write, same workspace', { variable: 'WM_API_KEY_WRITE' }),
  'key-read': text('<key>', 'a key of scope read, same workspace', { variable: 'WM_API_KEY_READ' }),
  'key-revoked': text('<key>', 'a revoked key', { variable: 'WM_API_KEY_REVOKED' }),
  'key-other': text('<key>', 'a key of a second workspace', { variable: 'WM_API_KEY_OTHER_WORKSPACE' }),
  'control-url': text('<url>', "a wm-mock's control API: unlocks time travel"),
  'receiver-url': text('<url>', "where the target reaches the suite's receiver", { variable: 'WM_WEBHOOK_RECEIVER_URL' }),
  'receiver-port': text('<n>', 'the local port behind it', { variable: 'WM_WEBHOOK_RECEIVER_PORT' }),
  'task-with-comments': text('<id>', 'a task id: the API cannot create comments'),
  profile: text('<name>', 'read-only, core, full (default) or certify'),
  allow: text('<list>', 'any of webhooks, quota, slow, comma-separated'),
  release: text('<name>', `the release to judge by, ${RELEASE_NAMES.join(', ')} (default: what the target shows)`),
  'max-rpm': text('<n>', 'never more requests a minute than this'),
  only: text('<id,...>', 'run a part: id prefixes of requirements or checks'),
  'rerun-failed': yes('run only what failed in the last report of that folder'),
  baseline: text('<file>', 'known deviations, YAML or JSON: they do not fail the run'),
  'write-baseline': text('<file>', "write today's violations as a baseline to fill in"),
  bail: yes('end at the first violation'),
  keep: yes('leave what the run created on the target'),
  thorough: yes('try every situation, without a request limit'),
  header: text('<name: value>', 'header for a gateway, hidden in reports; repeatable', {
    multiple: true,
    separator: '\n',
    variable: 'WM_HEADERS',
  }),
  timeout: text('<ms>', 'how long to wait for a response (default 20000)'),
  'require-complete': yes('exit with 3 if a requirement was skipped'),
  report: text('<folder>', 'where the reports go (default contract-report)', { variable: 'WM_REPORT_DIR' }),
});

/** What a command that is run many times leaves to us. */
const { 'no-control': _, latency: __, port: ___, host: ____, ...FOR_MANY } = EXEC;

const MANY = {
  workers: text('<n>', 'commands to run at once (default 1)'),
  repeat: text('<n>', 'how often a failure has to repeat (default 2)'),
  resume: yes('continue a stopped run of the report folder'),
};

const MATRIX = {
  ...FOR_MANY,
  report: text('<folder>', 'where the reports go (default matrix-report)'),
  only: text('<list>', 'only these flips, by kind, name or id, comma-separated'),
  baseline: text('<file>', 'accepted assumptions: an earlier matrix.json, or a list of ids'),
  ...MANY,
};

const RACE = {
  ...FOR_MANY,
  report: text('<folder>', 'where the reports go (default race-report)'),
  orders: text('<n>', 'most orders to try (default 200)'),
  lost: yes('also lose responses to writes, after they took effect'),
  replay: text('<id or file>', 'only this finding of the report folder, or those of a race.json'),
  baseline: text('<file>', 'accepted races: an earlier race.json, or a list of ids'),
  ...MANY,
};

/** Each command: its flags, what follows it, and what it does. */
export const COMMANDS = {
  serve: { flags: flagsOf(SERVE), takes: '', says: 'start the mock (the default command)' },
  exec: {
    flags: { ...EXEC, port: FREE_PORT },
    takes: '[options] -- <command>',
    says: 'start a mock, run a command with its address and keys, stop',
  },
  matrix: {
    flags: MATRIX,
    takes: '[options] -- <command>',
    says: 'run a command on variants of the service: what does it assume?',
  },
  race: {
    flags: RACE,
    takes: '[options] -- <command>',
    says: 'run a command with its responses in other orders: which break it?',
  },
  replay: {
    flags: {},
    takes: '<file>',
    says: 'replay a repro file: 0 same bytes, 2 a difference, 1 not a repro file',
  },
  contract: { flags: CONTRACT, takes: '', says: 'run the contract suite against a base URL' },
  check: { flags: {}, takes: '<seed>...', says: 'check seed files: every problem as file:line:column' },
  init: { flags: INIT, takes: '[file]', says: 'write a commented starter seed (default wm-mock.yaml)' },
  dev: {
    flags: {
      hosted: HOSTED,
      ...pick(EXEC, 'seed', 'now', 'port', 'host'),
      seed: text('<file>', 'YAML or JSON seed of a new folder (default: its seed.yaml, or demo, the built-in one)', {
        short: 's',
      }),
      json: yes('one JSON line on stdout when ready, instead of the addresses for people'),
    },
    takes: '[folder]',
    says: 'with --hosted: hosted worlds on this machine (default .wm-mock-hosted)',
  },
  deploy: {
    flags: {
      bucket: text('<url>', 'serve here instead, as one machine of a fleet that stores its worlds in this bucket'),
      ...pick(EXEC, 'port', 'host'),
    },
    takes: '[folder]',
    says: 'check a folder of init --hosted and deploy it with wrangler',
  },
  choices: { flags: {}, takes: '', says: "list the spec's open points: options, our answer, why" },
  mcp: {
    flags: {
      ...pick(EXEC, 'seed', 'now', 'random-seed', 'plan', 'choice', 'forward-compat', 'release', 'control-token'),
      port: FREE_PORT,
      'control-url': text('<url>', 'use a running mock instead of starting one'),
    },
    takes: '',
    says: 'tools for coding agents: the Model Context Protocol over standard input and output',
  },
  openapi: { flags: OPENAPI, takes: '', says: 'print the OpenAPI document, 3.1 or 3.0' },
} as const satisfies Readonly<Record<string, { flags: Readonly<Record<string, Flag>>; takes: string; says: string }>>;
export type Command = keyof typeof COMMANDS;

/** How many words a command takes at most, as its help says: a command behind `--`, or what ends in dots, is any number. */
export const mostWords = (command: Command): number => {
  const { takes } = COMMANDS[command];
  return /-- |\.\.\.$/.test(takes) ? Number.POSITIVE_INFINITY : Math.min(takes.length, 1);
};
