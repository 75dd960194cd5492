// What the control API takes and answers, as schemas: worlds, clock, keys, people.
import { FORWARD_KINDS, type ForwardKind } from '../contract/forward.ts';
import { PLANS, type Plan } from '../contract/limits.ts';
import { RELEASE_NAMES, type Release } from '../contract/releases.ts';
import { array, boolean, integer, nullable, object, oneOf, string } from '../contract/schema.ts';
import { SCOPES } from '../contract/scopes.ts';
import { anyOf, closed, text, time } from './schema-words.ts';

export const Health = object({ status: oneOf(['ok']) });
export const Done = object({ status: oneOf(['ok']), id: string() });
export const SnapshotId = object({ id: string({ examples: ['snap_1'] }) });

const id = {
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$',
  'x-says': 'must be 1 to 64 letters, digits, dots, dashes or underscores, and begin with a letter or digit',
};
const worldId = string({ ...id, description: 'Part of its address; left out: one is made.', examples: ['test-7'] });
/** What a program forks with. */
export const ForkDraft = closed({}, { id: worldId, from: oneOf(['current', 'seed']), mintKeys: boolean() });
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
    release: oneOf(RELEASE_NAMES as [Release, ...Release[]], {
      description: 'The service as it was at this release; left out: that of its origin.',
    }),
    forward_compat: anyOf<boolean | readonly string[]>(
      boolean(),
      array(oneOf(['all', ...(Object.keys(FORWARD_KINDS) as ForwardKind[])])),
    ),
    mint_keys: boolean({ description: 'Gives it keys of its own, which reach it at the plain /v1 as well.' }),
  },
);
const WorldKey = object({ id: string(), value: string(), scope: oneOf(SCOPES), workspace_id: string(), user_id: string() });
export const World = object(
  { id: string(), base_url: string({ format: 'uri' }), control_url: string({ format: 'uri' }) },
  {
    release: string({ description: 'The release of its service.' }),
    keys: array(WorldKey),
    last_used_at: time('When it was last asked, in real time.'),
  },
);

const release = oneOf(RELEASE_NAMES as [Release, ...Release[]]);
const kinds = Object.keys(FORWARD_KINDS) as [ForwardKind, ...ForwardKind[]];
const forward = anyOf<boolean | readonly string[]>(boolean(), array(oneOf(['all', ...kinds])));
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

export const Compatibility = object({
  forward_compat: array(oneOf(kinds)),
  answers: integer({ description: 'Answers in the journal.' }),
  warnings: array(object({ request: string(), code: string(), says: string() })),
  delivered: integer(),
  refused: array(object({ delivery: string(), event: string(), says: string() })),
  survived: nullable(boolean({ description: 'False when a sign speaks against it; null when nothing was asked.' })),
});

export const ClockNow = object(
  { now: time('The time of the world.'), mode: oneOf(['running', 'frozen']) },
  { next: nullable(time('When the next attempt is due.')) },
);
export const ClockDraft = closed(
  {},
  { now: anyOf<string | number>(time('The new time.'), integer()), mode: oneOf(['running', 'frozen']) },
  { minProperties: 1 },
);
export const Advance = closed(
  {},
  {
    by: anyOf<string | number>(
      string({
        pattern: '^\\d{1,12}(\\.\\d+)?(ms|s|m|h|d|w)$',
        'x-says': 'must be a duration such as 500ms, 30s, 90m, 2h, 3d or 1w',
      }),
      integer({ minimum: 0, maximum: 1e15 }),
    ),
    to: oneOf(['next']),
  },
  { minProperties: 1 },
);

const plan = (description: string) =>
  anyOf<Plan | number>(oneOf(Object.keys(PLANS) as Plan[], { description }), integer({ minimum: 1, maximum: 1_000_000_000 }));
export const PlanDraft = closed({ plan: plan('A plan, or requests a minute.') });
export const Workspace = object({
  id: string(),
  name: string(),
  plan: plan('Its plan, or requests a minute.'),
  requests_per_minute: integer(),
});

export const KeyDraft = closed({
  workspace_id: text('Workspace of the key.'),
  name: text('Name of the key.'),
  scope: oneOf(SCOPES),
  user_id: text('Whose key it is.'),
});
const keyFields = {
  id: string(),
  workspace_id: string(),
  name: string(),
  scope: oneOf(SCOPES),
  user_id: string(),
  revoked: boolean(),
  created_at: time('When it was created.'),
  last_used_at: nullable(time('When it was last used; null: never.')),
};
export const Key = object(keyFields);
export const NewKey = object({ ...keyFields, value: string({ description: 'In this answer and never again.' }) });

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
export const Comment = object({
  id: string(),
  task_id: string(),
  author_id: string(),
  body: string(),
  created_at: time('When it was written.'),
});
