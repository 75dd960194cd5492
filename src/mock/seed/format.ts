// The seed file: its JSON Schema and its type.
import { CHOICES, type Choices } from '../../service/contract/choices.ts';
import { ForwardCompat } from '../../service/contract/forward.ts';
import { DEFAULT_PLAN, PLANS, type Plan, WINDOW_MS, WINDOW_RANGE_MS } from '../../service/contract/limits.ts';
import { LATEST, NEXT, RELEASE_NAMES, type Release } from '../../service/contract/releases.ts';
import { array, type Is, integer, oneOf, type Schema, string } from '../../service/contract/schema.ts';
import { ofEach, type RecordName } from '../../service/world/records.ts';
import {
  ABSOLUTE,
  closed,
  KeyFile,
  LooseComment,
  LooseTask,
  NestedComment,
  NestedTask,
  ProjectFile,
  TeamFile,
  UserFile,
  WebhookFile,
} from './record-format.ts';

/** A larger one would lose digits. */
const maximum = Number.MAX_SAFE_INTEGER;
const count = (maximum: number, description: string) => integer({ minimum: 0, maximum, default: 0, description });
const Generate = closed(
  {},
  {
    users: count(100_000, 'People to add.'),
    projects: count(100_000, 'Projects to add.'),
    tasks_per_project: count(1_000_000, 'Tasks in each of these projects.'),
    comments_per_task: count(1000, 'Comments on each of these tasks.'),
    teams: count(10_000, 'Teams to add.'),
  },
  'Realistic data on top of the records above, a function of random_seed.',
);

const Workspace = closed(
  {
    id: string({ minLength: 1, description: 'Workspace identifier.', examples: ['ws_one'] }),
    api_keys: array(KeyFile, { minItems: 1 }),
  },
  {
    name: string({ description: 'Name of the workspace.', examples: ['Acme'] }),
    plan: oneOf(Object.keys(PLANS) as Plan[], { default: DEFAULT_PLAN, description: 'Sets the requests per minute.' }),
    requests_per_minute: integer({ minimum: 1, maximum, description: 'A limit that no plan has, in place of a plan.' }),
    window_ms: integer({
      minimum: WINDOW_RANGE_MS.least,
      maximum: WINDOW_RANGE_MS.most,
      default: WINDOW_MS,
      description:
        'Length of the window in which requests are counted, milliseconds: a short one lets a test of retries take seconds.',
    }),
    users: array(UserFile),
    projects: array(ProjectFile),
    tasks: array(LooseTask, { description: 'Tasks that stand outside their projects.' }),
    comments: array(LooseComment, { description: 'Comments that stand outside their tasks.' }),
    teams: array(TeamFile),
    webhooks: array(WebhookFile),
    generate: Generate,
  },
  'A workspace: needs an id, a user and a key.',
);

// YAML reads an unquoted 404 as a number.
const answers = (options: readonly string[]) => [...options, ...options.filter((one) => /^\d+$/.test(one)).map(Number)];
const choices = Object.fromEntries(
  Object.entries(CHOICES).map(([name, { options, ours, question }]) => {
    const values = answers(Object.keys(options));
    return [name, { enum: values, default: ours, description: question }];
  }),
) as unknown as Readonly<Record<keyof Choices, Schema<never>>>;

const Run = closed(
  { from: integer({ minimum: 1, maximum }), count: integer({ minimum: 1, maximum }) },
  {},
  'Records created one after the other.',
);
const Drawn = closed(
  { stream: string({ minLength: 1 }), count: integer({ minimum: 0, maximum }) },
  {},
  'Numbers drawn from one stream of chance.',
);
const runs = array(Run);
const turns = ofEach(() => runs);
const GenerationProgress = closed(
  { sequence: integer({ minimum: 0, maximum }), drawn: array(Drawn) },
  { order: closed({}, turns, 'Turns of creation.') },
  'Written by GET /_mock/state: how far chance and order had come, so that what follows is the same. Leave it out of seeds of your own.',
);

// YAML reads an unquoted 1.2 as a number.
const release = {
  type: ['string', 'number', 'integer'],
  enum: [...RELEASE_NAMES, ...RELEASE_NAMES.map(Number), NEXT],
  'x-says': `one of ${RELEASE_NAMES.join(', ')}`,
  default: LATEST,
  description: 'The release of the service: it answers as it did then.',
};

/** JSON Schema (2020-12) of the seed file. */
export const SEED_SCHEMA = closed(
  { workspaces: array(Workspace, { minItems: 1 }) },
  {
    $schema: string({ description: 'Where this schema lies, for editors.' }),
    now: string({ pattern: `^${ABSOLUTE}$`, 'x-time': 'absolute', description: 'The clock starts here, frozen.' }),
    release: release as Schema<Release | number>,
    forward_compat: ForwardCompat,
    random_seed: integer({
      minimum: -maximum,
      maximum,
      description: 'Ids, secrets and generated data are a function of it.',
      default: 1,
    }),
    choices: closed({}, choices, "Answers to the spec's open points.") as Schema<Partial<Choices>>,
    progress: GenerationProgress,
  },
  'What a wm-mock holds at its start.',
);

/** What says a record of each kind that stands in a list of its workspace. */
export const RECORD_FILES = {
  projects: ProjectFile,
  tasks: LooseTask,
  users: UserFile,
  teams: TeamFile,
  comments: LooseComment,
  webhooks: WebhookFile,
  keys: KeyFile,
} satisfies Readonly<Record<RecordName, unknown>>;

/** The schemas of what a seed has many of: each gets a validator of its own. */
export const SEED_PARTS = { Workspace, NestedTask, NestedComment, ...RECORD_FILES };

/** A seed file once parsed. */
export type SeedFile = Is<typeof SEED_SCHEMA>;
export type WorkspaceFile = SeedFile['workspaces'][number];
