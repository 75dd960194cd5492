// The part of vitest's interface that the tests of src use, without a worker: a tree of tests that can be run again and again.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format } from 'node:util';
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  addCustomEqualityTesters,
  chai,
  customMatchers,
  GLOBAL_EXPECT,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect';

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

export const expect = Object.assign(
  (value, message) => chai.expect(value, message),
  chai.expect,
  globalThis[ASYMMETRIC_MATCHERS_OBJECT],
);
expect.getState = () => getState(expect);
expect.setState = (state) => setState(state, expect);
expect.addEqualityTesters = (testers) => addCustomEqualityTesters(testers);
expect.unreachable = (message) => chai.assert.fail(message ?? 'expected not to be reached');
expect.extend = (matchers) => chai.expect.extend(expect, matchers);
setState({ assertionCalls: 0, isExpectingAssertions: false, testPath: '', currentTestName: '' }, expect);
Object.defineProperty(globalThis, GLOBAL_EXPECT, { value: expect, writable: true, configurable: true });
expect.extend(customMatchers);
expect.extend({
  /** A name of a file is one beside the test file; nothing is written. */
  async toMatchFileSnapshot(received, name) {
    const stored = readFileSync(join(dirname(expect.getState().testPath), name), 'utf8');
    return { pass: received === stored, message: () => `expected the text of ${name}` };
  },
});

const untilPasses = async (attempt, { timeout = 1000, interval = 50 } = {}) => {
  for (const end = performance.now() + timeout; ; ) {
    try {
      return await attempt();
    } catch (problem) {
      if (performance.now() > end) throw problem;
      await new Promise((resolve) => setTimeout(resolve, interval));
    }
  }
};

const matcherOf = (assertion, path) => path.reduce((at, name) => at[name], assertion);
const polling = (make, options, path = []) =>
  new Proxy(() => {}, {
    get: (_, name) => polling(make, options, [...path, name]),
    apply: (_, __, args) =>
      untilPasses(async () => {
        const assertion = expect(await make());
        return matcherOf(assertion, path.slice(0, -1))[path.at(-1)](...args);
      }, options),
  });
expect.poll = (make, options) => polling(make, options);

const named = (name, row, at) => {
  const values = Array.isArray(row) ? row : [row];
  const said = name
    .replaceAll('%#', String(at))
    .replaceAll(/\$([\w.]+)/g, (whole, path) =>
      row !== null && typeof row === 'object' && path.split('.')[0] in row
        ? String(path.split('.').reduce((value, key) => value?.[key], row))
        : whole,
    );
  const wanted = (said.match(/%[sdifjoO]/g) ?? []).length;
  return format(said, ...values.slice(0, wanted));
};

const each =
  (define) =>
  (rows, ...rest) => {
    if (rest.length > 0) throw new Error('a table of .each in a template is not supported here');
    return (name, one, two) => {
      const [options, body] = typeof two === 'function' ? [one, two] : [two, one];
      // A row is a list of arguments where all are.
      const spread = rows.every((row) => Array.isArray(row));
      for (const [at, row] of rows.entries()) define(named(name, row, at), options, () => body(...(spread ? row : [row])));
    };
  };

/** Collects what one file defines while `load` runs. */
export class Suite {
  hooks = { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] };
  children = [];
  constructor(name = '', parent = undefined, body = undefined) {
    this.name = name;
    this.parent = parent;
    this.body = body;
  }
}

let current = new Suite();

/** The tree of tests that `load` defines for a file. As in vitest, what stands in a suite is defined when all around it has been. */
export const collect = async (file, load) => {
  const root = new Suite();
  expect.setState({ testPath: file });
  current = root;
  await load();
  for (let queue = [root]; queue.length > 0; ) {
    const suite = queue.shift();
    current = suite;
    await suite.body?.();
    queue = [...suite.children.filter((child) => child instanceof Suite), ...queue];
  }
  return root;
};

const parts = (a, b) => (typeof a === 'function' ? [b, a] : [a, b]);

export const describe = (name, a, b) => {
  const [, body] = parts(a, b);
  current.children.push(new Suite(typeof name === 'function' ? name.name : name, current, body));
};
export const test = (name, a, b) => {
  const [, body] = parts(a, b);
  current.children.push({ name, body, parent: current });
};
for (const define of [describe, test]) {
  define.each = each((name, options, body) => define(name, options, body));
  define.concurrent = define;
  define.sequential = define;
  define.skipIf = (condition) => (condition ? () => {} : define);
  define.runIf = (condition) => (condition ? define : () => {});
}
export const it = test;

const hook = (kind) => (body) => current.hooks[kind].push(body);
export const beforeAll = hook('beforeAll');
export const afterAll = hook('afterAll');
export const beforeEach = hook('beforeEach');
export const afterEach = hook('afterEach');
/** What the running test cleans up at its end. */
let cleaning = [];
export const onTestFinished = (body) => void cleaning.push(body);

const NOT_HERE = new Proxy(
  {},
  {
    get: (_, name) => () => {
      throw new Error(`vi.${String(name)} is not supported here`);
    },
  },
);
export const vi = Object.assign(Object.create(NOT_HERE), { waitFor: untilPasses });

/** A promise that took too long, as a class so that nothing else is taken for it. */
export class TookTooLong extends Error {}

/** Tests may hold the time in their hands. */
const { setTimeout, clearTimeout } = globalThis;

const inTime = async (work, limit) => {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new TookTooLong(`not done after ${limit} ms`)), limit);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
};

/** The tests below a suite, in order, each with the name it has in its file. */
export const testsBelow = (suite, before = '') =>
  suite.children.flatMap((child) => {
    const name = [before, child.name].filter(Boolean).join(' > ');
    return child instanceof Suite ? testsBelow(child, name) : [{ ...child, name, child }];
  });

const lineage = (suite) => (suite ? [...lineage(suite.parent), suite] : []);

/**
 * Runs those tests of a tree that `wanted` names by their place, until one fails.
 * `around` is told of each test before it runs, `after` how long it took and whether it passed. Suites without a
 * wanted test are left out, hooks and all.
 * @returns the first failure, if there is one
 */
export const runTests = async (root, { wanted = () => true, limit, around = () => {}, toTheEnd = false, after = () => {} }) => {
  const order = testsBelow(root);
  const chosen = new Set(order.flatMap(({ child }, at) => (wanted(at) ? [child] : [])));
  const place = new Map(order.map(({ child }, at) => [child, at]));
  let failure;
  const done = () => failure && !toTheEnd;
  let failures = 0;
  const attempt = async (name, work) => {
    try {
      await inTime(async () => work(), limit);
    } catch (problem) {
      failures += 1;
      failure ??= { name, problem };
    }
  };
  const runSuite = async (suite) => {
    if (!testsBelow(suite).some(({ child }) => chosen.has(child))) return;
    for (const body of suite.hooks.beforeAll) if (!failure) await attempt(`${suite.name} beforeAll`, body);
    for (const child of suite.children) {
      if (done()) break;
      if (child instanceof Suite) await runSuite(child);
      else if (chosen.has(child)) await runTest(child);
    }
    for (const body of suite.hooks.afterAll.toReversed()) await attempt(`${suite.name} afterAll`, body);
  };
  const runTest = async (child) => {
    const at = place.get(child);
    const { name } = order[at];
    around(at);
    const before = failures;
    const began = performance.now();
    const suites = lineage(child.parent);
    const context = { expect, task: { name }, onTestFinished, skip: () => {} };
    cleaning = [];
    for (const { hooks } of suites)
      for (const body of hooks.beforeEach)
        if (!done()) {
          await attempt(`${name}, beforeEach`, async () => {
            const cleanUp = await body(context);
            if (typeof cleanUp === 'function') cleaning.push(cleanUp);
          });
        }
    if (!done()) await attempt(name, () => child.body?.(context));
    for (const { hooks } of suites.toReversed())
      for (const body of hooks.afterEach.toReversed()) await attempt(`${name}, afterEach`, () => body(context));
    for (const cleanUp of cleaning) await attempt(`${name}, cleaning up`, cleanUp);
    after(at, performance.now() - began, failures === before);
  };
  await runSuite(root);
  return failure;
};
