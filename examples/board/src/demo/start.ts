// The demo: the board with no server at all. The mock runs in a service worker, keeps its state over reloads, and hands this page its webhooks.
import { register } from 'wm-mock/service-worker';
import type { Connection } from '../connection';
import type { Events } from '../live';

/** Keeps what this page was made of, so that a reload needs no network. */
const keepPage = async (): Promise<void> => {
  await document.fonts.load('1em "Inter Variable"');
  const parts = performance.getEntriesByType('resource').map(({ name }) => name);
  const own = parts.filter((name) => name.startsWith(`${location.origin}/assets/`));
  await (await caches.open('board')).addAll([...new Set(['/', ...own])]);
};

export const startDemo = async (): Promise<{ connection: Connection; events: Events }> => {
  const mock = await register({ url: '/demo-worker.js', seed: '/demo.yaml' });
  void keepPage();
  const key = mock.keys.find(({ scope }) => scope === 'write')!.value;
  return {
    connection: { api: mock.baseUrl, key },
    events: (hear, tell) => {
      tell(true);
      // Where the seed's second webhook goes to.
      return mock.receive('https://board.acme.test/hooks/', async (request) => {
        hear(await request.json());
        return 204;
      });
    },
  };
};
