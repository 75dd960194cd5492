// `wm-mock completion`: prints a script that completes commands and flags in bash, zsh or fish.
import type { CommandLine } from '../command-line/args.ts';
import { COMMANDS, COMMON_FLAGS } from '../command-line/flags.ts';
import { type Io, UsageError } from '../command-line/io.ts';

const ROWS = Object.entries(COMMANDS).map(([name, { says, flags }]) => ({
  name,
  says,
  flags: Object.entries({ ...flags, ...COMMON_FLAGS }).map(([flag, row]) => ({ flag, row })),
}));

/** A file may follow any word; behind `--` stands a command of another program. */
const inBash = (): string => {
  const dashed = ({ flags }: (typeof ROWS)[number]) => flags.map(({ flag }) => `--${flag}`).join(' ');
  const cases = ROWS.map((row) => `    ${row.name}) words='${dashed(row)}' ;;`);
  const first = `${ROWS.map(({ name }) => name).join(' ')} ${dashed(ROWS[0]!)}`;
  return `_wm_mock() {
  local words
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words='${dashed(ROWS[0]!)}' ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words='${first}'
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _wm_mock wm-mock
`;
};

const quoteForFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const inFish = (): string => {
  const others = ROWS.slice(1).map(({ name }) => name);
  const lines = ROWS.flatMap(({ name, says, flags }, i) => {
    const when = i === 0 ? `not __fish_seen_subcommand_from ${others.join(' ')}` : `__fish_seen_subcommand_from ${name}`;
    return [
      `complete -c wm-mock -n __fish_use_subcommand -a ${name} -d ${quoteForFish(says)}`,
      ...flags.map(
        ({ flag, row }) => `complete -c wm-mock -n '${when}' -l ${flag}${row.value ? ' -r' : ''} -d ${quoteForFish(row.says)}`,
      ),
    ];
  });
  return `${lines.join('\n')}\n`;
};

const SCRIPTS: Readonly<Record<string, () => string>> = {
  bash: inBash,
  zsh: () => `autoload -U +X bashcompinit && bashcompinit\n${inBash()}`,
  fish: inFish,
};

export const printCompletion = async ({ rest: [shell = ''] }: CommandLine, io: Io): Promise<number> => {
  const script = SCRIPTS[shell];
  if (!script) throw new UsageError(`completion: expected one of ${Object.keys(SCRIPTS).join(', ')}, got "${shell}".`);
  io.raw(script());
  return 0;
};
