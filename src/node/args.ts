// The command line and its environment twins, as one table of flags (a flag wins over its twin).
import { parseArgs } from 'node:util';
import { FORWARD_KINDS, type Forward, forwardNamed } from '../contract/forward.ts';
import { PLANS, type Plan } from '../contract/limits.ts';
import { LATEST, RELEASE_NAMES, type Release, releaseNamed } from '../contract/releases.ts';
import { UsageError } from './io.ts';

interface Flag {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
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

const COMMON = {
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

export interface Args {
  readonly command: Command;
  readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly rest: readonly string[];
}

const isCommand = (word: string | undefined): word is Command => word !== undefined && Object.hasOwn(COMMANDS, word);

/** @throws UsageError when a word or a flag is unknown. */
export const readArgs = (argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Args => {
  const [first] = argv;
  const named = isCommand(first);
  if (!named && first !== undefined && !first.startsWith('-')) {
    throw new UsageError(`unknown command "${first}": expected one of ${Object.keys(COMMANDS).join(', ')}. See wm-mock --help.`);
  }
  const command: Command = named ? first : 'serve';
  const table: Readonly<Record<string, Flag>> = { ...COMMANDS[command].flags, ...COMMON };
  const options = Object.fromEntries(
    Object.entries(table).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short ? { short } : {}), ...(multiple ? { multiple } : {}) },
    ]),
  );
  // What stands behind it belongs to the command that is run.
  const end = argv.indexOf('--');
  const words = argv.map((word, i) => (end >= 0 && i > end ? word : withValue(word, table))).slice(named ? 1 : 0);
  try {
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
    const extra = positionals[COMMANDS[command].most];
    if (extra !== undefined) throw new Error(unexpected(command, extra));
    return { command, flags: { ...fromEnvironment(table, env), ...values } as Args['flags'], rest: positionals };
  } catch (error) {
    throw new UsageError(`${inOneSentence(error as Error, words, table)}. See wm-mock ${command} --help.`);
  }
};

const unexpected = (command: Command, word: string): string => {
  const why = isCommand(word)
    ? `: a command stands first, as in wm-mock ${word}`
    : command === 'serve' && /\.(ya?ml|json)$/.test(word)
      ? `: a seed is given as --seed ${word}`
      : Object.hasOwn(FORWARD_KINDS, word.split(',')[0]!)
        ? `: kinds are joined by "=", as in --forward-compat=${word}`
        : '';
  return `${command}: did not expect "${word}"${why}`;
};

/** What the reader of words has to say. */
const inOneSentence = ({ message }: Error, words: readonly string[], table: Readonly<Record<string, Flag>>): string => {
  const [, name] = /^Option '(?:-\w, )?--([\w-]+)[^']*' argument is ambiguous/.exec(message) ?? [];
  if (name === undefined)
    return message
      .replaceAll('\n', ' ')
      .split(/\. (?=To specify a positional)/)[0]!
      .replace(/\.$/, '');
  const given = words[words.findIndex((word) => word === `--${name}` || word === `-${table[name]!.short}`) + 1];
  return `--${name}: expected ${table[name]!.value}; what begins with a dash is joined by "=", as in --${name}=${given}`;
};

/** A flag that may stand alone, with the value that it then has. */
const withValue = (word: string, table: Readonly<Record<string, Flag>>): string => {
  const bare = word.startsWith('--') ? table[word.slice(2)]?.bare : undefined;
  return bare === undefined ? word : `${word}=${bare}`;
};

/** The environment variable that stands for a flag. */
const twinOf = (name: string, { variable }: Flag): string => variable ?? `WM_MOCK_${name.toUpperCase().replaceAll('-', '_')}`;

const fromEnvironment = (table: Readonly<Record<string, Flag>>, env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, flag]): [string, string | boolean | string[]][] => {
      const value = env[twinOf(name, flag)];
      if (value === undefined || value === '' || name in COMMON) return [];
      const { type, multiple } = flag;
      if (type === 'boolean') return [[name, !['0', 'false', 'no'].includes(value.toLowerCase())]];
      return [[name, multiple ? value.split(',') : value]];
    }),
  );

/** A whole number from a flag. @throws UsageError */
export const wholeNumber = (name: string, text: string, most: number): number => {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= most)) throw new UsageError(`--${name}: expected a whole number from 0 to ${most}, got "${text}".`);
  return value;
};

/** `200` or `100-400`, milliseconds. @throws UsageError */
export const latencyRange = (text: string): { min: number; max: number } => {
  const [, from, to] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text) ?? [];
  const min = Number(from);
  const max = to === undefined ? min : Number(to);
  if (from === undefined || max < min)
    throw new UsageError(
      `--latency: expected milliseconds, at most 999999, or a range from less to more such as 100-400, got "${text}".`,
    );
  return { min, max };
};

/** @throws UsageError */
export const planName = (text: string): Plan => {
  if (!Object.hasOwn(PLANS, text))
    throw new UsageError(`--plan: expected one of ${Object.keys(PLANS).join(', ')}, got "${text}".`);
  return text as Plan;
};

/** @throws UsageError */
export const releaseName = (text: string): Release => {
  const release = releaseNamed(text);
  if (!release) throw new UsageError(`--release: expected one of ${RELEASE_NAMES.join(', ')}, got "${text}".`);
  return release;
};

/** @throws UsageError */
export const forwardKinds = (text: string): Forward => {
  try {
    return forwardNamed(['1', 'true', 'yes'].includes(text) ? true : ['0', 'false', 'no'].includes(text) ? false : text);
  } catch (error) {
    throw new UsageError(`--${(error as Error).message}.`);
  }
};

/** The help text of the program or of one command. */
export const help = (command?: Command): string => {
  const rows = Object.entries(COMMANDS).map(([name, { takes, says }]) => [`wm-mock ${name} ${takes}`.trimEnd(), says] as const);
  const flags: Readonly<Record<string, Flag>> = { ...COMMANDS[command ?? 'serve'].flags, ...COMMON };
  const options = Object.entries(flags).map(([name, { short, value, says }]) => {
    const names = `${short ? `-${short}, ` : '    '}--${name}${value ? `${value.startsWith('[') ? '' : ' '}${value}` : ''}`;
    return [names, says] as const;
  });
  const table = (pairs: readonly (readonly [string, string])[]) => pairs.map(([a, b]) => `  ${a.padEnd(30)} ${b}`).join('\n');
  const head = command
    ? `wm-mock ${command} ${COMMANDS[command].takes}`.trimEnd().concat(`: ${COMMANDS[command].says}`)
    : `wm-mock: the Work-Management API on your own machine\n\n${table(rows)}`;
  const [first] = Object.keys(COMMANDS[command ?? 'serve'].flags);
  const example = first === 'seed' ? 'port' : first;
  const twins = example ? ` (each has an environment twin: --${example} is ${twinOf(example, flags[example]!)})` : '';
  return `${head}\n\nOptions${command ? '' : ' of serve'}${twins}:\n${table(options)}\n`;
};
