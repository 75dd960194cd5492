// The conforming farm: the mock under every answer to the open points is never blamed, and each answer is recorded rightly.
import { runContract } from '../run.ts';
import { mockTarget } from './targets.ts';
import { coveringArray, OPEN_POINTS, randomVariant, type Variant } from './variants.ts';

/** Answers that a variant hides: what depends on them cannot be seen, which is no mistake. */
const hidden = (variant: Variant, name: string): boolean => {
  if (name === 'refused-requests') return variant['rate-window'] !== 'rolling';
  if (name === 'value-fault-status' || name === 'check-order') return false;
  return false;
};

export const judgeVariant = async (variant: Variant): Promise<string[]> => {
  const target = await mockTarget(variant);
  const report = await runContract({ ...target.options, fetch: target.fetch, reportDir: false, timeoutMs: 5000 });
  await target.close();
  const problems = report.failures.map((id) => `${id}: ${report.requirements.find((result) => result.id === id)?.reason}`);
  if (report.error) problems.push(report.error);
  for (const [name, seen] of Object.entries({ ...report.choices, ...report.other_choices })) {
    if (seen !== variant[name] && !hidden(variant, name))
      problems.push(`${name} is ${variant[name]} and was recorded as ${seen}`);
  }
  return problems;
};

export const variantFarm = async (count: number, print: (line: string) => void): Promise<number> => {
  const array = coveringArray(150);
  const random = Array.from({ length: Math.max(0, count - array.length) }, (_, i) => randomVariant(100_000 + i));
  const all = [...array, ...random].slice(0, count);
  print(
    `Conforming variants: ${Math.min(count, array.length)} of a covering array of ${Object.keys(OPEN_POINTS).length} open points, ${all.length - Math.min(count, array.length)} at random`,
  );
  const tally = new Map<string, number>();
  let bad = 0;
  for (const variant of all) {
    const problems = await judgeVariant(variant);
    if (problems.length > 0) bad++;
    for (const problem of problems) tally.set(problem, (tally.get(problem) ?? 0) + 1);
  }
  for (const [problem, times] of [...tally].sort((a, b) => b[1] - a[1]).slice(0, 30)) print(`  ${times} × ${problem}`);
  print(`  ${all.length - bad} of ${all.length} variants pass with every answer recorded rightly`);
  return bad;
};
