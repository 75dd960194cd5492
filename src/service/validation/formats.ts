// For the generated validators: the formats of the contract, the length of a text, and the making and joining of errors.
import type { Format } from '../contract/schema.ts';
import { parseUrl } from './receiver-url.ts';

const DATETIME =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d|60)(?:\.(\d+))?)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** The usual form, which needs no arithmetic: UTC, any day but a 29th of February. */
const DAYS = '(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31';
const DATE_ONLY = new RegExp(`^\\d{4}-(?:${DAYS})T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{3})?Z$`);

export const isDateOnly = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && midnightOf(text) !== undefined;

/** The instant as `YYYY-MM-DDThh:mm:ss.sssZ`; undefined when the text is no datetime of the years 0 to 9999. */
export const toUtc = (text: string): string | undefined => {
  if (DATE_ONLY.test(text)) return text.length === 24 ? text : `${text.slice(0, -1)}.000Z`;
  const found = DATETIME.exec(text);
  if (!found) return undefined;
  const [, date, hours, minutes, seconds = '0', fraction = '', sign, offsetHours = 0, offsetMinutes = 0] = found;
  const midnight = midnightOf(date!);
  if (midnight === undefined) return undefined;
  const east = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1);
  const second = midnight + ((Number(hours) * 60 + Number(minutes) - east) * 60 + Number(seconds)) * 1000;
  // A leap second exists only at the end of a UTC day; the clocks of computers count it as the second after.
  if (seconds === '60' && second % DAY_MS !== 0) return undefined;
  const utc = new Date(second + Number(fraction.slice(0, 3).padEnd(3, '0'))).toISOString();
  return utc.length === 24 ? utc : undefined;
};

const DAY_MS = 86_400_000;

const midnightOf = (date: string): number | undefined => {
  const at = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(date) ? undefined : at;
};

export const formats: Readonly<Record<Format, (text: string) => boolean>> = {
  'date-time': (text) => toUtc(text) !== undefined,
  uri: (text) => parseUrl(text) !== undefined,
};

/** Length in Unicode code points, which is how JSON Schema counts: a pair of surrogates is one. */
export const codePoints = (text: string): number => text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);

/** Adds an error to earlier ones. @param schemaPath only in branches of an anyOf */
export const addError = (
  before: object[] | null,
  instancePath: string,
  keyword: string,
  params: object,
  parentSchema: object,
  data: unknown,
  schemaPath?: string,
): object[] => addErrors(before, [{ instancePath, ...(schemaPath && { schemaPath }), keyword, params, parentSchema, data }]);

export const addErrors = (before: object[] | null, more: object[]): object[] => {
  if (!before) return more;
  for (const one of more) before.push(one);
  return before;
};
