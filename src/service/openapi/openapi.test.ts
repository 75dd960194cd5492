// The OpenAPI document: complete, consistent with itself, its examples valid; in words of 3.0, which Redocly judges in CI.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CHOICES } from '../contract/choices.ts';
import { OPERATION_IDS, operation } from '../contract/operations.ts';
import { RELEASE_NAMES } from '../contract/releases.ts';
import { EVENT_NAMES } from '../contract/resources.ts';
import { termsOf } from '../contract/terms.ts';
import { formats } from '../validation/formats.ts';
import { openApi, openApiYaml } from './openapi.ts';
import { inOpenApi30 } from './openapi-30.ts';
import { parametersOf } from './operation-object.ts';

type Node = Readonly<Record<string, unknown>>;

interface Described {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Node>>;
  readonly parameters?: readonly { readonly name?: string; readonly $ref?: string; readonly schema?: Node }[];
  readonly [key: string]: unknown;
}

const document = openApi() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Described }>>;
};

const operationsOf = (of: typeof document) => Object.values(of.paths).flatMap((path) => Object.values(path));
const described = Object.fromEntries(operationsOf(document).map((one) => [one.operationId, one]));

const walk = (node: unknown, visit: (node: Node, path: string) => void, path = '#'): void => {
  if (typeof node !== 'object' || node === null) return;
  visit(node as Node, path);
  for (const [key, child] of Object.entries(node))
    walk(child, visit, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
};

const find = (reference: string, within: unknown = document): unknown =>
  reference
    .slice(2)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, key) => (node as Node | undefined)?.[key], within);

test('every operation of the table is in the document, in its order', () => {
  expect(
    operationsOf(document)
      .map(({ operationId }) => operationId)
      .sort(),
  ).toEqual([...OPERATION_IDS].sort());
  expect(Object.keys(document.paths)).toEqual([...new Set(OPERATION_IDS.map((id) => operation(id).path))]);
});

test('every reference leads somewhere, and every component is used', () => {
  const used = new Set<string>();
  walk(document, ({ $ref }) => typeof $ref === 'string' && used.add($ref));
  expect([...used].filter((reference) => find(reference) === undefined)).toEqual([]);
  const { securitySchemes: _, ...components } = (document as unknown as { components: Readonly<Record<string, Node>> })
    .components;
  const known = Object.entries(components).flatMap(([kind, of]) => Object.keys(of).map((name) => `#/components/${kind}/${name}`));
  expect(known.filter((reference) => !used.has(reference))).toEqual([]);
});

test('every example fits its schema', () => {
  const ajv = new Ajv2020({ formats, allowUnionTypes: true, strictSchema: false }).addSchema(document, 'api');
  const wrong: string[] = [];
  let count = 0;
  const check = (path: string, example: unknown) => {
    count++;
    if (!ajv.validate({ $ref: `api${path.split('/').map(encodeURIComponent).join('/').replace('%23', '#')}` }, example))
      wrong.push(`${path}: ${ajv.errorsText()}`);
  };
  walk(document, ({ schema, example, examples, type }, path) => {
    if (schema && example !== undefined) check(`${path}/schema`, example);
    if (schema && examples)
      for (const { value } of Object.values(examples) as { value: unknown }[]) check(`${path}/schema`, value);
    if (type && Array.isArray(examples)) for (const one of examples) check(path, one);
  });
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(100);
});

test('every body, response, header and parameter has an example, but for a cursor, which only a page can give', () => {
  const bare: string[] = [];
  walk(document, ({ schema, example, examples }, path) => {
    if (schema && example === undefined && examples === undefined) bare.push(path);
  });
  expect(bare).toEqual(['#/components/parameters/Cursor']);
});

describe('generated clients', () => {
  test('meet no tag that holds calls of theirs and calls of the service', () => {
    const tagsOf = (all: readonly Described[]) => new Set(all.flatMap(({ tags }) => tags as string[]));
    const events = tagsOf(Object.values(document.webhooks).map(({ post }) => post));
    expect(events).toEqual(new Set(['Events']));
    expect([...tagsOf(operationsOf(document))]).not.toContain('Events');
  });

  test('are told that whatever they receive may hold more, and nothing of what they send', () => {
    const [closed, opened]: [string[], string[]] = [[], []];
    const look = (node: unknown, into: string[], wanted: boolean) =>
      walk(node, ({ properties, additionalProperties }, path) => {
        if (properties && (additionalProperties === true) !== wanted) into.push(path);
      });
    const { schemas } = (document as unknown as { components: { schemas: Node } }).components;
    for (const [name, schema] of Object.entries(schemas)) {
      const sent = /(Draft|Patch|Body)$/.test(name);
      look({ [name]: schema }, sent ? opened : closed, !sent);
    }
    look(document.webhooks, closed, true);
    expect([closed, opened]).toEqual([[], []]);
  });

  test('find a name for each body, each response and each list of words but the sorts', () => {
    const unnamed: string[] = [];
    walk(document.paths, ({ type, properties, enum: values }, path) => {
      if ((type === 'object' && properties) || (values && !path.includes('/parameters/'))) unnamed.push(path);
    });
    expect(unnamed).toEqual([]);
    const names = Object.keys((document as unknown as { components: { schemas: Node } }).components.schemas);
    expect(names).toEqual(expect.arrayContaining(['Task', 'TaskList', 'TaskResponse', 'TaskStatus', 'EventName']));
  });
});

test('every link leads to an operation and gives it all its path variables', () => {
  const wrong: string[] = [];
  walk(document, ({ operationId, parameters }, path) => {
    if (!/\/links\/[^/]+$/.test(path)) return;
    const variables = [...(operation(operationId as never)?.path ?? '{?}').matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    if (variables.some((name) => !(name in (parameters as Node)))) wrong.push(path);
  });
  expect(wrong).toEqual([]);
  const links = described.createProject!.responses['201']!.links as Node;
  expect(Object.keys(links)).toEqual(['GetProject', 'UpdateProject', 'DeleteProject', 'ListProjectTasks', 'CreateTask']);
});

test('every open point named is one of the table', () => {
  const named = [...operationsOf(document), ...Object.values(document.webhooks).map(({ post }) => post)].flatMap(
    (one) => one['x-open-points'] as readonly string[],
  );
  expect(named.filter((id) => !(id in CHOICES))).toEqual([]);
});

test('the eight events are webhooks', () => expect(Object.keys(document.webhooks)).toEqual([...EVENT_NAMES]));

test('the YAML form says the same', async () =>
  expect(parse(await openApiYaml())).toEqual(JSON.parse(JSON.stringify(openApi()))));

test('a path variable without a description is refused with the file that would', () => {
  const row = { ...operation('getTask'), path: '/tasks/{slug}' };
  expect(() => parametersOf(row, termsOf())).toThrow(
    'The path variable {slug} is described nowhere: call it by a collection of RESOURCES, as in {task_id}, or add it to PARAMETERS in src/service/openapi/operation-object.ts.',
  );
});

test.each(RELEASE_NAMES)('in OpenAPI 3.0, v%s has no word that 3.0 lacks, and the same operations', (release) => {
  const today = openApi({ release });
  const older = openApi({ release, openapi: '3.0' });
  const text = JSON.stringify(older);
  expect(text).not.toMatch(/"type":\[|"const":|"examples":\[|"identifier":/);
  expect(older).not.toHaveProperty('webhooks');
  const calls = ({ paths }: Node) => Object.entries(paths as Node).map(([path, item]) => [path, ...Object.keys(item as Node)]);
  expect(calls(older)).toEqual(calls(today));
});

test('in OpenAPI 3.0, a field that may be null is nullable; an example, and keywords beside a reference, stay', () => {
  const { schemas } = inOpenApi30(openApi()).components as { schemas: Record<string, { properties: Record<string, Node> }> };
  expect(schemas.Task!.properties.due_date).toMatchObject({ type: 'string', nullable: true, format: 'date-time' });
  expect(schemas.Task!.properties.title).toMatchObject({ example: 'Write the release notes', maxLength: 255 });
  const beside = { openapi: '3.1.0', info: { title: 'A', version: '1' }, at: { $ref: '#/b', description: 'c' } };
  expect(inOpenApi30(beside)).toEqual({
    openapi: '3.0.4',
    info: beside.info,
    at: { allOf: [{ $ref: '#/b' }], description: 'c' },
  });
});

test('in OpenAPI 3.0, data is left as it is, whatever its keys are called', () => {
  const data = { type: ['string', 'null'], const: 1, examples: [2] };
  const { at } = inOpenApi30({ openapi: '3.1.0', info: {}, at: { example: data, default: data, 'x-any': data } });
  expect(at).toEqual({ example: data, default: data, 'x-any': data });
});
