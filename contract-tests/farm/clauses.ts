// The table of clauses: what the specification states, the requirement that shows it, and the faults that nothing else shows.
import { readFileSync } from 'node:fs';
import type { Requirement } from '../engine/register.ts';

/** The violated requirements of one fault, by a run that went on after the first. */
type Failures = { readonly failures: readonly string[] };

/** What the farms wrote of their runs; runs to the first violation say nothing of what else would have shown a fault. */
export const readFailures = (path: string): Failures[] => {
  const { mutants = [], operators } = JSON.parse(readFileSync(path, 'utf8')) as {
    mutants?: Failures[];
    operators?: { verdicts: Failures[]; bail?: boolean };
  };
  return [...mutants, ...(operators && !operators.bail ? operators.verdicts : [])];
};

interface Count {
  kills: number;
  alone: number;
}

const countsOf = (runs: readonly Failures[]): ReadonlyMap<string, Count> => {
  const counts = new Map<string, Count>();
  for (const { failures } of runs)
    for (const id of new Set(failures)) {
      const count = counts.get(id) ?? { kills: 0, alone: 0 };
      counts.set(id, { kills: count.kills + 1, alone: count.alone + (failures.length === 1 ? 1 : 0) });
    }
  return counts;
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** A row for each clause, in the order of the specification's lines. @param runs of faults, none to the first violation */
export const clauseTable = (register: readonly Requirement[], runs: readonly Failures[]): string => {
  const counts = countsOf(runs);
  const stated = register.filter(({ level }) => level === 'must').toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  const found = runs.filter(({ failures }) => failures.length > 0).length;
  const rows = stated.map(({ id, line, quote, says, unseen }) => {
    const { kills, alone } = counts.get(id) ?? { kills: 0, alone: 0 };
    return `| ${line ?? ''} | ${cell(quote ?? '')} | ${id} | ${cell(says)} | ${unseen ? `unseen: ${cell(unseen)}` : `${kills} | ${alone}`}${unseen ? ' | ' : ''} |`;
  });
  return [
    '# The clauses of the specification',
    '',
    `Each clause that the specification states: its line and words, the requirement that shows it, how many of ${runs.length} faults (${found} found) break`,
    'that requirement, and how many of them nothing else shows. Written by `npm run contract:farm -- --clauses <file>`.',
    '',
    '| line | words | requirement | what it asks | faults | alone |',
    '| ---: | --- | --- | --- | ---: | ---: |',
    ...rows,
    '',
  ].join('\n');
};
