// The releases of v1 as a page: what the spec says of each, and what changed in its document.
import { DEFAULT_CHOICES } from '../src/service/contract/choices.ts';
import { neededScope, OPERATIONS, type Operation } from '../src/service/contract/operations.ts';
import { LATEST, NEXT, RELEASE_NAMES, type Release, releaseRow } from '../src/service/contract/releases.ts';
import { openApi } from '../src/service/openapi/openapi.ts';
import { BREAKING, type Change, differences } from './differences.ts';

const INTRODUCTION = `# Operations and releases of the API

Generated from \`src/service/contract\` by \`npm run generate\`; do not edit.
`;

const RELEASES = `## Releases

The mock is the service as it was at any of these releases: \`wm-mock --release 1.1\`, \`release: 1.1\` in a seed,
\`createMock({ release: '1.1' })\`, \`POST /_mock/worlds {"release":"1.1"}\`, or \`PATCH /_mock/release\` while clients run.
Data unknown to a release is kept but not shown. Where the specification leaves the old shapes open, a row of
[choices.md](choices.md) decides.

### Changes to come

\`--forward-compat\` makes the changes that v1 allows at any time: unknown fields at every level, unknown values and
events, more endpoints and headers, other error messages, other key order. \`--forward-compat=fields,order\` makes only
some of them. A client that parses too strictly breaks now instead of when the service changes. The journal warns when a
client sends back what it cannot know; \`GET /_mock/compatibility\` and \`toHaveSurvivedForwardCompat\` sum it up. No
server can see what a client shows its user.
`;

const placesOf = (changes: readonly Change[]): string => {
  const places = [...new Set(changes.map(({ fact }) => fact.of))];
  return places.length > 3 ? `${places.length} places` : places.map((place) => `\`${place}\``).join(', ');
};

/** Changes that read the same, in one line. */
const lines = (changes: readonly Change[]): string[] => {
  const groups = new Map<string, Change[]>();
  for (const change of changes) groups.set(change.says, [...(groups.get(change.says) ?? []), change]);
  return [...groups].map(([says, group]) => {
    const [{ breaks, fact }] = group as [Change];
    const where = fact.kind === 'endpoint' || fact.kind === 'event' ? '' : ` (${placesOf(group)})`;
    const note = breaks ? ` **Breaks clients**: ${BREAKING[breaks]}.` : '';
    return `- ${says[0]!.toUpperCase()}${says.slice(1)}${where}.${note}`;
  });
};

const section = (release: Release, before: Release | undefined): string => {
  const { version, date, says } = releaseRow(release);
  const changes = before ? lines(differences(openApi({ release: before }), openApi({ release }))) : [];
  return [
    `### v${version}, ${date}`,
    '',
    `The specification: ${says.join('; ')}.`,
    '',
    ...(changes.length > 0 ? [`In the document, against v${releaseRow(before!).version}:`, '', ...changes, ''] : []),
    `Its OpenAPI document: \`npx wm-mock openapi --release ${release}\`.`,
    '',
  ].join('\n');
};

/** The part about what is not released yet; nothing while there is nothing. */
const nextSection = (): readonly string[] => {
  const changes = lines(differences(openApi({ release: LATEST }), openApi({ release: NEXT })));
  if (changes.length === 0) return [];
  return [['### Not released', '', 'Served under `--release next` alone:', '', ...changes, ''].join('\n')];
};

/** The operations by the names that faults, matchers and generated clients use. */
const operationsSection = (): string => {
  const row = ([id, operation]: [string, Operation]) =>
    `| \`${id}\` | \`${operation.method} ${operation.path}\` | ${neededScope(operation, DEFAULT_CHOICES)} | v${operation.since} |`;
  const head = [
    '## Operations',
    '',
    'Faults, matchers, warnings and generated clients call them by these names.',
    '',
    '| name | request | scope | since |',
    '|---|---|---|---|',
  ];
  return [...head, ...Object.entries<Operation>(OPERATIONS).map(row), ''].join('\n');
};

/** The page, newest release first. */
export const releasesPage = (): string => {
  const sections = RELEASE_NAMES.map((release, i) => section(release, RELEASE_NAMES[i - 1]));
  return [INTRODUCTION, operationsSection(), RELEASES, ...nextSection(), ...sections.reverse()].join('\n');
};
