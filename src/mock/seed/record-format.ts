// The records of a seed file as JSON Schema, made of the contract's own fields.
import { type Field, type Fields, type RecordOf, requestSchema } from '../../service/contract/fields.ts';
import { COMMENTS, EVENT_NAMES, KEYS, PROJECTS, TASKS, TEAMS, USERS, WEBHOOKS } from '../../service/contract/resources.ts';
import { array, type Is, object, oneOf, type Schema, string } from '../../service/contract/schema.ts';

type Properties = Readonly<Record<string, Schema<unknown>>>;

/** An object that has no other properties than these. */
export const closed = <R extends Properties, O extends Properties>(required: R, optional: O, description: string) =>
  object(required, optional, { additionalProperties: false, description });

/** ISO 8601 with `Z` or an offset, as a regular expression. */
export const ABSOLUTE = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)';
const time = (description: unknown) => {
  const says = { description: `${description} ISO 8601 with \`Z\` or an offset, or relative to now.`, examples: ['-2h', '+3d'] };
  return string({ pattern: `^(${ABSOLUTE}|[+-]\\d+[smhdw])$`, 'x-time': 'any', ...says });
};

const schemaOf = (field: Field): Schema<unknown> => {
  const schema = requestSchema(field);
  const description = field.inSeeds ?? schema.description;
  if (schema.format === 'date-time') return { ...time(description), type: schema.type };
  const items = schema.items as Schema<unknown> | undefined;
  const times = items?.format === 'date-time' ? { items: time(items.description ?? description) } : {};
  return { ...schema, description, ...times };
};

/** What a seed file says in each field of a record. */
const inSeeds = <F extends Fields>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (field.kind === 'derived' ? [] : [[name, schemaOf(field)]])),
  ) as { readonly [N in keyof RecordOf<F>]: Schema<RecordOf<F>[N]> };

export const UserFile = closed({}, inSeeds(USERS), 'A member of the workspace.');

export const KeyFile = closed({}, inSeeds(KEYS), 'An API key.');

const { body, task_id, ...commentFields } = inSeeds(COMMENTS);
export const NestedComment = closed({ body }, commentFields, 'A comment on the task.');
export const LooseComment = closed({ body, task_id }, commentFields, 'A comment on a task.');

const { title, project_id, ...fieldsOfTask } = inSeeds(TASKS);
const taskFields = { ...fieldsOfTask, comments: array(NestedComment) };
export const NestedTask = closed({ title }, taskFields, 'A task of the project.');
export const LooseTask = closed({ title, project_id }, taskFields, 'A task of a project.');

export const ProjectFile = closed({}, { ...inSeeds(PROJECTS), tasks: array(NestedTask) }, 'A project with its tasks.');

export const TeamFile = closed({}, inSeeds(TEAMS), 'A team.');

/** Words that stand for every event. */
export const ALL_EVENTS = ['all', '*'] as const;
const allEvents = oneOf(ALL_EVENTS);
export const EventWord = oneOf([...EVENT_NAMES, ...ALL_EVENTS]);
const events: Schema<(typeof ALL_EVENTS)[number] | readonly Is<typeof EventWord>[]> = {
  anyOf: [allEvents, array(EventWord)],
  description: 'Event names subscribed to; left out: all.',
};
const { url, ...webhookFields } = inSeeds(WEBHOOKS);
export const WebhookFile = closed({ url }, { ...webhookFields, events }, 'A webhook registration.');
