// Links from the response of one operation to the next: a created record to its reads and changes, a page to its successor.
import type { Operation, OperationId } from '../contract/operations.ts';
import type { Terms } from '../contract/terms.ts';
import { hasCursors } from '../lists/numbered.ts';
import type { Json } from './schemas.ts';

const pathVariables = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

const upper = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

const ofCreated = ({ tag }: Operation, { contract }: Terms): Readonly<Record<string, Json>> => {
  const followers = Object.entries(contract.operations).filter(([, { finds }]) => finds === tag.toLowerCase());
  return Object.fromEntries(
    followers.map(([id, row]) => [
      upper(id),
      {
        operationId: id,
        description: `${row.summary}: the one just created.`,
        parameters: Object.fromEntries(pathVariables(row.path).map((name) => [name, '$response.body#/data/id'])),
      },
    ]),
  );
};

const ofPage = (id: OperationId, { path }: Operation): Readonly<Record<string, Json>> => ({
  NextPage: {
    operationId: id,
    description: 'The next page, while `meta.has_more` is true.',
    parameters: {
      ...Object.fromEntries(pathVariables(path).map((name) => [name, `$request.path.${name}`])),
      cursor: '$response.body#/meta/next_cursor',
    },
  },
});

/** Links of a successful response; undefined if it has none. */
export const linksOf = (id: OperationId, terms: Terms): Readonly<Record<string, Json>> | undefined => {
  const row = terms.contract.operations[id]!;
  const page = row.list && hasCursors(terms) ? ofPage(id, row) : {};
  const links = row.list ? page : row.method === 'POST' ? ofCreated(row, terms) : {};
  return Object.keys(links).length > 0 ? links : undefined;
};
