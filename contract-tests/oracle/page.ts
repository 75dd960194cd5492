// One page of a list, as the oracle judges it: what was asked for, the pages before it, and which of our records belong into the whole list.
import { type Exchange, type Json, metaOf } from '../engine/exchange.ts';
import type { Operation } from '../engine/operations.ts';
import { type Entry, fieldOf, type Kind, type Workspace } from './model.ts';

/** A walk through a list: what its pages have shown up to a cursor. */
export interface Walk {
  readonly filters: ReadonlyMap<string, string>;
  readonly sort: string | undefined;
  readonly pages: readonly Exchange[];
  readonly ids: readonly string[];
  readonly epoch: number;
  readonly moves: number;
}

/** A list, as it was asked for. */
export interface Asked {
  readonly path: string;
  readonly query: string;
  readonly as: Exchange['as'];
}

export interface Page {
  readonly x: Exchange;
  readonly operation: Operation;
  readonly ws: Workspace;
  readonly rows: readonly Json[];
  readonly filters: ReadonlyMap<string, string>;
  readonly sort: string | undefined;
  /** The project whose tasks alone are listed. */
  readonly project: string | undefined;
  readonly limit: number | undefined;
  /** The pages before this one; undefined when it is not known what the cursor means. */
  readonly before: Walk | undefined;
  readonly first: boolean;
  /** Our records that belong into the whole list. */
  readonly expected: readonly Entry[];
  /** No other client has records in this list. */
  readonly exclusive: boolean;
}

const KIND: Readonly<Record<string, Kind>> = {
  list_projects: 'project',
  list_tasks: 'task',
  list_project_tasks: 'task',
  list_teams: 'team',
  list_members: 'member',
  list_comments: 'comment',
};

export const kindOfList = (operation: Operation): Kind => KIND[operation.id]!;

/** A list was written to between its pages: by us, or by others, so that it had more records, or fewer. */
export const moved = ({ before, ws, x }: Pick<Page, 'before' | 'ws' | 'x'>): boolean =>
  before !== undefined && (before.epoch !== ws.epoch || before.pages.some((page) => metaOf(page).total !== metaOf(x).total));

/** No request of others came between two of ours, as the budget of the workspace has it. */
export const undisturbed = (a: Exchange, b: Exchange): boolean => {
  const left = (x: Exchange) => Number(x.headers.get('x-ratelimit-remaining') ?? Number.NaN);
  return b.number === a.number + 1 && !a.beside && !b.beside && left(a) - left(b) === 1;
};

export const matches = (entry: Entry, filters: ReadonlyMap<string, string>): boolean =>
  [...filters].every(([field, value]) => fieldOf(entry, field) === value);
