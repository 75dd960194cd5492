// The text of a file as JSON or YAML, behind one guard: seeds, choices and baselines are read through it.
import { type JsonText, readJsonText, withoutMark } from '../../service/validation/json-text.ts';
import { SeedError, SOURCE_FAULTS, type Source } from './seed-error.ts';

/** A JSON text longer than this is not read a second time to find where its values are: that takes 40 times its memory. */
const MAX_PLACED_CHARS = 16_000_000;

export const readSource = async (given: string, maxPlaced = MAX_PLACED_CHARS): Promise<Source> => {
  const text = withoutMark(given);
  const { value, fault }: JsonText = text.trimStart().startsWith('{') ? readJsonText(text) : { fault: 'syntax' };
  const asYaml = async () => (await import('./yaml-source.ts')).readYaml(text);
  const isShort = text.length <= maxPlaced;
  if (fault === 'syntax' || (fault && isShort)) return asYaml();
  const placeOf = async () => (isShort ? (await asYaml()).placeOf() : () => undefined);
  return { value, problems: fault ? [{ path: '', ...SOURCE_FAULTS[fault] }] : [], more: 0, placeOf };
};

/** @param name of the file @throws SeedError with line and column of each mistake */
export const readSound = async (text: string, name: string): Promise<unknown> => {
  const { value, problems, more } = await readSource(text);
  if (problems.length > 0) throw new SeedError(name, problems, more);
  return value;
};
