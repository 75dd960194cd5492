// Which changes of a document break clients: the spec's five kinds, and nothing that it allows.
import { describe, expect, test } from 'vitest';
import { RELEASES } from '../contract/releases.ts';
import { broken, checkReleased } from '../node/released.ts';
import { breaking, differences } from './differences.ts';
import { openApi } from './openapi.ts';
import type { Json } from './schemas.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document that is taken apart at will.
type Loose = any;

const changed = (change: (document: Loose) => void): Json => {
  const document = structuredClone(openApi()) as Loose;
  change(document);
  return document;
};
const kindsOf = (change: (document: Loose) => void) => [
  ...new Set(breaking(openApi(), changed(change)).map(({ breaks }) => breaks)),
];
const schemas = (document: Loose) => document.components.schemas;
const move = (from: Loose, old: string, name: string) => {
  from[name] = from[old];
  delete from[old];
};

describe("the spec's five kinds of breaking change", () => {
  test.each<[string, string, (document: Loose) => void]>([
    ['an endpoint is removed', 'endpoint', ({ paths }) => delete paths['/tasks/{task_id}/comments']],
    ['an endpoint is renamed', 'endpoint', ({ paths }) => move(paths, '/teams', '/groups')],
    ['one method of a path is removed', 'endpoint', ({ paths }) => delete paths['/tasks/{task_id}'].delete],
    ['an event is removed', 'endpoint', ({ webhooks }) => delete webhooks['member.joined']],
    ['a response field is removed', 'field', (document) => delete schemas(document).Task.properties.due_date],
    ['a response field is renamed', 'field', (document) => move(schemas(document).Profile.properties, 'avatar_url', 'avatar')],
    ['a nested response field is removed', 'field', (document) => delete schemas(document).TeamMember.properties.role],
    ['a request field is removed', 'field', (document) => delete schemas(document).TaskDraft.properties.priority],
    ['a request field is renamed', 'field', (document) => move(schemas(document).ProjectPatch.properties, 'name', 'title')],
    ['a parameter is removed', 'field', ({ paths }) => paths['/tasks'].get.parameters.pop()],
    ['a field of an error is removed', 'field', (document) => delete schemas(document).Error.properties.error.properties.details],
    [
      'a field of an event is removed',
      'field',
      ({ webhooks }) => {
        delete webhooks['task.created'].post.requestBody.content['application/json'].schema.properties.created_at;
      },
    ],
    ['a header of deliveries is removed', 'field', ({ webhooks }) => webhooks['task.created'].post.parameters.shift()],
    ['a request field becomes required', 'field', (document) => schemas(document).TaskDraft.required.push('status')],
    ['a response field may be missing', 'field', (document) => schemas(document).Project.required.pop()],
    ["a response field's type changes", 'type', (document) => (schemas(document).Meta.properties.total.type = 'string')],
    ['a response field may be null', 'type', (document) => (schemas(document).Task.properties.title.type = ['string', 'null'])],
    [
      "a request field's type changes",
      'type',
      (document) => (schemas(document).TeamDraft.properties.member_ids.items.type = 'integer'),
    ],
    ["a response field's format changes", 'type', (document) => delete schemas(document).Task.properties.created_at.format],
    ['a value is taken no more', 'type', (document) => schemas(document).TaskDraft.properties.status.enum.pop()],
    ['a length is cut', 'type', (document) => (schemas(document).ProjectDraft.properties.name.maxLength = 100)],
    ["an endpoint's method changes", 'method', ({ paths }) => move(paths['/tasks/{task_id}'], 'patch', 'put')],
    ['a greater scope is needed', 'authorization', ({ paths }) => (paths['/teams'].post['x-scope'] = 'admin')],
    ['keys travel otherwise', 'authorization', ({ components }) => (components.securitySchemes.apiKey.scheme = 'basic')],
    ['an authentication is removed', 'authorization', ({ components }) => delete components.securitySchemes.apiKey],
    ['an endpoint asks for more', 'authorization', ({ paths }) => (paths['/tasks'].get.security = [{ apiKey: [], mtls: [] }])],
  ])('%s', (_, kind, change) => {
    expect(kindsOf(change)).toEqual([kind]);
    expect(broken(openApi(), changed(change))).not.toEqual([]);
  });

  test('pass with a new major version', () => {
    const now = changed((document) => {
      document.info.version = '2.0.0';
      delete document.paths['/teams'];
    });
    expect(broken(openApi(), now)).toEqual([]);
  });
});

describe('what the spec allows within a major version', () => {
  test.each<[string, (document: Loose) => void]>([
    ['a new optional request field', (document) => (schemas(document).TaskDraft.properties.estimate = { type: 'integer' })],
    [
      'a new response field',
      (document) => {
        schemas(document).Task.properties.estimate = { type: 'integer' };
        schemas(document).Task.required.push('estimate');
      },
    ],
    ['a new endpoint', ({ paths }) => (paths['/labels'] = paths['/teams'])],
    [
      'a new parameter',
      ({ paths }) => paths['/tasks'].get.parameters.push({ name: 'q', in: 'query', schema: { type: 'string' } }),
    ],
    ['a new value of an answer', (document) => schemas(document).Task.properties.status['x-extensible-enum'].push('blocked')],
    ['a new value of a request', (document) => schemas(document).TaskDraft.properties.status.enum.push('blocked')],
    ['a new event', ({ webhooks }) => (webhooks['team.created'] = webhooks['task.created'])],
    ['a longer text', (document) => (schemas(document).ProjectDraft.properties.name.maxLength = 200)],
    ['a request field that may be null', (document) => (schemas(document).TeamDraft.properties.name.type = ['string', 'null'])],
    ['other words', ({ paths }) => (paths['/tasks'].get.summary = 'Tasks')],
    ['a smaller scope', ({ paths }) => (paths['/teams'].post['x-scope'] = 'read')],
    ['a deprecation', ({ paths }) => (paths['/tasks'].get.deprecated = true)],
  ])('%s', (_, change) => {
    expect(breaking(openApi(), changed(change))).toEqual([]);
  });
});

describe('the release history', () => {
  test('broke its own rule once: page and offset left within v1', () => {
    const found = [
      ['1.0', '1.1'],
      ['1.1', '1.2'],
      ['1.2', '1.3'],
    ] as const;
    const names = found.map(([before, now]) => [
      ...new Set(breaking(openApi({ release: before }), openApi({ release: now })).map(({ fact }) => fact.name)),
    ]);
    expect(names).toEqual([[], ['page', 'offset'], []]);
  });

  test('a document does not differ from itself', () => {
    expect(differences(openApi(), openApi())).toEqual([]);
  });
});

describe('the guard of CI', () => {
  const run = async (now?: Json) => {
    const said: string[] = [];
    return { status: await checkReleased('.', (line) => said.push(line), now), said };
  };

  test('lets the document pass as it is generated', async () => {
    expect(await run()).toEqual({ status: 0, said: [`no breaking change since ${RELEASES['1.3'].version}.json`] });
  });

  test('names what breaks clients, and fails', async () => {
    const { status, said } = await run(changed((document) => delete document.paths['/users/me']));
    expect(status).toBe(1);
    expect(said[0]).toContain('GET /users/me');
    expect(said.at(-1)).toContain('they need a new major version');
  });
});
