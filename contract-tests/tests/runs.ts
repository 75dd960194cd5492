// What tests of reports share: a folder for each test, and runs against the reference server.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type ContractOptions, type Report, runContract } from '../run.ts';
import { TestServer } from './test-server.ts';

export interface Folder {
  readonly path: string;
  at(name: string): string;
  read(name: string): string;
  report(name?: string): Report;
}

/** A folder that each test of a file has for itself. */
export const freshFolder = (): Folder => {
  let path = '';
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'contract-'));
  });
  afterEach(() => rmSync(path, { recursive: true, force: true }));
  const at = (name: string) => join(path, name);
  const read = (name: string) => readFileSync(at(name), 'utf8');
  return {
    get path() {
      return path;
    },
    at,
    read,
    report: (name = 'report.json') => JSON.parse(read(name)) as Report,
  };
};

/** A run of the small profile against a server with these faults. */
export const runOn = (faults: readonly string[] | TestServer, options: Partial<ContractOptions> = {}): Promise<Report> => {
  const server = faults instanceof TestServer ? faults : new TestServer({ faults, limit: 5000 });
  return runContract({
    baseUrl: 'http://127.0.0.1/v1',
    fetch: server.fetch,
    keys: server.roles(),
    time: server.clock,
    profile: 'core',
    reportDir: false,
    ...options,
  });
};

/** Faults as they come with a first service, or with a change of the suite. */
const FREQUENT = [
  '429-code',
  'hook-no-signature',
  'hook-ms-timestamp',
  'hook-url-optional',
  'patch-unchecked',
  'has-more-on-exact',
];

/** As in `.ci/nightly`: nothing is drawn. */
export const IS_WHOLE = process.env.WM_SUITE === 'whole';

/** One of fifteen, by place and so of each kind, and what is frequent; all of them in a whole run. */
export const someOf = <T extends { readonly id: string }>(all: readonly T[]): readonly T[] =>
  all.filter(({ id }, at) => IS_WHOLE || at % 15 === 0 || FREQUENT.includes(id));
