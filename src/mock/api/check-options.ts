// Refuses options that are misspelt or impossible by name, before anything starts.
import { check, lineOf, type Validate } from '../../service/validation/check.ts';
import { pathText } from '../../service/validation/show.ts';

/**
 * @param entry the name by which the entry point is called. @param validate that of its options, in `options.generated.ts` or `more-options.generated.ts`.
 * @param Refusal what is thrown; absent: TypeError if options is not an object, RangeError if one is unknown or impossible.
 */
export const checkOptions = (entry: string, validate: unknown, given: unknown, Refusal?: typeof TypeError): void => {
  const wrong = check(validate as Validate, given);
  if (wrong.length === 0) return;
  const said = wrong.map((finding) => lineOf(pathText(finding.path), finding)).join('; ');
  const Kind = Refusal ?? (wrong[0]!.path.length === 0 ? TypeError : RangeError);
  throw new Kind(`${entry} is refused: ${said}. The types of wm-mock say what it takes.`);
};
