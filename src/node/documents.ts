// The files that are generated from the tables, and whether those on disk still match.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { LATEST, RELEASE_NAMES } from '../contract/releases.ts';
import { controlOpenApi } from '../control/openapi.ts';
import { controlPage } from '../control/page.ts';
import { choicesPage } from '../describe/choices.ts';
import { openApi, openApiYaml } from '../describe/openapi.ts';
import { releasesPage } from '../describe/releases-page.ts';
import { SEED_SCHEMA } from '../seed/format.ts';
import { bodySchemas, responseSchemas, validatorSource } from '../validation/compile.ts';

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const seedSchema = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'wm-mock seed file', ...SEED_SCHEMA };

/** Every generated file, by its path in the package. */
export const documents = async (): Promise<Readonly<Record<string, string>>> => ({
  ...Object.fromEntries(
    RELEASE_NAMES.filter((release) => release !== LATEST).map((release) => [
      `openapi/openapi-${release}.json`,
      json(openApi({ release })),
    ]),
  ),
  'openapi/openapi.json': json(openApi()),
  'openapi/openapi.yaml': await openApiYaml(),
  'openapi/control.json': json(controlOpenApi()),
  'openapi/seed.schema.json': json(seedSchema),
  'docs/choices.md': choicesPage(),
  'docs/releases.md': releasesPage(),
  'docs/control-api.md': controlPage(),
  'src/validation/validators.generated.ts': validatorSource('request bodies', bodySchemas()),
  'src/validation/responses.generated.ts': validatorSource('responses', responseSchemas()),
});

/** The files under `root` that differ from what the tables say. */
export const staleDocuments = async (root: string): Promise<readonly string[]> => {
  const wanted = Object.entries(await documents());
  const found = await Promise.all(wanted.map(([path]) => readFile(resolve(root, path), 'utf8').catch(() => undefined)));
  return wanted.filter(([, text], index) => found[index] !== text).map(([path]) => path);
};

/** Writes the stale files, or with `--check` names them. @returns the exit status. */
export const writeDocuments = async (root: string, argv: readonly string[], say: (line: string) => void): Promise<number> => {
  const stale = await staleDocuments(root);
  if (argv.includes('--check')) {
    for (const path of stale) say(`${path} is stale: run \`npm run docs\` and commit it`);
    return stale.length > 0 ? 1 : 0;
  }
  const texts = await documents();
  for (const path of stale) {
    await mkdir(dirname(resolve(root, path)), { recursive: true });
    await writeFile(resolve(root, path), texts[path]!);
    say(`wrote ${path}`);
  }
  return 0;
};
