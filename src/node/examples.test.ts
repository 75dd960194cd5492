// The examples of the document, sent as they stand to a mock of fixtures/examples.yaml, succeed.
import { expect, test } from 'vitest';
import { openApi } from '../service/openapi/openapi.ts';
import { createMock } from './index.ts';

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly example?: string;
  readonly examples?: { readonly default: { readonly value: unknown } };
}

interface Call {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: unknown } } };
  readonly responses: Readonly<Record<string, unknown>>;
}

const { paths, components } = openApi() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Call>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
};

const calls = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, call]) => [`${method.toUpperCase()} ${path}`, call] as const),
);

test.each(calls)('%s', async (name, { parameters = [], requestBody, responses }) => {
  const mock = await createMock({ seed: 'fixtures/examples.yaml' });
  const [method, template] = name.split(' ') as [string, string];
  const whole = parameters.map((one) => (one.$ref ? components.parameters[one.$ref.split('/').at(-1)!]! : one));
  const inPath = Object.fromEntries(whole.map((one) => [one.name, one.example]));
  const path = template.replace(/\{(\w+)\}/g, (_, variable: string) => inPath[variable]!);
  const queries = whole.flatMap(({ name, examples }) =>
    examples ? [new URLSearchParams({ [name]: String(examples.default.value) }).toString()] : [],
  );
  const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
  const body = requestBody ? JSON.stringify(requestBody.content['application/json'].example) : null;
  const wanted = Number(Object.keys(responses).find((status) => status.startsWith('2')));
  for (const query of ['', ...queries]) {
    const response = await mock.fetch(`${path}?${query}`, { method, headers, body });
    expect([query, response.status, await response.text()]).toEqual([query, wanted, expect.not.stringContaining('"items":[]')]);
  }
});
