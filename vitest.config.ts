// How the tests run: those of src and scripts beside their files, and those of the suite itself, all in one run.
// Files share a process: most would import longer than they run. Two more than there are cores, since some wait; these begin first.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const waits = ({ moduleId }: TestSpecification): boolean =>
  /(\.(slow|browser)|\/node\/(attacks|client|commands\/client)|\/tests\/(events|foreign|scripts|releases))\.test\.ts$/.test(
    moduleId,
  );

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}

const src = {
  name: 'src',
  include: ['{src,scripts,documents}/**/*.test.ts'],
  globalSetup: 'documents/generate.mjs',
  // It starts an engine, takes half a minute, and has a step of its own in .ci/nightly.
  exclude: process.env.WM_HOSTED ? [] : ['src/node/hosted/hosted.slow.test.ts'],
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
};

/** They need no target but the servers of their folder and, when it is built, the mock. */
const suite = {
  name: 'suite',
  root: 'contract-tests',
  include: ['tests/**/*.test.ts'],
  isolate: false,
  testTimeout: 120_000,
};

export default defineConfig({
  test: {
    projects: [{ test: src }, { test: suite }],
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: WaitingFirst },
  },
});
