// Documents under each choice at an open point, and the pages at /docs and /openapi: to the byte.
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { BREAKING, breaking, differences, majorOf } from '../../../documents/differences.ts';
import { type Choices, choose } from '../contract/choices.ts';
import type { Release } from '../contract/releases.ts';
import { drawDocsPage } from './docs-page.ts';
import { openApi, openApiYaml } from './openapi.ts';
import { describeRoutes } from './routes.ts';
import type { Json } from './schemas.ts';

/** The choices that a document shows otherwise than by its map of the open points. */
const SHOWN: { readonly [R in Release]?: readonly (readonly [keyof Choices, string])[] } = {
  '1.3': [
    ['patch-status', '202'],
    ['webhook-create-status', '200'],
    ['webhook-create-shape', 'bare'],
    ['webhook-scope', 'admin'],
    ['team-scope', 'admin'],
    ['www-authenticate', 'absent'],
    ['not-found-code', 'resource_not_found'],
    ['conflict-code', 'already_exists'],
    ['internal-code', 'server_error'],
    ['error-details', 'when-filled'],
    ['error-status-field', 'present'],
    ['retry-after', 'absent'],
  ],
  '1.2': [],
  '1.1': [['team-scope', 'admin']],
  '1.0': [],
};

/** A document as lines of path and value. */
const linesOf = (value: unknown, at = ''): string[] => {
  if (typeof value !== 'object' || value === null) return [`${at}: ${JSON.stringify(value)}`];
  const entries = Object.entries(value);
  if (entries.length === 0) return [`${at}: ${JSON.stringify(value)}`];
  return entries.flatMap(([name, one]) => linesOf(one, at === '' ? name : `${at} > ${name}`));
};

test('a choice at an open point changes the document where it shows', async () => {
  const lines: string[] = [];
  for (const [release, choices] of Object.entries(SHOWN) as [Release, NonNullable<(typeof SHOWN)[Release]>][]) {
    const before = linesOf(openApi({ release }));
    for (const [name, option] of choices) {
      const now = linesOf(openApi({ release, choices: choose({ [name]: option }) }));
      const [old, young] = [new Set(before), new Set(now)];
      const [removed, added] = [before.filter((line) => !young.has(line)), now.filter((line) => !old.has(line))];
      lines.push(`# ${release} ${name}=${option}: ${removed.length} lines become ${added.length}`);
      lines.push(...removed.slice(0, 2).map((line) => `- ${line}`), ...added.slice(0, 2).map((line) => `+ ${line}`));
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/variants.txt');
});

test('the page at /docs stays on this machine: no telemetry, no agent, no proxy, no fonts or scripts of others', () => {
  const page = drawDocsPage();
  expect(page).toContain('<title>Work-Management API</title>');
  expect(page).toContain('<script src="/docs/scalar.js"></script>');
  expect(page).not.toMatch(/https?:\/\//);
  expect(page).toMatch(
    /content="default-src 'self'; script-src 'self' [^"]*; connect-src 'self' http: https:; worker-src 'self' blob:"/,
  );
  const settings = JSON.parse(/createApiReference\('#reference', (.*)\)<\/script>/.exec(page)![1]!);
  expect(settings).toMatchObject({
    url: '/openapi.json',
    telemetry: false,
    withDefaultFonts: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    proxyUrl: '',
    externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    modelsSectionLabel: 'Schemas',
  });
  expect(settings.authentication).toEqual({ preferredSecurityScheme: 'apiKey', securitySchemes: { apiKey: {} } });
});

test('the page at /docs has the key that it is given, as text, and links a dashboard where there is one', () => {
  const key = 'wm_</script>';
  expect(drawDocsPage({ key })).toContain('"apiKey":{"token":"wm_\\u003c/script>"}');
  expect([false, true].map((home) => drawDocsPage({ home, key }).includes('href="/"'))).toEqual([false, true]);
});

describe('over HTTP', () => {
  const request = async (path: string, script?: string) => {
    const app = new Hono();
    describeRoutes(app, { world: () => options, script: async () => script });
    const response = await app.request(`http://mock.test:81${path}`);
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  };
  const options = { serverUrl: 'http://mock.test:81/v1', release: '1.2', choices: choose({ 'patch-status': '202' }) } as const;

  test('the document is that of the release and the choices, for any page of any origin', async () => {
    expect(await request('/openapi.json')).toEqual({
      status: 200,
      headers: { 'access-control-allow-origin': '*', 'content-type': 'application/json' },
      text: JSON.stringify(openApi(options)),
    });
    expect(await request('/openapi.yaml')).toEqual({
      status: 200,
      headers: { 'access-control-allow-origin': '*', 'content-type': 'application/yaml' },
      text: await openApiYaml(options),
    });
  });

  test('the page and its script, where there is one', async () => {
    expect(await request('/docs')).toEqual({
      status: 200,
      headers: {
        'content-type': 'text/html; charset=UTF-8',
        'content-security-policy': "frame-ancestors 'none'",
        'x-frame-options': 'DENY',
      },
      text: drawDocsPage(),
    });
    expect(await request('/docs/scalar.js', 'let x;')).toEqual({
      status: 200,
      headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'max-age=3600' },
      text: 'let x;',
    });
    expect(await request('/docs/scalar.js')).toEqual({
      status: 404,
      headers: { 'content-type': 'text/plain; charset=UTF-8' },
      text: 'Scalar is not part of this build: open /openapi.json in a reader of your own.',
    });
  });
});

// biome-ignore lint/suspicious/noExplicitAny: a document that is taken apart at will.
type Loose = any;

const jsonOf = (schema: Json): Json => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };

/** A document of one endpoint, one event and one scheme: as small as a comparison needs. */
const small = (change: (document: Loose) => void = () => {}): Json => {
  const inner = { type: 'object', properties: { deep: { type: 'boolean' } } };
  const state = { type: ['string', 'null'], 'x-extensible-enum': ['on', 'off'] };
  const kind = { type: 'string', enum: ['k'] };
  const at = { type: 'string', format: 'date-time' };
  const A = { type: 'object', required: ['id', 'state'], properties: { id: text, state, kind, at, inner } };
  const size = { type: 'integer', minimum: 1, maximum: 9 };
  const sent = { name: { type: 'string', enum: ['x', 'y'] }, size, list: { type: 'array', items: at } };
  const recordA = jsonOf({ $ref: '#/components/schemas/A' });
  const headers = { 'X-Sure': { required: true, schema: text }, 'X-May': { schema: text } };
  const q = { name: 'q', in: 'query', schema: { type: 'string', minLength: 2, maxLength: 5 } };
  const get = {
    'x-scope': 'read',
    parameters: [q, { $ref: '#/components/parameters/A' }],
    responses: { 200: { headers, ...recordA } },
  };
  const body = jsonOf({ type: 'object', required: ['name'], properties: sent });
  const post = { 'x-scope': 'write', requestBody: body, responses: { 201: recordA } };
  const event = {
    parameters: [{ name: 'X-Signed', in: 'header', required: true, schema: text }],
    requestBody: jsonOf({ type: 'object', properties: { id: text } }),
  };
  const document = {
    info: { version: '1.0.0' },
    paths: { '/a/{a_id}': { get, post } },
    webhooks: { 'a.made': { post: event } },
    security: [{ key: [] }],
    components: {
      parameters: { A: { name: 'a_id', in: 'path', required: true, schema: text } },
      schemas: { A },
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    },
  };
  // Without anything that is shared: a change is made in one place.
  const own: Loose = JSON.parse(JSON.stringify(document));
  change(own);
  return own;
};

const get = ({ paths }: Loose) => paths['/a/{a_id}'].get;
const sent = ({ paths }: Loose) => paths['/a/{a_id}'].post.requestBody.content['application/json'].schema;
const responseOf = ({ components }: Loose) => components.schemas.A;
const CHANGES: Readonly<Record<string, (document: Loose) => void>> = {
  nothing: () => {},
  'a path goes': ({ paths }) => delete paths['/a/{a_id}'],
  'a method goes': ({ paths }) => delete paths['/a/{a_id}'].get,
  'a method becomes another': ({ paths }) => {
    paths['/a/{a_id}'].put = paths['/a/{a_id}'].get;
    delete paths['/a/{a_id}'].get;
  },
  'a method becomes two': ({ paths }) => {
    paths['/a/{a_id}'].put = paths['/a/{a_id}'].get;
    paths['/a/{a_id}'].patch = paths['/a/{a_id}'].get;
    delete paths['/a/{a_id}'].get;
  },
  'a variable has another name': ({ paths }) => {
    paths['/a/{b_id}'] = paths['/a/{a_id}'];
    delete paths['/a/{a_id}'];
  },
  'a path comes': ({ paths }) => (paths['/b'] = { get: { responses: {} } }),
  'an event goes': ({ webhooks }) => delete webhooks['a.made'],
  'an event comes': ({ webhooks }) => (webhooks['a.lost'] = webhooks['a.made']),
  'a parameter goes': (document) => get(document).parameters.shift(),
  'a parameter comes': (document) => get(document).parameters.push({ name: 'p', in: 'query', schema: {} }),
  'a parameter comes that is required': (document) =>
    get(document).parameters.push({ name: 'p', in: 'query', required: true, schema: { type: 'string' } }),
  'a parameter is required': (document) => (get(document).parameters[0].required = true),
  'a parameter is deprecated': (document) => (get(document).parameters[0].deprecated = true),
  'a length grows at both ends': (document) => Object.assign(get(document).parameters[0].schema, { minLength: 1, maxLength: 6 }),
  'a length shrinks at both ends': (document) =>
    Object.assign(get(document).parameters[0].schema, { minLength: 3, maxLength: 4 }),
  'a length is set at both ends': (document) => Object.assign(sent(document).properties.name, { minLength: 1, maxLength: 9 }),
  'a bound goes': (document) => delete sent(document).properties.size.maximum,
  'a field of a request goes': (document) => delete sent(document).properties.size,
  'a field of a request comes': (document) => (sent(document).properties.more = { type: 'string' }),
  'a field of a request comes that is required': (document) => {
    sent(document).properties.more = { type: 'string' };
    sent(document).required.push('more');
  },
  'a field of a request is required': (document) => sent(document).required.push('size'),
  'a field of a request may be null': (document) => (sent(document).properties.size.type = ['integer', 'null']),
  'a field of a request has another type': (document) => (sent(document).properties.size.type = 'string'),
  'a value of a request goes and one comes': (document) => (sent(document).properties.name.enum = ['y', 'z']),
  'a field of a request takes any value': (document) => delete sent(document).properties.name.enum,
  'a field of a request takes some values': (document) => (sent(document).properties.size.enum = [1, 2]),
  'a format goes': (document) => delete sent(document).properties.list.items.format,
  'a format comes': (document) => (sent(document).properties.name.format = 'uuid'),
  'a field of a response goes': (document) => delete responseOf(document).properties.at,
  'a field of a response comes': (document) => (responseOf(document).properties.more = { type: 'string' }),
  'a field within a field goes': (document) => delete responseOf(document).properties.inner.properties.deep,
  'a field of a response may be missing': (document) => responseOf(document).required.pop(),
  'a field of a response may be null': (document) => (responseOf(document).properties.id.type = ['string', 'null']),
  'a field of a response is null no more': (document) => (responseOf(document).properties.state.type = 'string'),
  'a field of a response has no type': (document) => delete responseOf(document).properties.id.type,
  'a known value comes': (document) => responseOf(document).properties.state['x-extensible-enum'].push('idle'),
  'a known value goes': (document) => responseOf(document).properties.state['x-extensible-enum'].pop(),
  'a listed value of a response goes and one comes': (document) => (responseOf(document).properties.kind.enum = ['l']),
  'a sure header goes': (document) => delete get(document).responses[200].headers['X-Sure'],
  'a possible header goes': (document) => delete get(document).responses[200].headers['X-May'],
  'a header comes': (document) => (get(document).responses[200].headers['X-New'] = { schema: { type: 'string' } }),
  'a header of an event goes': ({ webhooks }) => webhooks['a.made'].post.parameters.pop(),
  'a field of an event goes': ({ webhooks }) =>
    delete webhooks['a.made'].post.requestBody.content['application/json'].schema.properties.id,
  'a scope grows': (document) => (get(document)['x-scope'] = 'admin'),
  'a scope shrinks': ({ paths }) => (paths['/a/{a_id}'].post['x-scope'] = 'read'),
  'a scope goes': (document) => delete get(document)['x-scope'],
  'a scheme goes': ({ components }) => delete components.securitySchemes.key,
  'a scheme comes': ({ components }) => (components.securitySchemes.other = { type: 'http', scheme: 'basic' }),
  'a scheme is another': ({ components }) => (components.securitySchemes.key.scheme = 'basic'),
  'an endpoint asks for no key': (document) => (get(document).security = []),
  'all endpoints ask for more': (document) => (document.security = [{ key: [], other: [] }]),
};

test('each change between two documents is told in words, with the rule that it breaks', async () => {
  const sections = Object.entries(CHANGES).flatMap(([name, change]) => [
    `# ${name}`,
    ...differences(small(), small(change)).map(
      ({ breaks, kind, fact, says }) => `${breaks ?? 'fine'} | ${kind} | ${fact.of} | ${fact.at} | ${says}`,
    ),
  ]);
  const scoped = differences(small(CHANGES['a scope goes']), small()).map(({ says }) => says);
  const lines = [...sections, '# a scope comes', ...scoped, '', ...Object.entries(BREAKING).map((row) => row.join(': ')), ''];
  await expect(lines.join('\n')).toMatchFileSnapshot('golden/differences.txt');
  expect(breaking(small(), small())).toEqual([]);
});

test('from release to release nothing breaks but that v1.2 removes page and offset; back again everything does', () => {
  const broken = (before: Release, now: Release) =>
    breaking(openApi({ release: before }), openApi({ release: now })).map(
      ({ breaks, fact, says }) => `${breaks} | ${fact.of} | ${says}`,
    );
  expect([broken('1.0', '1.1'), broken('1.2', '1.3')]).toEqual([[], []]);
  const lists = ['/projects', '/projects/{project_id}/tasks', '/tasks', '/workspace/members'];
  expect(broken('1.1', '1.2')).toEqual(
    lists.flatMap((path) => ['page', 'offset'].map((name) => `field | GET ${path} | parameter ${name} is gone`)),
  );
  expect(broken('1.3', '1.0')).toEqual(
    expect.arrayContaining([
      'field | GET /tasks | parameter filter[priority] is gone',
      'field | GET /tasks/{task_id} | response field Task.priority is gone',
      'endpoint | GET /teams | GET /teams is gone',
      'endpoint | member.invited | the event member.invited is gone',
      'field | task.created | event header X-Service-Timestamp is gone',
      'type | POST /webhooks | request field WebhookDraft.events[] takes member.invited, member.joined no more',
    ]),
  );
});

test('a document differs in nothing from itself', () => expect(differences(openApi(), openApi())).toEqual([]));

test('the major version is the number before the first dot', () => {
  const results = [{ info: { version: '12.3.4' } }, { info: {} }, {}].map((document) => majorOf(document));
  expect(results).toEqual([12, Number.NaN, Number.NaN]);
});
