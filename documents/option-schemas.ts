// The options of each entry point and the command line, as schemas: validators are generated from them.

import {
  AGREEMENT,
  HANDLERS,
  LISTEN,
  MOCK,
  NODE_MOCK,
  type Option,
  PLAYWRIGHT,
  REGISTER,
  type Rows,
  SERVE,
  START,
} from '../src/mock/api/options.ts';
import { closed, type Schema } from '../src/service/contract/schema.ts';

const schemasOf = (rows: Rows) =>
  closed({}, Object.fromEntries(Object.entries(rows).map(([name, { schema }]) => [name, schema])), {
    'x-says': 'an object of options, or nothing',
  });
const flagSchema = ({ schema, flag: given }: Option): Schema<unknown> => given?.schema ?? schema;

/** What a mock in Node takes, and the command line. */
export const TAKEN: Readonly<Record<string, Schema<unknown>>> = {
  mock: schemasOf(MOCK),
  nodeMock: schemasOf(NODE_MOCK),
  listen: schemasOf(LISTEN),
  flags: closed({}, Object.fromEntries(Object.entries(SERVE).map(([name, row]) => [name, flagSchema(row)]))),
};

/** What each other entry point takes, whose validators no start of the command line loads. */
export const TAKEN_MORE: Readonly<Record<string, Schema<unknown>>> = {
  playwright: schemasOf(PLAYWRIGHT),
  agreement: schemasOf(AGREEMENT),
  handlers: schemasOf(HANDLERS),
  start: schemasOf(START),
  register: schemasOf(REGISTER),
};

export const OPTION_PARTS: Readonly<Record<string, Schema<unknown>>> = Object.fromEntries(
  Object.entries<Option>({ ...PLAYWRIGHT, ...LISTEN, ...START }).map(([name, { schema }]) => [name, schema]),
);
