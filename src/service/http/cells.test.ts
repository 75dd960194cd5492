// Every documented response of every operation is reached, in memory and over a socket, and printed as a table.
import { afterAll, describe, expect, test } from 'vitest';
import { checkSeed } from '../../mock/seed/read.ts';
import { type Call, openSession, type Session } from '../../test/matrix.ts';
import { OPERATION_IDS, type OperationId, operation } from '../contract/operations.ts';
import { openApi } from '../openapi/openapi.ts';

type Request = readonly [path: string, call?: Call];

const PATHS: Readonly<Record<string, string>> = { project_id: 'proj_one', task_id: 'task_talked', team_id: 'team_core' };
const fill = (path: string, ids = PATHS) => path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!);

interface Rules {
  readonly format?: string;
  readonly maxLength?: number;
  readonly examples?: readonly unknown[];
}

/** A sound body: the examples of the required fields; `wrong`: the first text too long, or an address that is none. */
const bodyOf = (id: OperationId, wrong = false): unknown => {
  const { body } = operation(id);
  if (!body) return undefined;
  const { properties = {}, required = [] } = body as { properties?: Record<string, Rules>; required?: readonly string[] };
  const [first] = Object.keys(properties);
  const names = required.length > 0 ? required : [first!];
  const sample = (name: string) => {
    const { format, maxLength, examples = [] } = properties[name]!;
    if (!wrong) return name === 'name' || name === 'title' ? 'New' : examples[0];
    return format === 'uri' ? 'http://hooks.example.com/x' : 'x'.repeat((maxLength ?? 0) + 1);
  };
  return Object.fromEntries(names.map((name) => [name, sample(name)]));
};

/** How to get each documented status out of an operation. */
const request = (id: OperationId, status: string): Request | undefined => {
  const row = operation(id);
  const path = fill(row.path);
  const body = bodyOf(id);
  const good: Call = body === undefined ? {} : { body };
  const others: Readonly<Record<string, Request>> = {
    400: row.list ? [`${path}?limit=0`] : [path, { body: '{"name": ' }],
    401: [path, { ...good, key: null }],
    403: [path, { ...good, key: 'wm_tiny_read' }],
    404: [fill(row.path, { project_id: 'proj_no', task_id: 'task_no', team_id: 'team_no' }), good],
    409: [path, { body: { name: 'Core' } }],
    413: [path, { body: { name: 'x'.repeat(1_100_000), title: '', url: '' } }],
    422: [path, { body: bodyOf(id, true) }],
  };
  return ['200', '201', '204', '429', '500'].includes(status) ? [path, good] : others[status];
};

const prepare = async (session: Session, status: string): Promise<void> => {
  if (status === '429') {
    const workspaces = [{ id: 'ws_tiny', requests_per_minute: 1, ...TINY }];
    session.mock.reset(await checkSeed({ workspaces }, { name: 'one a minute', now: 0 }));
    await session.call('GET', '/users/me');
  }
  if (status === '500') {
    session.mock.world.store.users.get = () => {
      throw new Error('sabotaged by the test');
    };
  }
};

const TINY = {
  users: [
    { id: 'user_ada', name: 'Ada', email: 'ada@tiny.test', role: 'admin' },
    { id: 'user_bo', name: 'Bo', email: 'bo@tiny.test', role: 'member' },
  ],
  api_keys: [{ value: 'wm_tiny_admin', name: 'Admin', scope: 'admin', user_id: 'user_ada' }],
  projects: [{ id: 'proj_one', name: 'One', tasks: [{ id: 'task_talked', title: 'One' }] }],
  teams: [{ id: 'team_core', name: 'Core' }],
};

const documented = (): [OperationId, string][] => {
  const { paths } = openApi() as { paths: Record<string, Record<string, { responses: object }>> };
  return OPERATION_IDS.flatMap((id) => {
    const { method, path } = operation(id);
    return Object.keys(paths[path]![method.toLowerCase()]!.responses).map((status): [OperationId, string] => [id, status]);
  });
};

const CELLS = documented();
const reached = new Map<string, Set<string>>();

describe.each(['in memory', 'over a socket'])('each documented response, %s', (transport) => {
  test.each(CELLS)('%s returns %s', async (id, status) => {
    const call = request(id, status);
    expect(call, `no request is known that makes ${id} return ${status}`).toBeDefined();
    const session = await openSession({}, transport === 'over a socket');
    try {
      await prepare(session, status);
      const response = await session.call(operation(id).method, call![0], call![1]);
      expect(response.status, response.text).toBe(Number(status));
      reached.set(`${id} ${status}`, (reached.get(`${id} ${status}`) ?? new Set()).add(transport));
    } finally {
      await session.mock.close();
    }
  });
});

afterAll(() => {
  const statuses = [...new Set(CELLS.map(([, status]) => status))].sort();
  const rows = OPERATION_IDS.map((id) => {
    const cells = statuses.map((status) => {
      if (!CELLS.some(([other, documented]) => other === id && documented === status)) return '   ';
      return reached.get(`${id} ${status}`)?.size === 2 ? ' ✓ ' : ' ✗ ';
    });
    return `${id.padEnd(18)}${cells.join(' ')}`;
  });
  const full = CELLS.filter(([id, status]) => reached.get(`${id} ${status}`)?.size === 2).length;
  const legend = `${full} of ${CELLS.length} cells reached, each in memory and over a socket (500: the store is sabotaged)`;
  console.log(`\n${''.padEnd(18)}${statuses.join(' ')}\n${rows.join('\n')}\n${legend}\n`);
});
