// The choices for open points that --choices and --choice give.
import { choiceProblems } from '../../service/contract/choices.ts';
import { readText } from '../files/files.ts';
import type { CommandLine } from './args.ts';
import { type Io, UsageError } from './io.ts';

const parseChoicesFile = async (text: string, path: string): Promise<Record<string, unknown>> => {
  const { readSound } = await import('../../mock/seed/source.ts');
  const value = await readSound(text, path);
  const choices = (value as { choices?: unknown } | null)?.choices ?? value ?? {};
  if (typeof choices !== 'object' || Array.isArray(choices))
    throw new UsageError(`--choices: expected names of open points with a choice for each in ${path}.`, 1);
  return choices as Record<string, unknown>;
};

/** `--choice` wins over `--choices`. @throws UsageError naming each unknown choice */
export const readChoices = async (flags: CommandLine['flags'], io: Io): Promise<Readonly<Record<string, unknown>>> => {
  const path = typeof flags.choices === 'string' ? flags.choices : undefined;
  const fromFile = path === undefined ? {} : await parseChoicesFile(await readText(path, 'choices file', io.cwd), path);
  const single = Object.fromEntries(
    ((flags.choice ?? []) as readonly string[]).map((pair) => {
      const [, name, value] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
      if (name === undefined) throw new UsageError(`--choice: expected <name=value>, got "${pair}".`);
      return [name, value];
    }),
  );
  const choices = { ...fromFile, ...single };
  const problems = choiceProblems(choices);
  if (problems.length > 0) throw new UsageError(`choice ${problems.join('; ')}. \`wm-mock choices\` lists them.`);
  return choices;
};
