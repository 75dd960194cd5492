// A field that the OpenAPI document has beside the specification's is exercised: who keeps it conforms, who loses it is found.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { isRecord, type Json } from '../engine/exchange.ts';
import { readShippedDocument } from '../engine/register.ts';
import { around } from '../judge/reference/around.ts';
import type { Service } from '../judge/reference/service/service.ts';
import { type Report, runContract } from '../run.ts';
import { someOf } from './runs.ts';
import { TestServer } from './test-server.ts';

interface Extra {
  readonly schema: Json;
  readonly required?: true;
}
type Kind = 'project' | 'task' | 'team';

const list = (items: Json): Json => ({ type: 'array', items });
const EXTRAS: Readonly<Record<Kind, Readonly<Record<string, Extra>>>> = {
  project: {
    budget: { schema: { type: ['number', 'null'], minimum: 0.5 } },
    kinds: { schema: list({ type: 'string', enum: ['a', 'b'] }) },
    open: { schema: { type: 'boolean', default: true } },
    ends_at: { schema: { type: ['string', 'null'], format: 'date-time' } },
  },
  task: {
    points: { schema: { type: ['integer', 'null'], minimum: 0, maximum: 10 } },
    tag: { schema: { type: ['string', 'null'], minLength: 2, maxLength: 8 } },
    link: { schema: { type: ['string', 'null'], format: 'uri' } },
    flagged: { schema: { type: 'boolean', default: true } },
    areas: { schema: { ...list({ type: 'string', enum: ['web', 'ios'] }), default: ['web'] } },
    labels: { schema: list({ type: 'string' }) },
    scores: { schema: list({ type: 'integer' }) },
    moments: { schema: list({ type: 'string', format: 'date-time' }) },
    parent_id: { schema: { type: ['string', 'null'], 'x-refers': 'tasks' } },
    external_id: { schema: { type: ['string', 'null'] } },
  },
  team: { code: { schema: { type: 'string', minLength: 1 }, required: true }, color: { schema: { type: ['string', 'null'] } } },
};
const SCHEMAS: Readonly<Record<Kind, readonly string[]>> = {
  project: ['ProjectDraft', 'ProjectPatch', 'Project'],
  task: ['TaskDraft', 'TaskPatch', 'Task'],
  team: ['TeamDraft', 'Team', 'TeamDetail'],
};
const KINDS = Object.keys(EXTRAS) as Kind[];

/** The document with these fields in requests and in responses. */
const documentWithExtras = (): object => {
  const document = structuredClone(readShippedDocument()) as { components: { schemas: Record<string, Json> } };
  const { schemas } = document.components;
  for (const kind of KINDS)
    for (const name of SCHEMAS[kind]) {
      const schema = schemas[name] as { properties: Record<string, unknown>; required?: string[] };
      for (const [field, extra] of Object.entries(EXTRAS[kind])) {
        schema.properties[field] = extra.schema;
        if (extra.required && name.endsWith('Draft')) schema.required = [...(schema.required ?? []), field];
      }
    }
  return document;
};
const document = documentWithExtras();

const isDate = (text: string): boolean => /^\d{4}-/.test(text) && !Number.isNaN(Date.parse(text));
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': isDate, uri: URL.canParse } });
/** Values that the server says break a rule; of all else it says that it is not well formed. */
const BROKEN_RULES = ['maxLength', 'minimum', 'maximum'];
const HOLDS = new Map(
  KINDS.flatMap((kind) => Object.entries(EXTRAS[kind]).map(([name, { schema }]) => [name, ajv.compile(schema)] as const)),
);

/** Makes the server read these fields as it reads its own. */
const alter = (service: Service): void => {
  around(service, 'rulesFor', (was, resource, act) => {
    const extras = Object.entries(EXTRAS[resource as Kind] ?? {});
    return [...was(resource, act), ...extras.map(([name, { required = false }]) => ({ name, kind: 'text' as const, required }))];
  });
  around(service, 'checkValue', (was, rule, value, call, act) => {
    const holds = HOLDS.get(rule.name);
    if (!holds) return was(rule, value, call, act);
    if (holds(value)) return undefined;
    const rules = BROKEN_RULES.includes(holds.errors?.[0]?.keyword ?? '');
    return { field: rule.name, issue: 'is not allowed', kind: rules ? ('length' as const) : ('structure' as const) };
  });
};

const startOf = ({ schema }: Extra): unknown => schema.default ?? (schema.type === 'array' ? [] : null);
const startsOf = (kind: Kind): Json =>
  Object.fromEntries(Object.entries(EXTRAS[kind]).map(([name, extra]) => [name, extra.required ? 'c' : startOf(extra)]));

/** The fate of a field: a create or an update loses it, or no response shows it. */
interface Loss {
  readonly id: string;
  readonly how: 'POST' | 'PATCH' | 'hidden';
  readonly field: string;
}

const parsed = (text: string): Json => {
  try {
    const json: unknown = JSON.parse(text);
    return isRecord(json) ? json : {};
  } catch {
    return {};
  }
};

/** The reference server with these fields, which are kept beside its records. */
const judged = async (loss?: Loss): Promise<Report> => {
  const server = new TestServer({ limit: 5000, alter });
  const kept = new Map<string, Json>();
  const fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const response = await server.fetch(url, init);
    const body = parsed(await response.clone().text());
    const at = new URL(url).pathname;
    const kind = /tasks/.test(at) ? 'task' : KINDS.find((one) => at.startsWith(`/v1/${one}s`));
    if (!kind || !response.ok) return response;
    const method = init.method ?? 'GET';
    if (method !== 'GET' && isRecord(body.data)) {
      const sent = Object.entries(parsed(String(init.body)));
      const taken = sent.filter(([name]) => name in EXTRAS[kind] && !(loss?.how === method && loss.field === name));
      const id = String(body.data.id);
      kept.set(id, { ...startsOf(kind), ...kept.get(id), ...Object.fromEntries(taken) });
    }
    const rows = Array.isArray(body.items) ? body.items.filter(isRecord) : isRecord(body.data) ? [body.data] : [];
    for (const row of rows) {
      const extras = { ...startsOf(kind), ...kept.get(String(row.id)) };
      const shown = Object.entries(extras).filter(([name]) => !(loss?.how === 'hidden' && loss.field === name));
      Object.assign(row, Object.fromEntries(shown));
    }
    return response.status === 204 ? response : new Response(JSON.stringify(body), response);
  };
  return runContract({
    baseUrl: 'http://127.0.0.1/v1',
    fetch,
    document,
    keys: server.roles(),
    taskWithComments: server.commented(),
    time: server.clock,
    profile: 'core',
    reportDir: false,
  });
};

test('a server that keeps the fields of the document conforms, and each of them rides on what is sent anyway', async () => {
  const report = await judged();
  expect(report.failures).toEqual([]);
  expect(report.requirements.filter(({ status }) => status === 'blocked')).toEqual([]);
  expect(report.requests).toBeLessThanOrEqual(200);
});

const LOSSES: readonly Loss[] = KINDS.flatMap((kind) =>
  Object.keys(EXTRAS[kind]).flatMap((field) =>
    (['POST', 'PATCH', 'hidden'] as const)
      .filter((how) => how !== 'PATCH' || kind !== 'team')
      .map((how): Loss => ({ id: `${how} ${kind}.${field}`, how, field })),
  ),
);

test.each(someOf(LOSSES))('a loss is found: $id', async (loss) => {
  expect((await judged(loss)).failures).not.toEqual([]);
});
