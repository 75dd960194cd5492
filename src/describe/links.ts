// How the answer of one operation feeds the next: a created record into what reads or changes it, a page into its successor.
import { OPERATION_IDS, type Operation, type OperationId, operation } from '../contract/operations.ts';
import type { Json } from './schemas.ts';

const pathVariables = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

const upper = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

const ofCreated = ({ tag }: Operation): Readonly<Record<string, Json>> => {
  const followers = OPERATION_IDS.filter((id) => operation(id).finds === tag.toLowerCase());
  return Object.fromEntries(
    followers.map((id) => [
      upper(id),
      {
        operationId: id,
        description: `${operation(id).summary}: the one just created.`,
        parameters: Object.fromEntries(pathVariables(operation(id).path).map((name) => [name, '$response.body#/data/id'])),
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

/** The links of an operation's success; undefined when it has none. */
export const linksOf = (id: OperationId): Readonly<Record<string, Json>> | undefined => {
  const row = operation(id);
  const links = row.list ? ofPage(id, row) : row.method === 'POST' ? ofCreated(row) : {};
  return Object.keys(links).length > 0 ? links : undefined;
};
