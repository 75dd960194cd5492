// Open points on the command line: reading choices, and listing the table.
import { CHOICES, choiceProblems } from '../service/contract/choices.ts';
import type { Args } from './args.ts';
import { readText } from './files.ts';
import { type Io, UsageError } from './io.ts';

const parseFile = async (text: string, path: string): Promise<Record<string, unknown>> => {
  const { parse } = await import('yaml');
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new UsageError(`--choices: ${path} is neither YAML nor JSON: ${(error as Error).message.split('\n')[0]}`, 1);
  }
  const choices = (value as { choices?: unknown } | null)?.choices ?? value ?? {};
  if (typeof choices !== 'object' || Array.isArray(choices))
    throw new UsageError(`--choices: expected names of open points with a choice for each in ${path}.`, 1);
  return choices as Record<string, unknown>;
};

/** Choices from `--choices`, then from each `--choice`. @throws UsageError naming each unknown choice. */
export const readChoices = async (flags: Args['flags'], io: Io): Promise<Readonly<Record<string, unknown>>> => {
  const path = typeof flags.choices === 'string' ? flags.choices : undefined;
  const fromFile = path === undefined ? {} : await parseFile(await readText(path, 'choices file', io.cwd), path);
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

export const choicesText = (colour: boolean): string => {
  const bold = (text: string) => (colour ? `\u001b[1m${text}\u001b[22m` : text);
  const rows = Object.entries(CHOICES).map(([id, { part, question, options, ours, because }]) => {
    const lines = Object.entries(options).map(
      ([option, says]) => `  ${option === ours ? '*' : ' '} ${option.padEnd(18)} ${says}`,
    );
    return [`${bold(id)}  (${part})`, `  ${question}`, ...lines, `    Why: ${because}`].join('\n');
  });
  const head = 'Open points: what the spec leaves open. * marks the default; choose another with --choice <name>=<option>.';
  return `${head}\n\n${rows.join('\n\n')}\n`;
};
