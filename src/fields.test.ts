// Every field of every resource, wherever records go: stated once in the contract, it is created, changed, cleared, shown and kept.
import { describe, expect, test } from 'vitest';
import { createMock } from './create-mock.ts';
import type { Mock } from './mock/api/mock.ts';
import { singularOf } from './mock/control/record-types.ts';
import { snapshotOf } from './mock/control/snapshot.ts';
import type { Field } from './service/contract/fields.ts';
import { RESOURCES } from './service/contract/resources.ts';
import { openApi } from './service/openapi/openapi.ts';
import { FIELDS, NAMES, type RecordName } from './service/world/records.ts';
import { keep } from './test/closing.ts';
import { restore } from './test/restore.ts';
import { samplesOf, wrongFor } from './test/samples.ts';
import { ask, submit } from './test/sending.ts';

type Fields = Readonly<Record<string, unknown>>;
type Case = readonly [kind: RecordName, name: string, field: Field];

const CASES: readonly Case[] = NAMES.flatMap((kind) => FIELDS[kind].map((field) => [kind, field.name, field] as const));
const ofKinds = (kinds: object, fits: (field: Field) => boolean = () => true) =>
  CASES.filter(([kind, , field]) => kind in kinds && fits(field));
const isSent = ({ kind }: Field) => kind === 'required' || kind === 'optional' || kind === 'preset';

const isNullable = ({ schema }: Field) => [schema.type].flat().includes('null');

const NOW = '2025-01-20T09:00:00.000Z';
/** The records that end in `b` are those to which something happens; nothing else names them. */
const records = (): Record<string, Record<string, unknown>[]> => {
  const both = (make: (x: string, name: string) => Record<string, unknown>) => ['a', 'b'].map((x) => make(x, x.toUpperCase()));
  const [first, ...others] = both((x, name) => ({ id: `user_${x}`, name, email: `${x}@a.test` }));
  return {
    users: [{ ...first, role: 'admin' }, ...others],
    api_keys: both((x) => ({ id: `key_${x}`, value: `wm_${x}`, ...(x === 'a' && { scope: 'admin' }) })),
    projects: both((x, name) => ({ id: `proj_${x}`, name })),
    tasks: both((x, title) => ({ id: `task_${x}`, project_id: 'proj_a', title })),
    comments: both((x, body) => ({ id: `cmt_${x}`, task_id: 'task_a', body })),
    teams: both((x, name) => ({ id: `team_${x}`, name })),
    webhooks: both((x) => ({ id: `wh_${x}`, url: `https://${x}.test` })),
  };
};
const seedOf = (lists: object) => ({ now: NOW, workspaces: [{ id: 'ws_a', plan: 'unlimited', ...lists }] });

const mockOf = async (seed: object = seedOf(records())): Promise<Mock> =>
  keep(await createMock({ seed, sender: async () => ({ kind: 'response', status: 204, took: 0 }) }));

const recordOf = (world: Mock['world'], kind: RecordName, id: string) => world.store[kind].get(id)?.value as Fields | undefined;
const exported = async (mock: Mock) =>
  (await ask(mock, 'GET', '/_mock/state')).body as { workspaces: Record<string, Fields[]>[] };

const draftOf = (kind: RecordName): Fields =>
  Object.fromEntries(FIELDS[kind].flatMap((field) => (field.kind === 'required' ? [[field.name, samplesOf(field)[0]]] : [])));
/** The names that seeds have for kinds of records, where they differ. */
const LISTS: Readonly<Partial<Record<RecordName, string>>> = { keys: 'api_keys' };

describe('a field in requests', () => {
  const CREATED = { projects: '/projects', tasks: '/projects/proj_a/tasks', teams: '/teams', webhooks: '/webhooks' };
  const CHANGED = { projects: '/projects/proj_b', tasks: '/tasks/task_b' };
  const LISTED = { projects: '/projects', tasks: '/tasks' };
  const expectShown = (shown: Fields, name: string, field: Field, value: unknown) => {
    if (field.shown === true) expect(shown[name]).toEqual(value);
    else expect(shown).not.toHaveProperty([name]);
  };

  test.each(ofKinds(CREATED, isSent))('POST sets %s.%s, or its default', async (kind, name, field) => {
    const mock = await mockOf();
    const path = CREATED[kind as keyof typeof CREATED];
    const [value] = samplesOf(field);
    const { status, body } = await ask(mock, 'POST', path, { ...draftOf(kind), [name]: value });
    expect(status, JSON.stringify(body)).toBe(201);
    expect(recordOf(mock.world, kind, body.data.id)?.[name]).toEqual(value);
    expectShown(body.data, name, field, value);
    const { [name]: _, ...rest } = draftOf(kind);
    const bare = await ask(await mockOf(), 'POST', path, rest);
    if (field.kind === 'required') expect([bare.status, bare.body.error.details.fields[0].field]).toEqual([400, name]);
    else if (kind !== 'webhooks') expectShown(bare.body.data, name, field, field.start);
    const wrong = await ask(mock, 'POST', path, { ...draftOf(kind), [name]: wrongFor(field) });
    expect([wrong.status, wrong.body.error.details.fields[0].field]).toEqual([400, name]);
  });

  test.each(ofKinds(CHANGED, isSent))(
    'PATCH sets %s.%s, keeps it, clears it; reads, lists and events show it',
    async (kind, name, field) => {
      const mock = await mockOf();
      const path = CHANGED[kind as keyof typeof CHANGED];
      const id = path.split('/').at(-1)!;
      const resource = kind.slice(0, -1);
      const [value] = samplesOf(field);
      const deliveryCount = () => mock.deliveries.length;
      const expectEverywhere = async (patch: Awaited<ReturnType<typeof ask>>, holds: unknown) => {
        expect(patch.status, JSON.stringify(patch.body)).toBe(200);
        expectShown(patch.body.data, name, field, holds);
        expectShown((await ask(mock, 'GET', path)).body.data, name, field, holds);
        const { items } = (await ask(mock, 'GET', LISTED[kind as keyof typeof LISTED])).body;
        expectShown(
          items.find((one: Fields) => one.id === id),
          name,
          field,
          holds,
        );
        const { event, data } = mock.deliveries.at(-1)!.event;
        expect(event).toBe(`${resource}.updated`);
        expectShown((data as Record<string, Fields>)[resource]!, name, field, holds);
      };
      await mock.clock.advance('1h');
      await expectEverywhere(await ask(mock, 'PATCH', path, { [name]: value }), value);
      const [before, updated] = [deliveryCount(), recordOf(mock.world, kind, id)?.updated_at];
      expect(updated).toBe('2025-01-20T10:00:00.000Z');
      await mock.clock.advance('1h');
      expect((await ask(mock, 'PATCH', path, { [name]: value })).body.data.updated_at).toBe(updated);
      expect(deliveryCount()).toBe(before);
      const cleared = await ask(mock, 'PATCH', path, { [name]: null });
      if (isNullable(field)) await expectEverywhere(cleared, null);
      else expect([cleared.status, cleared.body.error.details.fields[0].field]).toEqual([400, name]);
    },
  );
});

describe('a reference to a missing record', () => {
  const POSTED = { projects: '/projects', tasks: '/projects/proj_a/tasks', teams: '/teams' };
  const unknown = ({ schema }: Field) => ([schema.type].flat().includes('array') ? ['none'] : 'none');

  test.each(ofKinds(POSTED, (field) => isSent(field) && field.refers !== undefined))(
    'is refused in %s.%s of a body',
    async (kind, name, field) => {
      const body = { ...draftOf(kind), [name]: unknown(field) };
      const response = await ask(await mockOf(), 'POST', POSTED[kind as keyof typeof POSTED], body);
      expect([response.status, response.body.error.details.fields[0].field]).toEqual([422, name]);
    },
  );

  test.each(CASES.filter(([, , { refers }]) => refers))('is refused in %s.%s of a seed', async (kind, name, field) => {
    const lists = records();
    lists[LISTS[kind] ?? kind]!.at(-1)![name] = unknown(field);
    await expect(mockOf(seedOf(lists))).rejects.toThrow(
      `${name}${Array.isArray(unknown(field)) ? '[0]' : ''}: unknown reference`,
    );
  });
});

describe('a deleted record', () => {
  const [beside, inside] = [false, true].map((isWithin) =>
    CASES.filter(([, , { refers, within = false }]) => refers && refers !== 'users' && within === isWithin),
  );
  const deleted = async (kind: RecordName, name: string, field: Field) => {
    const lists = records();
    const record = lists[LISTS[kind] ?? kind]![0]!;
    const [value] = samplesOf(field);
    record[name] = value;
    const mock = await mockOf(seedOf(lists));
    mock.remove[singularOf(field.refers!)]([value].flat()[0] as string);
    const after = recordOf(mock.world, kind, record.id as string);
    await mockOf(await exported(mock));
    return after;
  };

  test.each(inside!)('is deleted with the records that it holds by %s.%s', async (kind, name, field) => {
    expect(await deleted(kind, name, field)).toBeUndefined();
  });

  test.each(beside!)('is named in %s.%s no longer', async (kind, name, field) => {
    expect((await deleted(kind, name, field))?.[name]).toEqual(Array.isArray(samplesOf(field)[0]) ? [] : null);
  });
});

describe('a stored field', () => {
  test.each(CASES)('a seed sets %s.%s; an export, a fork and a saved state hold it', async (kind, name, field) => {
    const list = LISTS[kind] ?? kind;
    const [value] = samplesOf(field);
    const lists = records();
    const record = lists[list]!.at(-1)!;
    record[name] = value;
    const mock = await mockOf(seedOf(lists));
    const id = record.id as string;
    const expectHeld = (world: Mock['world']) => {
      expect(recordOf(world, kind, id)?.[name]).toEqual(value);
      expect(Object.keys(recordOf(world, kind, id)!)).toEqual(FIELDS[kind].map(({ name }) => name));
    };
    expectHeld(mock.world);
    const state = await exported(mock);
    expectHeld((await mockOf(state)).world);
    const fork = mock.fork();
    expectHeld(fork.world);
    expectHeld(restore(snapshotOf(mock.world.fork())).world);
  });

  test.each(CASES.filter(([, , field]) => isNullable(field)))('nothing in %s.%s stays nothing', async (kind, name) => {
    const lists = records();
    const record = lists[LISTS[kind] ?? kind]!.at(-1)!;
    record[name] = null;
    const state = await exported(await mockOf(seedOf(lists)));
    expect(recordOf((await mockOf(state)).world, kind, record.id as string)?.[name]).toBeNull();
  });

  test.each(ofKinds({ projects: 1, tasks: 1 }, isSent))(
    'a change of %s.%s stays in the fork where it is made',
    async (kind, name, field) => {
      const mock = await mockOf();
      const id = kind === 'tasks' ? 'task_b' : 'proj_b';
      const before = recordOf(mock.world, kind, id)?.[name];
      const fork = mock.fork();
      await ask(fork, 'PATCH', `/${kind}/${id}`, { [name]: samplesOf(field)[0] });
      expect(recordOf(fork.world, kind, id)?.[name]).toEqual(samplesOf(field)[0]);
      expect(recordOf(mock.world, kind, id)?.[name]).toEqual(before);
    },
  );
});

describe('a field in responses and documents', () => {
  test.each(ofKinds({ users: 1, comments: 1 }, ({ shown }) => shown === true))('reads show %s.%s', async (kind, name) => {
    const mock = await mockOf();
    const { body } = await ask(mock, 'GET', kind === 'users' ? '/users/me' : '/tasks/task_a/comments');
    const shown = kind === 'users' ? body.data : body.items[0];
    expect(shown[name]).toEqual(recordOf(mock.world, kind, shown.id)?.[name]);
  });

  const COMPONENTS: Readonly<Partial<Record<RecordName, string>>> = {
    projects: 'Project',
    tasks: 'Task',
    users: 'Profile',
    comments: 'Comment',
    webhooks: 'Webhook',
  };
  const { schemas } = openApi().components as { schemas: Record<string, { properties: object }> };
  test.each(ofKinds(COMPONENTS))('OpenAPI documents %s.%s where responses show it', (kind, name, { shown }) => {
    expect(name in schemas[COMPONENTS[kind]!]!.properties).toBe(shown === true);
  });

  const SENT = { projects: ['ProjectDraft', 'ProjectPatch'], tasks: ['TaskDraft', 'TaskPatch'], teams: ['TeamDraft'] };
  test.each(ofKinds(SENT))('OpenAPI documents %s.%s in bodies where clients send it', (kind, name, field) => {
    for (const component of SENT[kind as keyof typeof SENT]) expect(name in schemas[component]!.properties).toBe(isSent(field));
  });
});

describe('on the data page', () => {
  const DATA = '/dashboard/data';
  const page = (mock: Mock, path: string, form?: Readonly<Record<string, string | readonly string[]>>) =>
    form ? submit(mock, DATA + path, form) : ask(mock, 'GET', DATA + path);
  const typed = (value: unknown) => (Array.isArray(value) ? value.map(String) : String(value));

  test.each(ofKinds({ projects: 1, tasks: 1 }, isSent))('forms ask for %s.%s and set it', async (kind, name, field) => {
    const mock = await mockOf();
    const id = kind === 'tasks' ? 'task_b' : 'proj_b';
    const [one, other] = samplesOf(field);
    for (const value of [one, other]) {
      const now = recordOf(mock.world, kind, id)!;
      const form = Object.fromEntries(
        FIELDS[kind].flatMap((field) =>
          isSent(field) && now[field.name] !== null ? [[field.name, typed(now[field.name])]] : [],
        ),
      );
      expect((await page(mock, `/${kind}`, { ...form, do: 'update', id, [name]: typed(value) })).status).toBe(303);
      expect(recordOf(mock.world, kind, id)?.[name]).toEqual(value);
      const { text } = await page(mock, `/${kind}?open=${id}`);
      expect(text).toContain(`id="edit-${name}"`);
    }
    expect((await page(mock, `/${kind}?new=1`)).text).toContain(`id="new-${name}"`);
  });

  /** Fields that the page shows elsewhere than in a column. */
  const ELSEWHERE =
    'tasks.id tasks.project_id tasks.description projects.id projects.description users.avatar_url comments.id'.split(' ');
  const shownThere = ofKinds({ ...RESOURCES, webhooks: undefined, keys: undefined }).filter(
    ([kind, name]) => kind !== 'webhooks' && kind !== 'keys' && !ELSEWHERE.includes(`${kind}.${name}`),
  );
  test.each(shownThere)('%s.%s has a column', async (kind, name) => {
    const { COLLECTION_TABS } = await import('./dashboard/data/collections.tsx');
    const columns = COLLECTION_TABS.find((one) => one.name === kind)!.columns;
    expect(columns.map(({ sort }) => sort)).toContain(name);
    const { text } = await page(await mockOf(), `/${kind}`);
    for (const { label } of columns) expect(text).toContain(label);
  });
});
