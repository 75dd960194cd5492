// The files that are generated from the tables.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { LATEST, RELEASE_NAMES } from '../contract/releases.ts';
import { CHECKED } from '../control/checked.ts';
import { controlOpenApi } from '../control/openapi.ts';
import { controlPage } from '../control/page.ts';
import { choicesPage } from '../describe/choices.ts';
import { openApi, openApiYaml } from '../describe/openapi.ts';
import { releasesPage } from '../describe/releases-page.ts';
import { OPTION_PARTS, TAKEN } from '../mock/option-schemas.ts';
import { SEED_PARTS, SEED_SCHEMA } from '../seed/format.ts';
import { PATTERNS } from '../testing/known.ts';
import { bodySchemas, responseSchemas, validatorSource } from '../validation/compile.ts';
import { checkReleased, keepReleased } from './released.ts';

type Documents = Readonly<Record<string, () => string | Promise<string>>>;

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const seedSchema = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'wm-mock seed file', ...SEED_SCHEMA };

/** What makes each generated file, by its path in the package. */
export const DOCUMENTS: Documents = {
  ...Object.fromEntries(
    RELEASE_NAMES.filter((release) => release !== LATEST).map((release) => [
      `openapi/openapi-${release}.json`,
      () => json(openApi({ release })),
    ]),
  ),
  'openapi/openapi.json': () => json(openApi()),
  'openapi/openapi.yaml': () => openApiYaml(),
  'openapi/control.json': () => json(controlOpenApi()),
  'openapi/seed.schema.json': () => json(seedSchema),
  'docs/choices.md': choicesPage,
  'docs/releases.md': releasesPage,
  'docs/control-api.md': controlPage,
  'src/validation/validators.generated.ts': () => validatorSource('request bodies', bodySchemas()),
  'src/control/validators.generated.ts': () => validatorSource('control calls', CHECKED, { room: '../validation' }),
  'src/mock/options.generated.ts': () => validatorSource('options', TAKEN, { parts: OPTION_PARTS, room: '../validation' }),
  'src/seed/validators.generated.ts': () =>
    validatorSource('seeds', { seed: SEED_SCHEMA }, { parts: SEED_PARTS, room: '../validation' }),
  'src/testing/validators.generated.ts': () => validatorSource('patterns of matchers', PATTERNS, { room: '../validation' }),
  'src/validation/responses.generated.ts': () => validatorSource('responses', responseSchemas()),
};

/** Writes the files under `root` that are missing or differ from what the tables say. */
export const writeDocuments = async (root: string, say: (line: string) => void, made: Documents = DOCUMENTS): Promise<void> => {
  for (const [path, make] of Object.entries(made)) {
    const file = resolve(root, path);
    const text = await make();
    if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    say(`wrote ${path}`);
  }
};

/** Writes the documents; with --released names what breaks clients, with --keep-release keeps today's as released. @returns the exit status. */
export const runDocuments = async (root: string, argv: readonly string[], say: (line: string) => void): Promise<number> => {
  if (argv.includes('--released')) return checkReleased(root, say);
  if (argv.includes('--keep-release')) return keepReleased(root, say);
  await writeDocuments(root, say);
  return 0;
};
