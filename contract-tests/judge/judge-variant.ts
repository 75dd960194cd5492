// Runs against the mock under one answer to each open point: it is never blamed, and each answer is recorded.
import { runContract } from '../run.ts';
import { mockTarget } from './targets.ts';
import type { Variant } from './variants.ts';

/** Answers that a variant hides: what depends on them cannot be seen, which is no mistake. */
const hidden = (variant: Variant, name: string): boolean => {
  return name === 'refused-requests' && variant['rate-window'] !== 'rolling';
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
