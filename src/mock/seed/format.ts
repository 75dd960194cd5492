// The seed file: its JSON Schema, whose records are the contract's own fields, and its type.
import { CHOICES, type Choices } from '../../service/contract/choices.ts';
import { type Field, type Fields, type RecordOf, requestSchema } from '../../service/contract/fields.ts';
import { ForwardCompat } from '../../service/contract/forward.ts';
import { mapValues } from '../../service/contract/keyed.ts';
import { DEFAULT_PLAN, PLANS, type Plan, WINDOW_MS, WINDOW_RANGE_MS } from '../../service/contract/limits.ts';
import { LATEST, NEXT, RELEASE_NAMES, type Release } from '../../service/contract/releases.ts';
import { COMMENTS, EVENT_NAMES, KEYS, PROJECTS, TASKS, TEAMS, USERS, WEBHOOKS } from '../../service/contract/resources.ts';
import { array, closed, type Is, integer, oneOf, type Schema, string } from '../../service/contract/schema.ts';
import { ofEach, type RecordName } from '../../service/world/records.ts';
import { RELATIVE_TIME } from './times.ts';

/** ISO 8601 with `Z` or an offset, as a regular expression. */
const ABSOLUTE = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)';
const time = (description: unknown) => {
  const says = { description: `${description} ISO 8601 with \`Z\` or an offset, or relative to now.`, examples: ['-2h', '+3d'] };
  return string({ pattern: `^(${ABSOLUTE}|${RELATIVE_TIME})$`, 'x-time': 'any', ...says });
};

const schemaOf = (field: Field): Schema<unknown> => {
  const schema = requestSchema(field);
  const description = field.inSeeds ?? schema.description;
  if (schema.format === 'date-time') return { ...time(description), type: schema.type };
  const items = schema.items as Schema<unknown> | undefined;
  const times = items?.format === 'date-time' ? { items: time(items.description ?? description) } : {};
  return { ...schema, description, ...times };
};

/** Schemas of the fields of a record in a seed file. */
const inSeeds = <F extends Fields>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (field.kind === 'derived' ? [] : [[name, schemaOf(field)]])),
  ) as { readonly [N in keyof RecordOf<F>]: Schema<RecordOf<F>[N]> };

const UserFile = closed({}, inSeeds(USERS), { description: 'A member of the workspace.' });

const KeyFile = closed({}, inSeeds(KEYS), { description: 'An API key.' });

const { body, task_id, ...commentFields } = inSeeds(COMMENTS);
export const NestedComment = closed({ body }, commentFields, { description: 'A comment on the task.' });
const LooseComment = closed({ body, task_id }, commentFields, { description: 'A comment on a task.' });

const { title, project_id, ...fieldsOfTask } = inSeeds(TASKS);
const taskFields = { ...fieldsOfTask, comments: array(NestedComment) };
export const NestedTask = closed({ title }, taskFields, { description: 'A task of the project.' });
const LooseTask = closed({ title, project_id }, taskFields, { description: 'A task of a project.' });

const ProjectFile = closed({}, { ...inSeeds(PROJECTS), tasks: array(NestedTask) }, { description: 'A project with its tasks.' });

const TeamFile = closed({}, inSeeds(TEAMS), { description: 'A team.' });

/** Words for every event. */
const ALL_EVENTS = ['all', '*'] as const;
const allEvents = oneOf(ALL_EVENTS);
export const EventWord = oneOf([...EVENT_NAMES, ...ALL_EVENTS]);
const events: Schema<(typeof ALL_EVENTS)[number] | readonly Is<typeof EventWord>[]> = {
  anyOf: [allEvents, array(EventWord)],
  description: 'Event names subscribed to; left out: all.',
};
const { url, ...webhookFields } = inSeeds(WEBHOOKS);
const WebhookFile = closed({ url }, { ...webhookFields, events }, { description: 'A webhook registration.' });

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
  { description: 'Realistic data on top of the records above, a function of random_seed.' },
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
  { description: 'A workspace: needs an id, a user and a key.' },
);

// YAML reads an unquoted 404 as a number.
const withNumbers = (options: readonly string[]) => [...options, ...options.filter((one) => /^\d+$/.test(one)).map(Number)];
const choices = mapValues(CHOICES, ({ options, ours, question }) => {
  return { enum: withNumbers(Object.keys(options)), default: ours, description: question };
}) as Readonly<Record<keyof Choices, Schema<never>>>;

const Run = closed(
  { from: integer({ minimum: 1, maximum }), count: integer({ minimum: 1, maximum }) },
  {},
  { description: 'Records created one after the other.' },
);
const Drawn = closed(
  { stream: string({ minLength: 1 }), count: integer({ minimum: 0, maximum }) },
  {},
  { description: 'Numbers drawn from one stream of chance.' },
);
const runs = array(Run);
const turns = ofEach(() => runs);
const GenerationProgress = closed(
  { sequence: integer({ minimum: 0, maximum }), drawn: array(Drawn) },
  { order: closed({}, turns, { description: 'Turns of creation.' }) },
  {
    description:
      'Written by GET /_mock/state: how far chance and order had come, so that what follows is the same. Leave it out of seeds of your own.',
  },
);

// YAML reads an unquoted 1.2 as a number.
const release = {
  type: ['string', 'number', 'integer'],
  enum: [...RELEASE_NAMES, ...RELEASE_NAMES.map(Number), NEXT],
  'x-says': `one of ${RELEASE_NAMES.join(', ')}`,
  default: LATEST,
  description: 'The release of the service: it behaves as it did then.',
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
    choices: closed({}, choices, { description: "Choices at the spec's open points." }) as Schema<Partial<Choices>>,
    progress: GenerationProgress,
  },
  { description: 'What a wm-mock holds at its start.' },
);

/** Schemas of the records in the lists of a workspace, by kind. */
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
