// How the tests of this package run: unit tests beside their files, which share processes: most would import longer than they run.
// Two files more than there are cores, since some wait, for a browser, a command or real seconds; these begin first.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const waits = ({ moduleId }: TestSpecification): boolean =>
  /(\.(slow|browser)|\/node\/(attacks|matrix|race))\.test\.ts$/.test(moduleId);

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}

export default defineConfig({
  test: {
    include: ['{src,scripts}/**/*.test.ts'],
    globalSetup: 'scripts/generate.mjs',
    // It starts an engine, takes half a minute, and has a step of its own in .ci/nightly.
    exclude: process.env.WM_HOSTED ? [] : ['src/node/hosted/hosted.slow.test.ts'],
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: WaitingFirst },
  },
});
