// What the control API takes and answers, as schemas: worlds, clock, keys, people.
import { CHOICES } from '../../service/contract/choices.ts';
import { FORWARD_KINDS, type ForwardKind } from '../../service/contract/forward.ts';
import { PLANS, type Plan, WINDOW_RANGE_MS } from '../../service/contract/limits.ts';
import { RELEASE_NAMES, type Release } from '../../service/contract/releases.ts';
import {
  anyOf,
  array,
  boolean,
  closed,
  integer,
  map,
  nullable,
  object,
  oneOf,
  type Schema,
  string,
  time,
} from '../../service/contract/schema.ts';
import { SCOPES } from '../../service/contract/states.ts';
import { Delivery } from './webhook-shapes.ts';
import { USES } from './written.ts';

export const text = (description: string, keywords = {}) => string({ minLength: 1, maxLength: 1000, description, ...keywords });

export const listOf = <T>(item: Schema<T>): Schema<{ readonly items: readonly T[]; readonly next_cursor?: string }> =>
  object({ items: array(item) }, { next_cursor: string({ description: 'Of a page that is not the last.' }) });

/** Whether an empty object does not fit. */
export const needsFields = ({ required, minProperties }: Schema<unknown>): boolean =>
  required !== undefined || minProperties !== undefined;

export const Health = object({ status: oneOf(['ok']) });
const bytes = integer({ minimum: 0 });
export const Alive = object({
  status: oneOf(['ok']),
  memory: object(
    { limit: bytes, used: bytes, by: object(Object.fromEntries(USES.map((use) => [use, bytes]))) },
    {},
    { description: 'Bytes that may be kept beyond the seed, and what uses them.' },
  ),
});
export const SnapshotId = object({ id: string({ examples: ['snap_1'] }) });

const release = oneOf(RELEASE_NAMES as [Release, ...Release[]]);
const kinds = Object.keys(FORWARD_KINDS) as [ForwardKind, ...ForwardKind[]];
/** Go has one name for `all` of this and of events, unless told otherwise. */
export const ForwardWord = oneOf(['all', ...kinds], {
  'x-enum-varnames': ['ALL_KINDS', ...kinds.map((kind) => kind.toUpperCase())],
});
const forward = anyOf<boolean | readonly string[]>(boolean(), array(ForwardWord));

const id = {
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$',
  'x-says': 'must be 1 to 64 letters, digits, dots, dashes or underscores, and begin with a letter or digit',
};
const worldId = string({ ...id, description: 'Part of its address; left out: one is made.', examples: ['test-7'] });
const title = string({ minLength: 1, maxLength: 500, description: 'What it is for, such as the title of a test.' });
const outcome = oneOf(['passed', 'failed'], { description: 'How its test ended.' });
/** What a program forks with. */
export const ForkDraft = closed({}, { id: worldId, from: oneOf(['current', 'seed']), mintKeys: boolean(), title });
export const WorldNote = closed({}, { title, outcome }, { minProperties: 1 });
export const WorldDraft = closed(
  {},
  {
    id: worldId,
    from: string({
      minLength: 1,
      description: '`seed` (the default), `current`, or the id of a snapshot.',
      examples: ['seed', 'current', 'snap_1'],
    }),
    seed: anyOf<object | string>({ type: 'object' }, { type: 'string', minLength: 1 }),
    title,
    release: { ...release, description: 'The service as it was at this release; left out: that of its origin.' },
    forward_compat: forward,
    at: integer({
      minimum: 1,
      description: 'As it was after this step of its recording (docs/replay.md), which `GET /repro` shows.',
    }),
    before: boolean({ description: 'With `at`: as it was before that step.' }),
    mint_keys: boolean({ description: 'Gives it keys of its own, which reach it at the plain /v1 as well.' }),
  },
);
const scope = oneOf(SCOPES);
export const WorldKey = object({ id: string(), value: string(), scope, workspace_id: string(), user_id: string() });
export const World = object(
  { id: string(), base_url: string({ format: 'uri' }), control_url: string({ format: 'uri' }) },
  {
    release: string({ description: 'The release of its service.' }),
    title,
    outcome,
    keys: array(WorldKey),
    last_used_at: time('When it was last asked, in real time.'),
    token: string({ description: 'In a hosted mock: opens its control API and its dashboard.' }),
  },
);

export const ReleaseDraft = closed({}, { release, forward_compat: forward }, { minProperties: 1 });
export const Released = object({
  release,
  version: string({ examples: ['1.3.0'] }),
  forward_compat: array(oneOf(kinds), { description: 'The changes of a later release that it makes already.' }),
  forward_kinds: array(object({ kind: oneOf(kinds), says: string() })),
  releases: array(object({ release, version: string(), date: string(), says: array(string()) }), {
    description: 'The release history of the specification.',
  }),
});

export const ClockNow = object(
  { now: time('The time of the world.'), mode: oneOf(['running', 'frozen']) },
  { next: nullable(time('When the next attempt is due.')) },
);
export const ClockDraft = closed(
  {},
  {
    now: anyOf<string | number>(
      time('The new time, ISO 8601 with its time zone.'),
      integer({ description: 'The same in milliseconds since 1970.' }),
    ),
    mode: oneOf(['running', 'frozen']),
  },
  { minProperties: 1 },
);
export const Advance = closed(
  {},
  {
    by: anyOf<string | number>(
      string({
        pattern: '^\\d{1,12}(\\.\\d+)?(ms|s|m|h|d|w)$',
        'x-says': 'must be a duration such as 500ms, 30s, 90m, 2h, 3d or 1w (to the next attempt: {"to":"next"})',
      }),
      integer({ minimum: 0, maximum: 1e15 }),
    ),
    to: oneOf(['next']),
  },
  { minProperties: 1 },
);

const plan = (description: string) =>
  anyOf<Plan | number>(oneOf(Object.keys(PLANS) as Plan[], { description }), integer({ minimum: 1, maximum: 1_000_000_000 }));
const windowMs = (description: string) => integer({ minimum: WINDOW_RANGE_MS.least, maximum: WINDOW_RANGE_MS.most, description });
export const WorkspacePatch = closed(
  {},
  {
    plan: plan('A plan, or requests a minute.'),
    window_ms: windowMs('Length of the window in which requests are counted, milliseconds; 60,000 at the service.'),
  },
  { minProperties: 1 },
);
export const Workspace = object({
  id: string(),
  name: string(),
  plan: plan('Its plan, or requests a minute.'),
  requests_per_minute: integer({ description: 'Requests in one window, which is a minute unless `window_ms` says otherwise.' }),
  window_ms: windowMs('Length of the window in which requests are counted, milliseconds.'),
});

export const KeyDraft = closed({
  workspace_id: text('Workspace of the key.'),
  name: text('Name of the key.'),
  scope,
  user_id: text('Whose key it is.'),
});
const keyFields = {
  id: string(),
  workspace_id: string(),
  name: string(),
  scope,
  user_id: string(),
  revoked: boolean(),
  created_at: time('When it was created.'),
  last_used_at: nullable(time('When it was last used; null: never.')),
};
export const ListedKey = object(keyFields);
export const CreatedKey = object({ ...keyFields, value: string({ description: 'In this response and never again.' }) });

export const Invitation = closed({
  workspace_id: text('Workspace to join.'),
  name: text('Full name.'),
  email: text('Email address.', { pattern: '^[^\\s@]+@[^\\s@]+$', 'x-says': 'must be an email address' }),
  role: text('Such as admin or member.'),
});
export const Member = object({
  id: string(),
  workspace_id: string(),
  name: string(),
  email: string(),
  role: string(),
  state: oneOf(['invited', 'joined']),
  created_at: time('When it was invited.'),
});

export const CommentDraft = closed({
  author_id: text('A member of the workspace of the task.'),
  body: string({ minLength: 1, maxLength: 100_000 }),
});
export const ClockAdvanced = object(
  { now: time('The time now.'), mode: oneOf(['running', 'frozen']), deliveries: array(Delivery) },
  { next: nullable(string()) },
);

const choiceNames = Object.keys(CHOICES);
export const ChoiceAnswers: Schema<Readonly<Record<string, string | number>>> = {
  type: 'object',
  minProperties: 1,
  description: 'Answers by name.',
  examples: [{ [choiceNames[0]!]: CHOICES['owner-field'].ours }],
};
export const Choices = object({
  items: array(
    object({
      name: string(),
      part: string(),
      question: string(),
      options: map('Answers, each with what it means.'),
      ours: string(),
      because: string(),
      answer: string(),
    }),
  ),
  answers: map('The answer to each.'),
});

/** How many entries of a list are asked for. */
export const limit = (description: string) =>
  string({ pattern: '^[1-9][0-9]{0,3}$', 'x-says': 'must be a whole number from 1 to 9999', description });

/** What every list takes beside its filters. */
export const PAGE = {
  limit: limit('At most so many; left out: all, up to some megabytes.'),
  cursor: string({ minLength: 1, description: 'The `next_cursor` of the page before.' }),
};
