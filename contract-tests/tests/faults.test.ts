// Tests of the rows of faults: their form, the names that they use, and that what they say can be seen.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readRegister, shipped } from '../engine/register.ts';
import { DEVIATIONS, FAULTS, rowsOf } from '../judge/faults.ts';
import { FUNCTIONS } from '../judge/functions.ts';
import { CHANGES_HERE, NAMES } from '../judge/names.ts';
import type { Shape } from '../judge/past.ts';
import { OPERATORS } from '../judge/patch.ts';
import { parametersOf } from '../judge/reference/around.ts';
import { createReferenceServer } from '../judge/reference/server.ts';
import { isShape } from '../judge/scope.ts';

const { service } = createReferenceServer();

const LANGUAGE = { operators: OPERATORS, functions: [...Object.keys(FUNCTIONS), ...Object.keys(CHANGES_HERE), 'if'] };

const known = (path: string, parameters: readonly string[]): boolean => {
  const [head = ''] = path.split(/[.:|]/, 1);
  return head in NAMES || parameters.includes(head);
};

/** Names in an expression that do not exist. */
const strangersIn = (value: unknown, parameters: readonly string[]): string[] => {
  if (Array.isArray(value) || isShape(value)) return Object.values(value).flatMap((each) => strangersIn(each, parameters));
  if (typeof value !== 'string' || !/^[$|]/.test(value)) return [];
  const [start = '', ...changes] = value.split(/(?:^| )\| /);
  const paths = [start, ...changes.flatMap((change) => change.split(' '))].filter((word) => /^\$[a-z]/.test(word));
  const functions = changes.map((change) => change.replace(/^(if \w+ )+/, '').split(' ')[0] ?? '');
  return [
    ...paths.map((path) => path.slice(1)).filter((path) => !known(path, parameters)),
    ...functions.filter((name) => !LANGUAGE.functions.includes(name)),
  ];
};

const strangersOf = (condition: string, parameters: readonly string[]): string[] =>
  condition
    .split(' ')
    .map((word) => /^!?([^=<>≤≥~!]+)/.exec(word)?.[1])
    .filter((path): path is string => path !== undefined && !known(path, parameters));

/** The names in one change of a step that the language does not have. */
const strangers = (at: string, does: Shape): string[] => {
  const [step = '', ...words] = at.split(' ').filter(Boolean);
  if (!(step in service)) return [step];
  const parameters = parametersOf(service[step as 'respond']);
  const { also, keeps, recounts, ...rest } = does;
  return [
    ...strangersOf(words.join(' '), parameters),
    ...[keeps, recounts].flatMap((condition) => (condition === undefined ? [] : strangersOf(String(condition), parameters))),
    ...strangersIn(rest, parameters),
    ...Object.keys(does).filter((name) => !LANGUAGE.operators.includes(name)),
    ...Object.entries((also ?? {}) as Shape).flatMap(([place, more]) => strangers(place, more as Shape)),
  ];
};

describe('the rows of faults.yaml and conforming.yaml', () => {
  it.each(['faults', 'conforming'] as const)('are one line each: %s', (name) => {
    const text = readFileSync(shipped(`contract-tests/judge/${name}.yaml`) ?? '', 'utf8');
    expect(text.split('\n').filter((line) => line !== '' && !/^( {2}- \[|#|[a-z, ]+:$)/.test(line))).toEqual([]);
  });

  it('have ids of their own, and a sentence', () => {
    const ids = [...FAULTS, ...DEVIATIONS].map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(FAULTS.filter(({ id, says }) => !/^[\w.;-]+$/.test(id) || says.length < 10).map(({ id }) => id)).toEqual([]);
  });

  it('stand by a line of the specification that a requirement quotes, or by the one next to it', () => {
    const lines = new Set(readRegister().flatMap(({ line = 0 }) => [line - 1, line, line + 1]));
    expect(FAULTS.filter(({ line }) => !lines.has(line)).map(({ id, line }) => `${id} ${line}`)).toEqual([]);
  });

  it('name nothing that the language does not have', () => {
    const rows = [...rowsOf('faults').map(([id, , at, does]) => [id, at, does]), ...rowsOf('conforming')];
    expect(rows.flatMap(([id, at, does]) => strangers(String(at), does as Shape).map((name) => `${id}: ${name}`))).toEqual([]);
  });
});

const send = async (id: string, method: string, path: string, key: 'admin' | 'read' | 'revoked', body?: unknown) => {
  const fault = FAULTS.find((each) => each.id === id);
  const server = createReferenceServer({ style: 'a', ...(fault ? { alter: fault.alter } : {}) });
  const { project } = server.service.db.tasks[0] ?? { project: '' };
  const response = await server.fetch(`${server.baseUrl}${path.replace('{project}', project)}`, {
    method,
    headers: { Authorization: `Bearer ${server.keys[key]}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: (text === '' ? undefined : JSON.parse(text)) as { data: Shape; items: Shape[] } };
};

describe('a fault', () => {
  it('accepts a credential on one operation', async () => {
    expect((await send('none', 'GET', '/projects/{project}/tasks', 'revoked')).status).toBe(401);
    expect((await send('revoked-listProjectTasks', 'GET', '/projects/{project}/tasks', 'revoked')).status).toBe(200);
    expect((await send('revoked-listProjectTasks', 'GET', '/projects', 'revoked')).status).toBe(401);
  });

  it('leaks what another workspace has under one filter alone', async () => {
    const list = (path: string) => send('foreign-by-status-filter-alone', 'GET', path, 'admin');
    const leaked = await list('/tasks?filter[status]=todo');
    expect(leaked.json.items.length).toBeGreaterThan((await list('/tasks?filter[status]=todo&limit=100')).json.items.length);
  });

  it('changes a value on its way in', async () => {
    const sent = { title: 'Half an hour', due_date: '2031-03-05T10:00:00+05:30' };
    const { json } = await send('half-hours-lost', 'POST', '/projects/{project}/tasks', 'admin', sent);
    expect(json.data.due_date).toBe('2031-03-05T05:00:00.000Z');
  });

  it('refuses what is in order, with an error of the service', async () => {
    const refused = await send('limit-100-refused', 'GET', '/tasks?limit=100', 'read');
    expect(refused).toMatchObject({ status: 400, json: { error: { code: 'validation_error' } } });
  });
});
