// A test runner for Stryker: all tests of src in its own process, each mutant in modules made anew from one compiled script.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { constants, Script } from 'node:vm';
import { bundleOf, withoutCounting } from './bundle.mjs';
import { isDrawn } from './draw.mjs';
import * as dsl from './dsl.mjs';

const BUNDLE = 'mutation.bundle.json';
const COVERAGE = 'mutation.coverage.bin';

/** What a mutant may compute before it counts as survived; the tests nearest to it run first. Milliseconds of the processor. */
const BUDGET = 4000;

/** The number of no mutant. */
const NONE = -1;

/** How often each mutant was reached in all: what is far more is taken for endless. */
const summed = (counts) => {
  const sums = {};
  for (const one of counts) for (const [id, hits] of Object.entries(one)) sums[id] = (sums[id] ?? 0) + hits;
  return sums;
};

/** Whether sorted numbers have one among them. */
const holds = (sorted, number) => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < number) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === number;
};

/** Keeps every timer that is started, so that all of them can be called off. @returns what calls them off. */
const timersKept = () => {
  const kept = new Set();
  for (const name of ['setTimeout', 'setInterval', 'setImmediate']) {
    const start = globalThis[name];
    globalThis[name] = Object.assign((...given) => {
      const timer = start(...given);
      kept.add(timer);
      return timer;
    }, start);
  }
  const { clearTimeout, clearImmediate } = globalThis;
  return () => {
    for (const timer of kept) (timer.constructor.name === 'Immediate' ? clearImmediate : clearTimeout)(timer);
    kept.clear();
  };
};

class InProcess {
  static inject = ['options', 'logger'];

  constructor(options, log) {
    this.log = log;
    this.files = options.inProcess.tests;
    this.share = options.inProcess.share;
    globalThis.__stryker__ ??= {};
    this.stryker = globalThis.__stryker__;
    this.killers = new Map();
    this.callOffTimers = timersKept();
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    process.env.CI = 'true';
    for (const [name, value] of Object.entries({ WM_MODEL_RUNS: '60', WM_MODEL_SEED: '1', WM_FUZZ_RUNS: '50' }))
      process.env[name] ??= value;
    // What a dead mutant left behind says nothing about the next one.
    process.on('unhandledRejection', () => {});
    process.on('uncaughtException', () => {});
    process.setMaxListeners(0);
    if (!existsSync(BUNDLE)) {
      // In one step: another worker may be about to read it.
      const own = `${BUNDLE}.${process.pid}`;
      writeFileSync(own, JSON.stringify(await bundleOf(process.cwd(), this.files)));
      renameSync(own, BUNDLE);
    }
    const { packages, code } = JSON.parse(readFileSync(BUNDLE, 'utf8'));
    this.packages = Object.fromEntries(
      await Promise.all(packages.map(async (name) => [name, name === 'vitest' ? dsl : await import(this.#resolved(name))])),
    );
    this.code = code;
  }

  #compiled(code) {
    return new Script(code, {
      filename: join(process.cwd(), 'mutation.bundle.mjs'),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    }).runInThisContext();
  }

  #resolved(name) {
    return name.startsWith('node:') ? name : import.meta.resolve(name);
  }

  /** Runs all once. To Stryker a test is a file; which of its tests reach a mutant is kept beside. A test that fails here, unmutated, is no judge. */
  async dryRun() {
    const make = this.#compiled(this.code);
    const tests = [];
    const perTest = {};
    const saved = {};
    for (const file of this.files) {
      const began = performance.now();
      this.stryker.mutantCoverage = { static: {}, perTest: {} };
      const covered = this.stryker.mutantCoverage.perTest;
      this.stryker.currentTestId = 'load';
      const root = await dsl
        .collect(file, async () => (await make(this.packages))[file]())
        .catch((problem) => this.log.warn(`${file} does not load here: ${problem?.stack ?? problem}`));
      const loaded = performance.now() - began;
      const times = [];
      const unfit = [];
      const names = root ? dsl.testsBelow(root).map(({ name }) => name) : [];
      const failure =
        root &&
        (await dsl.runTests(root, {
          limit: 120_000,
          toTheEnd: true,
          around: (at) => {
            this.stryker.currentTestId = String(at); // To Stryker 0 is none.
          },
          after: (at, took, passed) => {
            times[at] = took;
            if (!passed) unfit.push(at);
          },
        }));
      this.stryker.currentTestId = undefined;
      if (failure)
        this.log.warn(
          `${file}, no judge here: ${unfit.map((at) => names[at]).join(' | ')}\n${failure.problem?.stack ?? failure.problem}`,
        );
      const ids = (counts = {}) => Uint32Array.from(Object.keys(counts), Number).sort();
      saved[file] = {
        loaded,
        times,
        names,
        unfit: unfit.map((at) => names[at]),
        load: ids(covered.load),
        tests: times.map((_, at) => ids(covered[at])),
      };
      perTest[file] = unfit.length === names.length ? {} : summed(Object.values(covered));
      tests.push({ id: file, name: file, fileName: file, timeSpentMs: performance.now() - began, status: 0 });
    }
    const all = Object.values(saved).reduce((sum, { times }) => sum + times.length, 0);
    const unfit = Object.values(saved).reduce((sum, file) => sum + file.unfit.length, 0);
    this.log.info(`${all - unfit} tests in ${this.files.length} files judge, ${unfit} fail here without a mutant`);
    writeFileSync(COVERAGE, serialize(saved));
    return { status: 'complete', tests, mutantCoverage: { static: {}, perTest } };
  }

  /** The places of those tests of a file that reach a mutant; all of them when loading the file does. */
  #reaching(file, number) {
    const { load, tests, names } = this.coverage[file];
    const all = holds(load, number);
    return names.flatMap((_, at) => (all || (tests[at] && holds(tests[at], number)) ? [at] : []));
  }

  /** The test files that reach a mutant: its own, then those near it that killed its neighbours and need little time for it. */
  #order(files, mutated, number) {
    const folder = dirname(mutated);
    const kills = this.killers.get(mutated) ?? new Map();
    const cost = (file) => {
      const { loaded, times, load } = this.coverage[file];
      const needed = this.#reaching(file, number).reduce((sum, at) => sum + (times[at] ?? 0), loaded);
      const own = file.replace(/\.test\.tsx?$/, '') === mutated.replace(/\.tsx?$/, '');
      // What a table says shows in the documents that are made from it.
      const isDocument = file.startsWith('scripts/') && holds(load, number);
      return own || isDocument ? 0 : needed / (dirname(file) === folder ? 4 : 1) / (1 + (kills.get(file) ?? 0));
    };
    return files
      .map((file) => [file, cost(file)])
      .sort((a, b) => a[1] - b[1])
      .map(([file]) => file);
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    this.coverage ??= deserialize(readFileSync(COVERAGE));
    this.make ??= this.#compiled(withoutCounting(this.code));
    if (!isDrawn(activeMutant, this.share)) return { status: 'error', errorMessage: 'not drawn' };
    const number = Number(activeMutant.id);
    const mutated = activeMutant.fileName.slice(activeMutant.fileName.lastIndexOf('/src/') + 1);
    let nrOfTests = 0;
    const began = process.cpuUsage();
    const spent = () => Object.values(process.cpuUsage(began)).reduce((sum, micros) => sum + micros / 1000, 0);
    for (const file of this.#order(testFilter ?? this.files, mutated, number)) {
      if (nrOfTests > 0 && spent() > BUDGET) break;
      const { names } = this.coverage[file];
      const reached = new Set(this.#reaching(file, number).map((at) => names[at]));
      // A mutant of a table may bring tests that are not there without it.
      const wanted = (name) => reached.has(name) || !names.includes(name);
      const { failure, last, ran, hits } = await this.#try(file, number, hitLimit, wanted);
      nrOfTests += ran;
      if (hits > (hitLimit ?? Infinity)) return { status: 'timeout', reason: `Hit limit reached (${hits}/${hitLimit})` };
      if (failure?.problem instanceof dsl.TookTooLong)
        return { status: 'timeout', reason: `${failure.name}: ${failure.problem.message}` };
      if (!failure) continue;
      const alibi = await this.#try(file, NONE, undefined, (name) => name === last);
      if (alibi.failure) {
        this.log.warn(`${file} > ${failure.name} fails without a mutant too: ${alibi.failure.problem}`);
        continue;
      }
      const kills = this.killers.get(mutated) ?? new Map();
      this.killers.set(mutated, kills.set(file, (kills.get(file) ?? 0) + 1));
      const failureMessage = `${failure.name}: ${failure.problem}`.slice(0, 500);
      return { status: 'killed', killedBy: [file], failureMessage, nrOfTests };
    }
    return { status: 'survived', nrOfTests };
  }

  /** Makes all modules of a test file anew with one mutant at work, and runs those of its tests that are wanted and fit to judge. */
  async #try(file, mutant, hitLimit, wanted) {
    const { times, unfit } = this.coverage[file];
    let [hits, ran, last, failure] = [0, 0];
    const hit = () => {
      hits += 1;
      if (hits > hitLimit) throw new Error('hit limit');
      return true;
    };
    this.callOffTimers();
    try {
      const root = await dsl.collect(file, async () => (await this.make(this.packages, mutant, hit))[file]());
      const names = dsl.testsBelow(root).map(({ name }) => name);
      failure = await dsl.runTests(root, {
        wanted: (at) => !unfit.includes(names[at]) && wanted(names[at]),
        limit: 2000 + 20 * Math.max(0, ...times.filter(Boolean)),
        around: (at) => {
          ran += 1;
          last = names[at];
        },
      });
    } catch (problem) {
      failure = { name: 'loading', problem };
    }
    return { failure, last, ran, hits };
  }
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', injectableClass: InProcess }];
export const strykerValidationSchema = {
  type: 'object',
  properties: {
    inProcess: { type: 'object', properties: { tests: { type: 'array', items: { type: 'string' } }, share: { type: 'number' } } },
  },
};
