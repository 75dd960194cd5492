// A test runner for Stryker: all tests of src in its own process, each mutant in modules made anew from one compiled script.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { constants, Script } from 'node:vm';
import { bundleOf } from './bundle.mjs';
import * as dsl from './dsl.mjs';

const BUNDLE = 'mutation.bundle.json';
const COVERAGE = 'mutation.coverage.bin';

/** What a mutant may take before it counts as survived; the tests nearest to it run first. Milliseconds. */
const BUDGET = 3000;

class InProcess {
  static inject = ['options', 'logger'];

  constructor(options, log) {
    this.log = log;
    this.files = options.inProcess.tests;
    this.share = options.inProcess.share;
    globalThis.__stryker__ ??= {};
    this.stryker = globalThis.__stryker__;
    this.killers = new Map();
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    process.env.CI = 'true';
    for (const [name, value] of Object.entries({ WM_MODEL_RUNS: '60', WM_MODEL_SEED: '1', WM_FUZZ_RUNS: '50' })) process.env[name] ??= value;
    // What a dead mutant left behind says nothing about the next one.
    process.on('unhandledRejection', () => {});
    process.on('uncaughtException', () => {});
    process.setMaxListeners(0);
    if (!existsSync(BUNDLE)) writeFileSync(BUNDLE, JSON.stringify(await bundleOf(process.cwd(), this.files)));
    const { packages, code } = JSON.parse(readFileSync(BUNDLE, 'utf8'));
    this.packages = Object.fromEntries(
      await Promise.all(packages.map(async (name) => [name, name === 'vitest' ? dsl : await import(this.#resolved(name))])),
    );
    const script = new Script(code, {
      filename: join(process.cwd(), 'mutation.bundle.mjs'),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    this.make = script.runInThisContext();
  }

  #resolved(name) {
    return name.startsWith('node:') ? name : import.meta.resolve(name);
  }

  async dryRun() {
    const tests = [];
    const perTest = {};
    const saved = {};
    for (const file of this.files) {
      const began = performance.now();
      this.stryker.mutantCoverage = { static: {}, perTest: {} };
      const covered = this.stryker.mutantCoverage.perTest;
      this.stryker.currentTestId = 'load';
      const failures = [];
      const root = await dsl.collect(async () => (await this.make(this.packages))[file]()).catch((problem) => {
        failures.push({ name: 'loading', problem });
      });
      const loaded = performance.now() - began;
      const times = [];
      if (root) {
        const failure = await dsl.runTests(root, {
          limit: 120_000,
          toTheEnd: true,
          around: (at) => {
            this.stryker.currentTestId = at;
          },
          after: (at, took) => {
            times[at] = took;
          },
        });
        if (failure) failures.push(failure);
      }
      this.stryker.currentTestId = undefined;
      const ids = (counts = {}) => Uint32Array.from(Object.keys(counts), Number).sort();
      saved[file] = { loaded, times, load: ids(covered.load), tests: times.map((_, at) => ids(covered[at])) };
      perTest[file] = Object.assign({}, ...Object.values(covered));
      const spent = { id: file, name: file, fileName: file, timeSpentMs: performance.now() - began };
      const [failed] = failures;
      if (failed) this.log.error(`${file} > ${failed.name}: ${failed.problem?.stack ?? failed.problem}`);
      tests.push(failed ? { ...spent, status: 1, failureMessage: `${failed.name}: ${failed.problem}` } : { ...spent, status: 0 });
    }
    writeFileSync(COVERAGE, serialize(saved));
    return { status: 'complete', tests, mutantCoverage: { static: {}, perTest } };
  }

  /** The test files that reach a mutant, those nearest to it first, then those that killed its neighbours, then the quickest. */
  #order(files, mutated) {
    const folder = dirname(mutated);
    const kills = this.killers.get(mutated) ?? new Map();
    const cost = (file) => {
      const { loaded, times } = this.coverage[file];
      const base = loaded + times.reduce((sum, time) => sum + time, 0) / 2;
      const near = file.replace(/\.test\.tsx?$/, '') === mutated.replace(/\.tsx?$/, '') ? 8 : dirname(file) === folder ? 4 : 1;
      return base / near / (1 + (kills.get(file) ?? 0));
    };
    return files.map((file) => [file, cost(file)]).sort((a, b) => a[1] - b[1]).map(([file]) => file);
  }

  /** Whether a mutant is in the share that is tried: its place in the file does not matter, so that few change when code moves. */
  #drawn({ fileName, mutatorName, replacement, location }) {
    if (this.share >= 1) return true;
    const text = `${fileName.slice(fileName.lastIndexOf('/src/'))} ${mutatorName} ${replacement} ${location.start.column}`;
    return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32 < this.share;
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    this.coverage ??= deserialize(readFileSync(COVERAGE));
    const { id } = activeMutant;
    if (!this.#drawn(activeMutant)) return { status: 'error', errorMessage: 'not drawn' };
    const number = Number(id);
    const mutated = activeMutant.fileName.slice(activeMutant.fileName.lastIndexOf('/src/') + 1);
    let nrOfTests = 0;
    const until = performance.now() + BUDGET;
    for (const file of this.#order(testFilter ?? this.files, mutated)) {
      if (nrOfTests > 0 && performance.now() > until) break;
      const { load, tests, times } = this.coverage[file];
      const always = load.includes(number);
      const wanted = (at) => always || tests[at]?.includes(number);
      Object.assign(this.stryker, { activeMutant: id, hitCount: 0, hitLimit, currentTestId: undefined, mutantCoverage: { static: {}, perTest: {} } });
      let failure;
      try {
        const root = await dsl.collect(async () => (await this.make(this.packages))[file]());
        failure = await dsl.runTests(root, { wanted, limit: 2000 + 20 * Math.max(0, ...times.filter(Boolean)), around: () => nrOfTests++ });
        if (!failure && dsl.testsBelow(root).length !== times.length) failure = { name: 'other tests', problem: new Error('the file defines other tests') };
      } catch (problem) {
        failure = { name: 'loading', problem };
      }
      const hits = this.stryker.hitCount;
      this.stryker.activeMutant = undefined;
      if (hitLimit !== undefined && hits > hitLimit) return { status: 'timeout', reason: `Hit limit reached (${hits}/${hitLimit})` };
      if (failure?.problem instanceof dsl.TookTooLong) return { status: 'timeout', reason: `${failure.name}: ${failure.problem.message}` };
      if (failure) {
        const kills = this.killers.get(mutated) ?? new Map();
        this.killers.set(mutated, kills.set(file, (kills.get(file) ?? 0) + 1));
        return { status: 'killed', killedBy: [file], failureMessage: `${failure.name}: ${failure.problem}`.slice(0, 500), nrOfTests };
      }
    }
    return { status: 'survived', nrOfTests };
  }
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', injectableClass: InProcess }];
export const strykerValidationSchema = {
  type: 'object',
  properties: { inProcess: { type: 'object', properties: { tests: { type: 'array', items: { type: 'string' } }, share: { type: 'number' } } } },
};
