// Things that tests of runs and reports share: a folder for each test, and runs against the reference server.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Fetch } from '../engine/terms.ts';
import { type ContractOptions, type Report, runContract } from '../run.ts';
import { TestServer } from './test-server.ts';

export interface Folder {
  readonly path: string;
  at(name: string): string;
  read(name: string): string;
  report(name?: string): Report;
}

/** A folder that each test of a file has for itself. @param begin @param end when it comes and goes */
export const freshFolder = (begin: typeof beforeEach = beforeEach, end: typeof afterEach = afterEach): Folder => {
  let path = '';
  begin(() => {
    path = mkdtempSync(join(tmpdir(), 'contract-'));
  });
  end(() => rmSync(path, { recursive: true, force: true }));
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

export interface RunOptions extends Partial<ContractOptions> {
  /** A layer between the run and the server. */
  readonly through?: (next: Fetch) => Fetch;
}

/** Options that make the same report each time. */
const REPEATABLE = ['only', 'profile', 'allow', 'baseline', 'release', 'keys', 'document', 'baseUrl', 'bail', 'limit'];
const made = new Map<string, Promise<Report>>();

const runOnce = (faults: readonly string[] | TestServer, { through, ...options }: RunOptions): Promise<Report> => {
  const server = faults instanceof TestServer ? faults : new TestServer({ faults, limit: 5000 });
  return runContract({
    baseUrl: 'http://127.0.0.1/v1',
    fetch: through ? through(server.fetch) : server.fetch,
    keys: server.roles(),
    time: server.clock,
    profile: 'core',
    reportDir: false,
    ...options,
  });
};

/** A run of the small profile against a server, or a new one with these faults. One that leaves nothing behind is made once in a process. */
export const runOn = (faults: readonly string[] | TestServer, options: RunOptions = {}): Promise<Report> => {
  if (faults instanceof TestServer || !Object.keys(options).every((name) => REPEATABLE.includes(name)))
    return runOnce(faults, options);
  const key = JSON.stringify([faults, options]);
  const report = made.get(key) ?? runOnce(faults, options);
  made.set(key, report);
  return report;
};

/** A part of the suite that finds three of the test server's faults: has-more-on-exact, cursor-drops-filters and patch-unchecked. */
export const PART = ['lists/walk', 'filters/and', 'refusals/update-project'];

/** As in `.ci/nightly`: nothing is drawn. */
export const IS_WHOLE = process.env.WM_SUITE === 'whole';

/** One of this many, by place and so of each kind; all of them in a whole run. */
export const someOf = <T>(all: readonly T[], every = 15): readonly T[] => all.filter((_, at) => IS_WHOLE || at % every === 0);

/** The result of a requirement. */
export const resultOf = (report: Report, id: string) => report.requirements.find((result) => result.id === id)!;
