// The query of a list request, read strictly: limit, cursor, filters and sort (spec: List rules).

import type { Choices } from '../contract/choices.ts';
import { type FieldIssue, issuesOf, Problem } from '../contract/errors.ts';
import { takesLater } from '../contract/forward.ts';
import { PAGE_LIMIT } from '../contract/limits.ts';
import type { Operation } from '../contract/operations.ts';
import { isIn, LIST_PARAMETERS } from '../contract/releases.ts';
import type { Meta } from '../contract/resources.ts';
import type { Terms } from '../contract/terms.ts';
import type { Place } from '../world/collection.ts';
import { type ListPosition, readCursor } from './cursor.ts';

export interface ListQuery extends ListPosition {
  readonly after: Place | undefined;
  /** Records before a page by number, as in the first releases. */
  readonly skip: number | undefined;
}

export type Parameters = readonly (readonly [name: string, value: string])[];

const decodeParameter = (text: string): string => {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? decodeText(spaced) : spaced;
};

export const readParameters = (url: string): Parameters => {
  const start = url.indexOf('?');
  if (start < 0) return [];
  const end = url.indexOf('#', start);
  const pairs = url.slice(start + 1, end < 0 ? undefined : end).split('&');
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      return equals < 0
        ? [decodeParameter(pair), '']
        : [decodeParameter(pair.slice(0, equals)), decodeParameter(pair.slice(equals + 1))];
    });
};

export const sortsOf = (operation: Operation, choices: Choices): readonly string[] => {
  const sorts = operation.list?.sorts ?? [];
  const choice = choices['sortable-fields'];
  if (choice === 'titleless') return sorts.filter((field) => field !== 'title');
  return choice === 'fitting' || /\/(tasks|projects)$/.test(operation.path) ? sorts : [];
};

/** Names a list: its workspace, operation and containing record. */
export const listName = (workspace: string | undefined, operation: string, variable: string | undefined): string =>
  `${workspace} ${operation} ${variable ?? ''}`;

const DEFAULT_SORT = { oldest: 'created_at', newest: '-created_at' } as const;

const isNumber = (name: string): name is 'page' | 'offset' => name === 'page' || name === 'offset';

class QueryParser {
  readonly issues: FieldIssue[] = [];
  readonly #operation: Operation;
  readonly #terms: Terms;

  constructor(operation: Operation, terms: Terms) {
    this.#operation = operation;
    this.#terms = terms;
  }

  get #choices(): Choices {
    return this.#terms.choices;
  }

  refuse(field: string, issue: string): undefined {
    this.issues.push({ field, issue });
    return undefined;
  }

  limit(text: string): number | undefined {
    if (!/^-?\d+$/.test(text)) return this.refuse('limit', `must be an integer from ${PAGE_LIMIT.min} to ${PAGE_LIMIT.max}`);
    const limit = Number(text);
    if (limit > PAGE_LIMIT.max && this.#choices['limit-above-100'] === 'clamped') return PAGE_LIMIT.max;
    if (limit < PAGE_LIMIT.min && this.#choices['limit-below-1'] === 'clamped') return PAGE_LIMIT.min;
    if (limit >= PAGE_LIMIT.min && limit <= PAGE_LIMIT.max) return limit;
    return this.refuse('limit', `must be from ${PAGE_LIMIT.min} to ${PAGE_LIMIT.max}`);
  }

  sort(text: string): string | undefined {
    const fields = sortsOf(this.#operation, this.#choices);
    if (fields.includes(text.replace(/^-/, ''))) return text;
    const known =
      fields.length > 0 ? `must be one of ${fields.join(', ')}, with a leading - to descend` : 'this list cannot be sorted';
    return this.refuse('sort', known);
  }

  filter(name: string, field: string, value: string): boolean {
    const { filters } = this.#operation.list!;
    if (!Object.hasOwn(filters, field)) {
      const inProject = field === 'project_id' && this.#operation.finds === 'projects';
      const choice = inProject ? this.#choices['project-filter-in-project'] : this.#choices['unknown-filter'];
      if (choice === 'refused')
        this.refuse(name, `is no filter of this list; it has ${Object.keys(filters).join(', ') || 'none'}`);
      return choice === 'combined';
    }
    const values = filters[field]!.enum as readonly string[] | undefined;
    const known = values?.includes(value) || takesLater(this.#terms, field, value);
    if (values && !known && this.#choices['filter-value'] === 'refused') this.refuse(name, `must be one of ${values.join(', ')}`);
    return true;
  }

  other(name: string): void {
    const removed = isNumber(name) && !hasParameter(name, this.#terms);
    const choice = this.#choices[removed ? 'page-and-offset' : 'unknown-query'];
    if (choice === 'refused')
      this.refuse(name, removed ? 'was removed in v1.2.0: use cursor' : 'is no parameter of this operation');
  }
}

/** Reads the query of a list request. @throws Problem 400 naming every parameter that fails. */
export const readList = (operation: Operation, list: string, parameters: Parameters, terms: Terms): ListQuery => {
  const { choices } = terms;
  const reading = new QueryParser(operation, terms);
  const seen = new Set<string>();
  const filters: Record<string, string> = {};
  let limit: number | undefined;
  let sort: string | undefined;
  const places: { page?: string; offset?: string; cursor?: string } = {};
  for (const [name, value] of parameters) {
    const field = /^filter\[(.*)\]$/s.exec(name)?.[1];
    const known = hasParameter(name, terms) || field !== undefined;
    if (known && seen.has(name)) reading.refuse(name, 'must be given once');
    seen.add(name);
    if (name === 'limit' && known) limit = reading.limit(value);
    else if (name === 'sort') sort = reading.sort(value);
    else if ((name === 'cursor' || isNumber(name)) && known) places[name] = value;
    else if (field === undefined) reading.other(name);
    else if (reading.filter(name, field, value)) filters[field] = value;
  }
  const { cursor } = places;
  const kept = cursor === undefined ? undefined : readCursor(cursor);
  const position = kept?.list === list ? kept : undefined;
  const skip = readSkip(places, limit ?? PAGE_LIMIT.default, terms, (name, issue) => reading.refuse(name, issue));
  if (cursor !== undefined && !position && choices['broken-cursor'] === 'refused')
    reading.refuse('cursor', 'must be the next_cursor of the previous page of this list');
  if (position && choices['cursor-conflict'] === 'refused') {
    for (const [field, value] of Object.entries(filters)) {
      if (position.filters[field] !== value) reading.refuse(`filter[${field}]`, 'contradicts the filter that the cursor keeps');
    }
    if (sort !== undefined && sort !== position.sort) reading.refuse('sort', 'contradicts the order that the cursor keeps');
  }
  if (reading.issues.length > 0) throw queryProblem(reading.issues, choices);
  const usual = position && choices['cursor-limit'] === 'kept' ? position.limit : PAGE_LIMIT.default;
  return {
    limit: limit ?? usual,
    filters: position?.filters ?? filters,
    sort: position?.sort ?? sort ?? DEFAULT_SORT[choices['default-order']],
    list,
    after: skip === undefined ? position?.after : undefined,
    skip,
  };
};

export const rejectParameters = (operation: Operation, parameters: Parameters, terms: Terms): void => {
  if (parameters.length === 0) return;
  const reading = new QueryParser(operation, terms);
  for (const [name] of parameters) reading.other(name);
  if (reading.issues.length > 0) throw queryProblem(reading.issues, terms.choices);
};

const queryProblem = (fields: readonly FieldIssue[], choices: Choices): Problem => {
  const sortAlone = fields.every(({ field }) => field === 'sort');
  const code = sortAlone ? choices['unsupported-sort-code'] : 'validation_error';
  return new Problem(400, code, `The query is wrong: ${issuesOf(fields)}.`, { fields, check: 'query' });
};

/** A text without its percent signs, or as it stands where they are wrong. @param form whether a plus sign is a blank, as in forms and queries */
export const decodeText = (text: string, form = false): string => {
  try {
    return decodeURIComponent(form ? text.replaceAll('+', ' ') : text);
  } catch {
    return text;
  }
};

/** Names of the parameters that a list takes at the release of the terms, filters included. */
export const parameterNames = ({ list }: Operation, terms: Terms): readonly string[] => [
  ...Object.keys(LIST_PARAMETERS).filter((name) => hasParameter(name, terms)),
  ...Object.keys(list?.filters ?? {}).map((field) => `filter[${field}]`),
];

/** Whether lists take a parameter, besides filters, at the release of the terms. */
export const hasParameter = (name: string, { contract }: Terms): boolean =>
  Object.hasOwn(LIST_PARAMETERS, name) && isIn(LIST_PARAMETERS[name as keyof typeof LIST_PARAMETERS], contract.release);

const MAX_SKIP = 1e12;

const wholeNumber = (text: string | undefined, min: number): number | undefined =>
  /^\d+$/.test(String(text)) && Number(text) >= min ? Math.min(Number(text), MAX_SKIP) : undefined;

/** Records before a page; undefined if the list uses cursors. @param refuse gets each invalid parameter */
const readSkip = (
  { page, offset, cursor }: Partial<Record<string, string>>,
  limit: number,
  terms: Terms,
  refuse: (field: string, issue: string) => undefined,
): number | undefined => {
  const cursors = hasParameter('cursor', terms);
  const isByCursor = (page ?? offset) === undefined;
  if (cursors && cursor !== undefined && !isByCursor) refuse('cursor', 'must not be given beside page or offset');
  if (page !== undefined && offset !== undefined) refuse('offset', 'must not be given beside page');
  const number = wholeNumber(page, 1);
  const skip = wholeNumber(offset, 0);
  if (page !== undefined && number === undefined) refuse('page', 'must be a whole number from 1 on');
  if (offset !== undefined && skip === undefined) refuse('offset', 'must be a whole number from 0 on');
  if (cursors && isByCursor) return undefined;
  return number === undefined ? (skip ?? 0) : (number - 1) * limit;
};

/** The meta of a page as its release has it: before cursors came, without one. */
export const metaAt = (terms: Terms, meta: Meta): Meta => {
  if (hasParameter('cursor', terms)) return meta;
  const { next_cursor: _, ...counts } = meta;
  return counts as Meta;
};
