// The flags of each command, as one table.
import { RUN_DEFAULTS } from '../../client/run-defaults.ts';
import { type Option, type Rows, SERVE } from '../../mock/api/options.ts';
import { pick } from '../../service/contract/fields.ts';
import { mapValues } from '../../service/contract/keyed.ts';
import { LATEST, RELEASE_NAMES } from '../../service/contract/releases.ts';
import { OWN_FLAGS } from './flags.generated.ts';

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
const FREE_PORT: Flag = { ...EXEC_FLAGS.port!, says: 'port; 0 = any free one (default)' };

const FILLED_IN = { releases: RELEASE_NAMES.join(', '), latest: LATEST, ...RUN_DEFAULTS };

/** The flags of a section of flags.yaml. */
const ownFlags = (section: keyof typeof OWN_FLAGS): Flags =>
  mapValues(OWN_FLAGS[section] as Readonly<Record<string, Omit<Flag, 'type'>>>, (row): Flag => {
    const says = row.says.replace(/\{(\w+)\}/g, (_, key: keyof typeof FILLED_IN) => String(FILLED_IN[key]));
    return { type: row.value === undefined ? 'boolean' : 'string', ...row, says };
  });

/** By default the variable of a flag of `contract` is WM_ and its name; the help names each other one. */
const withVariable = (flag: Flag, name: string): Flag => {
  const usual = `WM_${toUpperSnakeCase(name)}`;
  const { variable = usual, says } = flag;
  return { ...flag, variable, says: variable === usual ? says : `${says} [${variable}]` };
};
const CONTRACT_FLAGS: Flags = mapValues(ownFlags('contract'), withVariable);

/** Each run starts a mock of its own on a free port. */
const { 'no-control': _, latency: __, port: ___, host: ____, ...FOR_MANY } = EXEC_FLAGS;

const CLIENT_FLAGS = { ...FOR_MANY, ...ownFlags('client') };
export const COMMON_FLAGS = ownFlags('common');

const AFTER_DASHES = '[options] -- <command>';
const commandRow = (takes: string, says: string, flags: Flags = {}) => ({ takes, says, flags });

export const COMMANDS = {
  serve: commandRow('', 'start the mock (the default command)', toFlags(SERVE)),
  exec: commandRow(AFTER_DASHES, 'run a command with a mock, whose address and keys it gets', { ...EXEC_FLAGS, port: FREE_PORT }),
  client: commandRow(AFTER_DASHES, 'judge a client by its own tests: does it keep its side of the contract?', CLIENT_FLAGS),
  replay: commandRow('<file>', 'replay a repro file; exits with 0 if equal, 2 if not, 1 if it is no repro file', {
    ...ownFlags('replay'),
    ...pick(EXEC_FLAGS, 'host'),
    port: FREE_PORT,
  }),
  contract: commandRow('', 'test a service against the specification', CONTRACT_FLAGS),
  proxy: commandRow('[-- <command>]', 'judge a service by the traffic of your app, or by HAR files', {
    ...ownFlags('proxy'),
    port: FREE_PORT,
  }),
  check: commandRow('<seed>...', 'check seed files; problems are printed as file:line:column'),
  init: commandRow('[file]', 'write a commented starter seed (default wm-mock.yaml)', ownFlags('init')),
  dev: commandRow('[folder]', 'with --hosted: run hosted worlds on this machine (default .wm-mock-hosted)', {
    ...ownFlags('hosted'),
    ...pick(EXEC_FLAGS, 'seed', 'now', 'port', 'host'),
    ...ownFlags('dev'),
  }),
  deploy: commandRow('[folder]', 'deploy a folder of init --hosted with wrangler', {
    ...ownFlags('deploy'),
    ...pick(EXEC_FLAGS, 'port', 'host'),
  }),
  choices: commandRow('', "list the spec's open points: options, default, why"),
  mcp: commandRow('', 'serve tools for coding agents (Model Context Protocol over stdio)', {
    ...pick(EXEC_FLAGS, 'seed', 'now', 'random-seed', 'plan', 'choice', 'forward-compat', 'release', 'control-token'),
    port: FREE_PORT,
    ...ownFlags('mcp'),
  }),
  openapi: commandRow('', 'print the OpenAPI document, 3.1 or 3.0', { release: toFlag(SERVE.release), ...ownFlags('openapi') }),
  completion: commandRow('<shell>', 'print a script that completes commands and flags: bash, zsh or fish'),
} as const;
export type Command = keyof typeof COMMANDS;

/** Limit of positional arguments, read from `takes`: none for a command after `--` or for `...`. */
export const maxArguments = (command: Command): number => {
  const { takes } = COMMANDS[command];
  return /-- |\.\.\.$/.test(takes) ? Number.POSITIVE_INFINITY : Math.min(takes.length, 1);
};
