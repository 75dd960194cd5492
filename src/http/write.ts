// From an answer to its text: envelope, and the style that the open points ask for.
import type { Choices } from '../contract/choices.ts';
import type { Problem } from '../contract/errors.ts';
import type { PageOf } from '../lists/page.ts';

const CLEARABLE = ['description', 'assignee_id', 'due_date'];
const TIMES = ['created_at', 'updated_at', 'due_date'];

const timeIn = (style: Choices['datetime-format'], text: string): string =>
  style === 'seconds' ? text.replace(/\.\d+Z$/, 'Z') : text.replace(/\.\d+Z$/, '+00:00');

/** A value as the open points want it written; the same value when they want nothing special. */
export const dress = <T>(value: T, choices: Choices): T => {
  const leftOut = choices['absent-values'] === 'left-out';
  const times = choices['datetime-format'];
  const ownerless = choices['owner-field'] === 'absent';
  if (typeof value !== 'object' || value === null) return value;
  if (!leftOut && times === 'milliseconds' && !(ownerless && 'owner_id' in value)) return value;
  const fields = Object.entries(value).filter(
    ([field, given]) => !(leftOut && given === null && CLEARABLE.includes(field)) && !(ownerless && field === 'owner_id'),
  );
  if (times === 'milliseconds') return Object.fromEntries(fields) as T;
  const dated = fields.map(([field, given]) => [
    field,
    typeof given === 'string' && TIMES.includes(field) ? timeIn(times, given) : given,
  ]);
  return Object.fromEntries(dated) as T;
};

const textOf = (
  row: PageOf<unknown>['rows'][number],
  show: (record: never) => unknown,
  choices: Choices,
  style: string,
): string => {
  if (row.text !== undefined && row.style === style) return row.text;
  row.style = style;
  row.text = JSON.stringify(dress(show(row.value as never), choices));
  return row.text;
};

/** The text of one page; each record's text is written once and kept with it. */
export const writePage = ({ rows, show, meta }: PageOf<unknown>, choices: Choices): string => {
  const style = `${choices['absent-values']} ${choices['datetime-format']} ${choices['owner-field']}`;
  let items = '';
  for (const row of rows) items += `${items === '' ? '' : ','}${textOf(row, show, choices, style)}`;
  return `{"items":[${items}],"meta":${JSON.stringify(meta)}}`;
};

export const writeData = (data: unknown, choices: Choices): string => JSON.stringify({ data: dress(data, choices) });

export const writeError = ({ status, code, message, fields }: Problem, choices: Choices): string => {
  const filled = fields.length > 0;
  const details = filled || choices['error-details'] === 'always' ? { details: filled ? { fields } : {} } : {};
  const repeated = choices['error-status-field'] === 'present' ? { status } : {};
  return JSON.stringify({ error: { code, message, ...details, ...repeated } });
};
