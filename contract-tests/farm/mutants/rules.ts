// Faults of validation: what should be refused is accepted, what should be accepted is refused, or the refusal says too little.
import { type Mutant, mutant } from '../mutant.ts';
import { after, before, both, headersOf, is, type Loose, problem, refuse, type Seen, type Wrap } from '../wrap.ts';

type On = (body: Loose, call: Seen) => unknown;

const picks = (call: string, on: On) => (seen: Seen) =>
  is(call)(seen) && seen.body && typeof seen.body === 'object' && Boolean(on(seen.body, seen));

/** Accepts what the test picks: the body is mended on the way in. */
const accept = (
  number: number | undefined,
  id: string,
  clauses: string,
  call: string,
  on: On,
  mend: (body: Loose) => Loose,
): Mutant =>
  mutant(
    number,
    id,
    clauses,
    before(picks(call, on), ({ body }) => ({ body: { ...body, ...mend(body) } })),
  );

/** Refuses what the test picks. */
const reject = (
  number: number | undefined,
  id: string,
  clauses: string,
  call: string,
  on: On,
  field: string,
  status = 422,
): Mutant => mutant(number, id, clauses, refuse(picks(call, on), status, 'validation_error', field));

const answerWith = (status: number) => (a: Loose) => {
  a.status = status;
  if (a.json?.error?.status) a.json.error.status = status;
};
const restatus = (call: string, on: On, status: number): Wrap =>
  after(
    both(
      (c) => Boolean(picks(call, on)(c)),
      (_c, a) => a.status >= 400,
    ),
    answerWith(status),
  );

const TASKS = 'POST /projects/*/tasks';
const long = (name: string, length: number) => (body: Loose) => typeof body[name] === 'string' && body[name].length === length;
const over = (name: string, length: number) => (body: Loose) => typeof body[name] === 'string' && body[name].length > length;
const cut = (name: string, length: number) => (body: Loose) => ({ [name]: body[name].slice(0, length) });
const validation = (_c: Seen, a: Loose) => a.json?.error?.code === 'validation_error' && a.json.error.details?.fields;

export const ruleMutants: readonly Mutant[] = [
  mutant(
    74,
    'missing-name-422',
    'PROJ-003',
    restatus('POST /projects', (b) => b.name === undefined, 422),
  ),
  accept(
    75,
    'missing-title-accepted',
    'TASK-004',
    TASKS,
    (b) => b.title === undefined,
    () => ({ title: 'Untitled' }),
  ),
  accept(
    76,
    'name-coerced',
    'PROJ-019',
    'POST /projects',
    (b) => typeof b.name === 'number',
    (b) => ({ name: String(b.name) }),
  ),
  mutant(
    77,
    'malformed-500',
    'ERR-008 ERR-014',
    after(
      (c) => c.raw !== undefined && c.body === undefined,
      (a) => (a.status = 500),
    ),
  ),
  accept(78, 'name-151-accepted', 'PROJ-015', 'POST /projects', over('name', 150), cut('name', 150)),
  reject(79, 'name-150-refused', 'PROJ-014', 'POST /projects', long('name', 150), 'name'),
  accept(80, 'title-256-accepted', 'TASK-023', TASKS, over('title', 255), cut('title', 255)),
  reject(81, 'title-255-refused', 'TASK-022', TASKS, (b) => long('title', 255)(b) && b.title.endsWith('y'), 'title'),
  accept(82, 'description-1001-accepted', 'PROJ-018', 'POST /projects', over('description', 1000), cut('description', 1000)),
  accept(83, 'task-description-10001-accepted', 'TASK-026', TASKS, over('description', 10_000), cut('description', 10_000)),
  reject(84, 'task-description-10000-refused', 'TASK-025', TASKS, long('description', 10_000), 'description'),
  accept(85, 'team-name-101-accepted', 'TEAM-017', 'POST /teams', over('name', 100), cut('name', 100)),
  reject(undefined, 'team-name-100-refused', 'TEAM-016', 'POST /teams', long('name', 100), 'name'),
  reject(
    86,
    'title-in-bytes',
    'TASK-040',
    TASKS,
    (b) => typeof b.title === 'string' && b.title.length <= 255 && Buffer.byteLength(b.title) > 255 && !b.title.includes('😀'),
    'title',
  ),
  reject(
    undefined,
    'name-in-bytes',
    'PROJ-030',
    'PATCH /projects/*',
    (b) => typeof b.name === 'string' && b.name.length <= 150 && Buffer.byteLength(b.name) > 150,
    'name',
  ),
  mutant(
    88,
    'long-title-truncated',
    'TASK-023',
    before(
      (c) => Boolean(picks(TASKS, over('title', 255))(c)),
      ({ body }) => ({ body: { ...body, title: body.title.slice(0, 255) } }),
    ),
  ),
  mutant(89, 'over-length-400', 'ERR-013', restatus('POST /projects', over('name', 150), 400)),
  accept(
    90,
    'enum-stored',
    'TASK-017',
    TASKS,
    (b) => typeof b.priority === 'string' && !['low', 'medium', 'high', 'urgent'].includes(b.priority),
    () => ({ priority: 'high' }),
  ),
  accept(
    undefined,
    'status-enum-accepted',
    'TASK-018',
    TASKS,
    (b) => typeof b.status === 'string' && !['backlog', 'todo', 'in_progress', 'in_review', 'done'].includes(b.status),
    () => ({ status: 'todo' }),
  ),
  accept(
    undefined,
    'visibility-enum-accepted',
    'PROJ-008',
    'POST /projects',
    (b) => typeof b.visibility === 'string' && !['private', 'team', 'public'].includes(b.visibility),
    () => ({ visibility: 'private' }),
  ),
  accept(91, 'patch-unchecked', 'EP-085', 'PATCH /tasks/*', over('title', 255), cut('title', 255)),
  accept(undefined, 'name-151-accepted-in-patch', 'EP-078', 'PATCH /projects/*', over('name', 150), cut('name', 150)),
  accept(
    92,
    'team-as-assignee',
    'TASK-015',
    TASKS,
    (b) => /-team$/.test(b.title),
    () => ({ assignee_id: undefined }),
  ),
  accept(
    93,
    'nobody-as-assignee',
    'TASK-014',
    TASKS,
    (b) => /-nobody-\d+$/.test(b.title),
    () => ({ assignee_id: undefined }),
  ),
  accept(
    undefined,
    'nobody-as-assignee-in-patch',
    'EP-089 EP-042',
    'PATCH /tasks/*',
    (b) => Object.keys(b).join() === 'assignee_id' && typeof b.assignee_id === 'string',
    () => ({ assignee_id: undefined }),
  ),
  accept(
    undefined,
    'foreigner-as-assignee',
    'TASK-016',
    TASKS,
    (b) => /-foreigner$/.test(b.title),
    () => ({ assignee_id: undefined }),
  ),
  accept(
    94,
    'tomorrow-accepted',
    'TASK-019',
    TASKS,
    (b) => b.due_date === 'tomorrow',
    () => ({ due_date: '2031-01-01T00:00:00Z' }),
  ),
  mutant(
    95,
    'fields-missing',
    'ERR-004',
    after(validation, (a) => (a.json.error.details = {})),
  ),
  mutant(
    96,
    'first-field-only',
    'ERR-006',
    after(validation, (a) => (a.json.error.details.fields = a.json.error.details.fields.slice(0, 1))),
  ),
  mutant(
    97,
    'fields-are-strings',
    'ERR-005',
    after(validation, (a) => (a.json.error.details.fields = a.json.error.details.fields.map((f: Loose) => f.field))),
  ),
  mutant(
    undefined,
    'wrong-field-named',
    'ERR-006',
    after(validation, (a) => {
      for (const entry of a.json.error.details.fields) entry.field = 'body';
    }),
  ),
  mutant(
    undefined,
    'validation-code-other',
    'ERR-009',
    after(validation, (a) => (a.json.error.code = 'invalid')),
  ),
  mutant(98, 'duplicate-team-accepted', 'TEAM-004', () => {
    let count = 0;
    return async (call, next) => {
      const answer = await next(call);
      if (!is('POST /teams')(call) || answer.status !== 409) return answer;
      return next({ ...call, body: { ...call.body, name: `${call.body.name}${++count}` } });
    };
  }),
  mutant(
    99,
    'duplicate-team-422',
    'TEAM-004',
    after((_c, a) => a.status === 409, answerWith(422)),
  ),
  mutant(100, 'unique-across-workspaces', 'TEAM-005', () => {
    const names = new Map<string, string | undefined>();
    return async (call, next) => {
      const name = is('POST /teams')(call) ? call.body?.name : undefined;
      if (typeof name === 'string' && name.endsWith('-shared')) {
        if (names.has(name) && names.get(name) !== call.key)
          return { headers: await headersOf(call, next), ...problem(409, 'conflict') };
        names.set(name, call.key);
      }
      return next(call);
    };
  }),
  mutant(101, 'name-stays-reserved', 'TEAM-023', () => {
    const used = new Set<string>();
    return async (call, next) => {
      const name = is('POST /teams')(call) ? call.body?.name : undefined;
      if (used.has(name)) return { headers: { ...(await headersOf(call, next)) }, ...problem(409, 'conflict') };
      const answer = await next(call);
      if (name && answer.status === 201) used.add(name);
      return answer;
    };
  }),
  mutant(102, 'refused-create-leaks', 'ERR-017', () => async (call, next) => {
    const answer = await next(call);
    if (is(TASKS)(call) && answer.status === 422 && call.body?.title?.length > 255) {
      await next({ ...call, body: { title: 'wm refused' } });
    }
    return answer;
  }),
  mutant(103, 'half-a-patch', 'ERR-018', () => async (call, next) => {
    const answer = await next(call);
    const half = is('PATCH /tasks/*')(call) && answer.status >= 400 && call.body?.description?.startsWith?.('half');
    if (half) await next({ ...call, body: { description: call.body.description } });
    return answer;
  }),
  {
    ...accept(
      104,
      'http-webhook-accepted',
      'HOOK-002',
      'POST /webhooks',
      (b) => b.url === 'http://hooks.example.com/wmct',
      () => ({ url: 'https://hooks.example.com/wmct' }),
    ),
    allow: ['webhooks'],
    hiddenBy: { 'webhook-url': ['https-only', 'public-https'] },
  },
  {
    ...accept(
      105,
      'webhook-without-url',
      'HOOK-001',
      'POST /webhooks',
      (b) => b.url === undefined,
      () => ({ url: 'https://hooks.example.com/wmct' }),
    ),
    allow: ['webhooks'],
    hiddenBy: { 'webhook-url': ['https-only', 'public-https'] },
  },
  accept(
    undefined,
    'empty-title-accepted',
    'TASK-024',
    TASKS,
    (b) => b.title === '',
    () => ({ title: 'x' }),
  ),
  accept(
    undefined,
    'empty-team-name-accepted',
    'TEAM-018',
    'POST /teams',
    (b) => b.name === '',
    (b) => ({ ...b, name: `e${Math.random()}` }),
  ),
  accept(
    undefined,
    'member-ids-text-accepted',
    'TEAM-020',
    'POST /teams',
    (b) => b.member_ids === 'all',
    () => ({ member_ids: [] }),
  ),
  reject(
    199,
    'visibility-mandatory',
    'PROJ-005',
    'POST /projects',
    (b) => b.visibility === undefined && /side$/.test(b.name ?? ''),
    'visibility',
    400,
  ),
  reject(undefined, 'non-ascii-refused-in-patch', 'EP-010', 'PATCH /tasks/*', (b) => /é/.test(b.title), 'title'),
];
