// Arguments of the command line, with environment variables as defaults.
import { parseArgs } from 'node:util';
import { flags as validate } from '../../mock/api/options.generated.ts';
import { type Option, type Rows, SERVE, type Serve } from '../../mock/api/options.ts';
import { FORWARD_KINDS } from '../../service/contract/forward.ts';
import { mapValues } from '../../service/contract/keyed.ts';
import { type Release, releaseNamed } from '../../service/contract/releases.ts';
import { check, lineOf, type Validate } from '../../service/validation/check.ts';
import { didYouMean } from '../../service/validation/show.ts';
import { COMMANDS, COMMON_FLAGS, type Command, type Flag, flagName, maxArguments, toUpperSnakeCase } from './flags.ts';
import { UsageError } from './io.ts';

export interface CommandLine {
  readonly command: Command;
  readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly rest: readonly string[];
}

const isCommand = (word: string | undefined): word is Command => word !== undefined && Object.hasOwn(COMMANDS, word);

export const readArgs = (argv: readonly string[], env: Readonly<Record<string, string | undefined>>): CommandLine => {
  const [first] = argv;
  const named = isCommand(first);
  if (!named && first !== undefined && !first.startsWith('-'))
    throw new UsageError(
      isSeedFile(first)
        ? `${describeUnexpected('serve', first)}. See wm-mock serve --help.`
        : `unknown command "${first}"${didYouMean(first, Object.keys(COMMANDS))}: expected one of ${Object.keys(COMMANDS).join(', ')}. See wm-mock --help.`,
    );
  const command: Command = named ? first : 'serve';
  const table = { ...COMMANDS[command].flags, ...COMMON_FLAGS };
  const options = mapValues(table, ({ type, short, multiple }: Flag) => {
    return { type, ...(short ? { short } : {}), ...(multiple ? { multiple } : {}) };
  });
  // Words after it belong to the command.
  const end = argv.indexOf('--');
  const words = argv.map((word, i) => (end >= 0 && i > end ? word : addBareValue(word, table))).slice(named ? 1 : 0);
  try {
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
    const extra = positionals[maxArguments(command)];
    if (extra !== undefined) throw new Error(describeUnexpected(command, extra));
    return { command, flags: { ...readFlagsFromEnvironment(table, env), ...values } as CommandLine['flags'], rest: positionals };
  } catch (error) {
    throw new UsageError(`${describeParseError(error as Error, words, table)}. See wm-mock ${command} --help.`);
  }
};

const isSeedFile = (word: string): boolean => /\.(ya?ml|json)$/.test(word);

const describeUnexpected = (command: Command, word: string): string => {
  const why = isCommand(word)
    ? `: a command stands first, as in wm-mock ${word}`
    : command === 'serve' && isSeedFile(word)
      ? `: a seed is given as --seed ${word}`
      : Object.hasOwn(FORWARD_KINDS, word.split(',')[0]!)
        ? `: kinds are joined by "=", as in --forward-compat=${word}`
        : '';
  return `${command}: did not expect "${word}"${why}`;
};

const describeParseError = ({ message }: Error, words: readonly string[], table: Readonly<Record<string, Flag>>): string => {
  const [, name] = /^Option '(?:-\w, )?--([\w-]+)[^']*' argument is ambiguous/.exec(message) ?? [];
  const [, unknown] = /^Unknown option '--([\w-]+)'/.exec(message) ?? [];
  const known = Object.keys(table).map((flag) => `--${flag}`);
  if (unknown !== undefined) return `unknown option --${unknown}${didYouMean(`--${unknown}`, known)}`;
  if (name === undefined)
    return message
      .replaceAll('\n', ' ')
      .split(/\. (?=To specify a positional)/)[0]!
      .replace(/\.$/, '');
  const given = words[words.findIndex((word) => word === `--${name}` || word === `-${table[name]!.short}`) + 1];
  return `--${name}: expected ${table[name]!.value}; join a value that begins with a dash by "=", as in --${name}=${given}`;
};

/** Add its default value to a flag given without one. */
const addBareValue = (word: string, table: Readonly<Record<string, Flag>>): string => {
  const bare = word.startsWith('--') ? table[word.slice(2)]?.bare : undefined;
  return bare === undefined ? word : `${word}=${bare}`;
};

const variableName = (name: string, { variable }: Flag): string => variable ?? `WM_MOCK_${toUpperSnakeCase(name)}`;

const readFlagsFromEnvironment = (table: Readonly<Record<string, Flag>>, env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, flag]): [string, string | boolean | string[]][] => {
      const value = env[variableName(name, flag)];
      if (value === undefined || value === '' || name in COMMON_FLAGS) return [];
      const { type, multiple, separator = ',' } = flag;
      if (type === 'boolean') return [[name, !['0', 'false', 'no'].includes(value.toLowerCase())]];
      return [[name, multiple ? value.split(separator) : value]];
    }),
  );

const parseFlagText = (row: Option, text: string): unknown => {
  const { schema, read } = row.flag ?? {};
  if (read) return read(text);
  return (schema ?? row.schema).type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text;
};

/** Values by the names of options. @throws UsageError naming each impossible value */
export const toServeOptions = (flags: CommandLine['flags']): Readonly<Partial<Record<Serve, unknown>>> => {
  const names = mapValues(SERVE as Rows, (row, name) => flagName(name, row));
  const given = Object.fromEntries(
    Object.entries<Option>(SERVE).flatMap(([name, row]) => {
      const value = flags[names[name]!];
      return value === undefined ? [] : [[name, typeof value === 'string' ? parseFlagText(row, value) : value]];
    }),
  );
  const wrong = check(validate as Validate, given).map((finding) => lineOf(`--${names[finding.path[0]!]}`, finding));
  if (wrong.length > 0) throw new UsageError(`${wrong.join('; ')}.`);
  return given;
};

export const readRelease = ({ release }: CommandLine['flags']): Release | undefined =>
  releaseNamed(toServeOptions({ release }).release);

export const formatHelp = (command?: Command): string => {
  const rows = Object.entries(COMMANDS).map(([name, { takes, says }]) => [`wm-mock ${name} ${takes}`.trimEnd(), says] as const);
  const { takes, says, flags: own } = COMMANDS[command ?? 'serve'];
  const flags = { ...own, ...COMMON_FLAGS };
  const options = Object.entries(flags).map(([name, { short, value, says: does }]) => {
    const names = `${short ? `-${short}, ` : '    '}--${name}${value ? `${value.startsWith('[') ? '' : ' '}${value}` : ''}`;
    return [names, does] as const;
  });
  const table = (pairs: readonly (readonly [string, string])[]) => {
    const width = Math.max(30, ...pairs.map(([left]) => left.length));
    return pairs.map(([left, right]) => `  ${left.padEnd(width)} ${right}`).join('\n');
  };
  const head = command
    ? `${`wm-mock ${command} ${takes}`.trimEnd()}: ${says}`
    : `wm-mock: the Work-Management API on your own machine\n\n${table(rows)}`;
  const [first] = Object.keys(own);
  const example = first === 'seed' && 'port' in flags ? 'port' : first;
  const twins = example ? ` (each has an environment variable: --${example} is ${variableName(example, flags[example]!)})` : '';
  return `${head}\n\nOptions${command ? '' : ' of serve'}${twins}:\n${table(options)}\n`;
};
