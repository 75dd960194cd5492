// `wm-mock choices`: lists the open points, with the choices for each.
import { CHOICES } from '../../service/contract/choices.ts';
import type { CommandLine } from '../command-line/args.ts';
import type { Io } from '../command-line/io.ts';

export const printChoices = async (_args: CommandLine, { out, colour }: Io): Promise<number> => {
  const bold = (text: string) => (colour ? `\u001b[1m${text}\u001b[22m` : text);
  const rows = Object.entries(CHOICES).map(([id, { part, question, options, ours, because }]) => {
    const lines = Object.entries(options).map(
      ([option, says]) => `  ${option === ours ? '*' : ' '} ${option.padEnd(18)} ${says}`,
    );
    return [`${bold(id)}  (${part})`, `  ${question}`, ...lines, `    Why: ${because}`].join('\n');
  });
  const head = 'Open points: what the spec leaves open. * marks the default; choose another with --choice <name>=<option>.';
  out(`${head}\n\n${rows.join('\n\n')}\n`);
  return 0;
};
