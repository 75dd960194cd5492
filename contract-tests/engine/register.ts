// Reads the register of requirements, and finds the files that the suite ships with, from the source as from the compiled suite.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDocument } from './files.ts';
import { documentRelease, newestRelease, type Release } from './releases.ts';
import { type RegisterFile, type Requirement, requirementsOf } from './rows.ts';
import { RunError } from './terms.ts';

export type { Requirement } from './rows.ts';

/** The nearest file of that name, upwards from this folder. */
export const shipped = (name: string): string | undefined => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, name);
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) return undefined;
  }
};

let cached: readonly Requirement[] | undefined;

export const readRegister = (): readonly Requirement[] => {
  if (cached) return cached;
  const path = shipped('contract-tests/requirements.yaml');
  if (!path) throw new Error('contract-tests/requirements.yaml is missing from this installation');
  cached = requirementsOf(readDocument(path) as RegisterFile);
  return cached;
};

const documents = new Map<Release, object>();
const LATEST_DOCUMENT = 'openapi/openapi.json';
let latest: Release | undefined;

/** The release of the document in this package; without one, the newest that the requirements name. */
export const latestRelease = (): Release => {
  latest ??= documentRelease(latestDocument()) ?? newestRelease(readRegister());
  return latest;
};

const latestDocument = (): object | undefined => {
  const path = shipped(LATEST_DOCUMENT);
  try {
    return path === undefined ? undefined : parsed(path, LATEST_DOCUMENT);
  } catch {
    return undefined;
  }
};

/**
 * The OpenAPI document of a release, of this package. @param make makes one that the package has no file of; a clone has all of them.
 * @throws RunError when it is no JSON, or that of an earlier release is not to be had
 */
export const readShippedDocument = (
  release: Release = latestRelease(),
  make?: (release: Release) => object,
): object | undefined => {
  const known = documents.get(release);
  if (known) return known;
  const name = release === latestRelease() ? LATEST_DOCUMENT : `openapi/openapi-${release}.json`;
  const path = shipped(name);
  const document = path ? parsed(path, name) : make?.(release);
  if (document) documents.set(release, document);
  else if (release !== latestRelease())
    throw new RunError(
      `${name} is not in this package. Print it with "wm-mock openapi --release ${release}" and give it as document`,
    );
  return document;
};

const parsed = (path: string, name: string): object => {
  try {
    return readDocument(path) as object;
  } catch {
    throw new RunError(`${name} is no JSON`);
  }
};
