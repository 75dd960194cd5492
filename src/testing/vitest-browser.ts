// The entry point of vitest in a page (Browser Mode): each test has a world of its own, and no socket.
import { createMock } from '../create-mock.ts';
import type { MockOptions } from '../mock/api/options.ts';
import { createFailureFiles } from './failure-files.ts';
import { worldTest } from './vitest.ts';

export { expect } from 'vitest';

const throwNoSocket = (name: string) => () => {
  const says = `${name}: a page has no sockets. Use \`mock.fetch\`, or route the app to the mock with wm-mock/msw. See docs/vitest.md.`;
  throw new Error(says);
};

interface VitestBrowser {
  readonly commands: Record<'writeFile' | 'removeFile', (path: string, text?: string) => Promise<unknown>>;
  readonly server: { readonly config: { readonly root: string } };
}

/** Fails where the user sets `browser.api.allowWrite` to false. */
const callVitestCommand = async (does: 'writeFile' | 'removeFile', path: string, text?: string): Promise<void> => {
  const { commands, server } = (await import('vitest/browser')) as unknown as VitestBrowser;
  await commands[does](`${server.config.root}/${path}`, text).catch(() => {});
};

const { reportFailure, removeFailureFiles } = createFailureFiles({
  save: (world, title) => world.save(title),
  write: (path, text) => callVitestCommand('writeFile', path, text),
  remove: (path) => callVitestCommand('removeFile', path),
  here: () => `${location.origin}/`,
});

export const extendTest = (options: MockOptions = {}) =>
  worldTest(async () => ({ mock: await createMock({ worldIdleMs: 0, record: true, ...options }) }), {
    failed: (world, title, failure) => reportFailure(world, title, { failure }),
    passed: removeFailureFiles,
  }).extend({ baseUrl: throwNoSocket('baseUrl'), sharedUrl: throwNoSocket('sharedUrl') });

export const test = extendTest();
