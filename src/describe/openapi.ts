// The contract as an OpenAPI 3.1 document; the order of its keys is the order of the tables.
import { CHOICES, type Choices, OURS } from '../contract/choices.ts';
import { OPERATION_IDS, operation } from '../contract/operations.ts';
import { COMPONENTS } from '../contract/resources.ts';
import { sharedErrors } from './errors.ts';
import { webhooks } from './events.ts';
import { headers } from './headers.ts';
import { operationObject } from './operation-object.ts';
import { PARAMETERS } from './parameters.ts';
import { type Json, spelledOut } from './schemas.ts';

const DESCRIPTION = `Projects, tasks, members and teams of one workspace.

A single resource comes as \`{ "data": … }\`, a list as \`{ "items": […], "meta": … }\`, an error as \`{ "error": … }\`.
Clients must tolerate unknown fields and unknown enumeration values in answers.

Where the specification leaves a point open, the operation names it in \`x-open-points\`; the map of the same name at the
end of this document says what is asked, which answers conform and which one this document describes.`;

const TAGS: Readonly<Record<string, string>> = {
  Projects: 'Projects hold tasks.',
  Tasks: 'Tasks belong to one project each; comments on them can be read.',
  Users: 'The people of the workspace.',
  Teams: 'Named groups of members.',
  Webhooks: 'Events pushed to registered receivers.',
};

const SECURITY_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  description: 'An API key. It belongs to one workspace, sees only that one, and has exactly one scope.',
  'x-scopes': {
    read: 'Retrieve any resource of the workspace.',
    write: 'All of `read`; create, update and delete projects, tasks and other non-administrative resources.',
    admin: 'All of `write`; manage members, billing, configuration and API keys.',
  },
};

export interface OpenApiOptions {
  /** Base URL of the server that the document is for; ends in `/v1`. */
  readonly serverUrl?: string;
  /** Release of the API. */
  readonly version?: string;
  /** Answers to the open points; ours when left out. */
  readonly choices?: Choices;
}

/** The OpenAPI 3.1 document. */
export const openApi = ({
  serverUrl = 'http://127.0.0.1:4700/v1',
  version = '1.3.0',
  choices = OURS,
}: OpenApiOptions = {}): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Work-Management API',
    version,
    summary: 'Workspace-scoped projects and tasks.',
    description: DESCRIPTION,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [
    {
      url: '{base_url}',
      description: 'The service, or a mock of it.',
      variables: { base_url: { default: serverUrl, description: 'Ends with the version segment `/v1`.' } },
    },
  ],
  security: [{ apiKey: [] }],
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  paths: paths(choices),
  webhooks: webhooks(),
  components: {
    schemas: Object.fromEntries(Object.entries(COMPONENTS).map(([name, schema]) => [name, spelledOut(schema)])),
    parameters: PARAMETERS,
    headers: headers(choices),
    responses: sharedErrors(choices),
    securitySchemes: { apiKey: SECURITY_SCHEME },
  },
  'x-open-points': openPoints(choices),
});

const paths = (choices: Choices): Json => {
  const byPath: Record<string, Record<string, Json>> = {};
  for (const id of OPERATION_IDS) {
    const { method, path } = operation(id);
    byPath[path] = { ...byPath[path], [method.toLowerCase()]: operationObject(id, choices) };
  }
  return byPath;
};

const openPoints = (choices: Choices): Json =>
  Object.fromEntries(
    Object.entries(CHOICES).map(([id, { part, question, options, ours, because }]) => {
      const answer = choices[id as keyof Choices];
      return [id, { question, options, ours, because, part, ...(answer === ours ? {} : { answer }) }];
    }),
  );

/** The same document as YAML. */
export const openApiYaml = async (options: OpenApiOptions = {}): Promise<string> => {
  const { stringify } = await import('yaml');
  return stringify(openApi(options), { lineWidth: 130, aliasDuplicateObjects: false });
};
