// Tools of the tenth set: what several of its faults look at.

import type { Call } from '../../judge/reference/model.ts';
import type { Query } from '../../judge/reference/service/lists.ts';
import { SOUTH } from '../../judge/reference/world.ts';

/** A request in the second workspace. */
export const isElsewhere = (call: Call): boolean => call.workspace?.id === SOUTH;

/** Whether a list is filtered by a field, or by one value of it. */
export const asks = ({ filters }: Query, field: string, value?: string): boolean =>
  filters.some((filter) => filter.field === field && (value === undefined || filter.value === value));

/** An order as it is written in a query. */
export const written = ({ sort }: Query): string => `${sort.down ? '-' : ''}${sort.field ?? ''}`;

export const bytes = (text: string): number => Buffer.byteLength(text);
