// The contract as an OpenAPI 3.1 document; the order of its keys is the order of the tables.
import { CHOICES, type Choices } from '../contract/choices.ts';
import { OPERATION_IDS } from '../contract/operations.ts';
import { type Release, releaseRow } from '../contract/releases.ts';
import { type Terms, termsOf } from '../contract/terms.ts';
import { headers, sharedErrors } from './errors.ts';
import { EVENT_TAG, eventObjects } from './events.ts';
import { inOpenApi30 } from './openapi-30.ts';
import { operationObject, parametersAt } from './operation-object.ts';
import { type Json, usedBy } from './schemas.ts';

const DESCRIPTION = `Projects, tasks, members and teams of one workspace.

A single resource comes as \`{ "data": … }\`, a list as \`{ "items": […], "meta": … }\`, an error as \`{ "error": … }\`.
Clients must tolerate unknown fields and unknown enumeration values in responses.

Where the specification leaves a point open, the operation names it in \`x-open-points\`; the map of the same name at the
end of this document lists the question, the options that conform and the one that this document describes.`;

const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Projects: 'Projects hold tasks.',
  Tasks: 'Tasks belong to one project each; comments on them can be read.',
  Users: 'The people of the workspace.',
  Teams: 'Named groups of members.',
  Webhooks: 'Registrations of receivers of events.',
  [EVENT_TAG]: 'What is pushed to registered receivers: their calls, not those of a client.',
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

export const OPENAPI_VERSIONS = ['3.1', '3.0'] as const;

export interface OpenApiOptions {
  /** Version of OpenAPI; 3.1 by default. */
  readonly openapi?: (typeof OPENAPI_VERSIONS)[number];
  /** Base URL of the server that the document is for; ends in `/v1`. */
  readonly serverUrl?: string;
  /** Release of the API; the latest by default. */
  readonly release?: Release;
  /** Choices at the open points; the defaults by default. */
  readonly choices?: Choices;
}

export const openApi = ({ serverUrl = 'http://127.0.0.1:4700/v1', openapi, ...options }: OpenApiOptions = {}): Json => {
  const document = documentOf(termsOf(options), serverUrl);
  return openapi === '3.0' ? inOpenApi30(document) : document;
};

const documentOf = (terms: Terms, serverUrl: string): Json => {
  const [paths, webhooks, errors] = [pathObjects(terms), eventObjects(terms), sharedErrors(terms)];
  const text = JSON.stringify(paths);
  const used = (kind: string, all: Json): Json =>
    Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(`#/components/${kind}/${name}"`)));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Work-Management API',
      version: releaseRow(terms.contract.release).version,
      summary: 'Workspace-scoped projects and tasks.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '{base_url}',
        description: 'The service, or a mock of it; ends with the version segment `/v1`.',
        // swagger-parser's schema refuses a description here.
        variables: { base_url: { default: serverUrl } },
      },
    ],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAG_DESCRIPTIONS)
      .filter(([name]) => name === EVENT_TAG || Object.values(terms.contract.operations).some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas: usedBy([paths, webhooks, errors], terms.contract.components),
      parameters: used('parameters', parametersAt(terms)),
      headers: headers(terms),
      responses: used('responses', errors),
      securitySchemes: { apiKey: SECURITY_SCHEME },
    },
    'x-open-points': openPoints(terms),
  };
};

const pathObjects = (terms: Terms): Json => {
  const byPath: Record<string, Json> = {};
  for (const id of OPERATION_IDS) {
    const row = terms.contract.operations[id];
    if (row) byPath[row.path] = { ...byPath[row.path], [row.method.toLowerCase()]: operationObject(id, row, terms) };
  }
  return byPath;
};

const openPoints = ({ contract, choices }: Terms): Json =>
  Object.fromEntries(
    contract.openPoints.map((id) => {
      const { part, question, options, ours, because } = CHOICES[id];
      const choice = choices[id];
      return [id, { question, options, ours, because, part, ...(choice === ours ? {} : { answer: choice }) }];
    }),
  );

/** Writes the document as YAML. */
export const openApiYaml = async (options: OpenApiOptions = {}): Promise<string> => {
  const { stringify } = await import('yaml');
  return stringify(openApi(options), { lineWidth: 130, aliasDuplicateObjects: false });
};
