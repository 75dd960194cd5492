// The demo: the board with no server at all. The mock runs in a service worker, keeps its state and this page's files, and hands the page its webhooks.
import { register } from 'wm-mock/service-worker';
import type { Connection } from './connection';
import type { Events } from './live';

export const startDemo = async (): Promise<{ connection: Connection; events: Events }> => {
  const mock = await register({ seed: 'demo', offline: true });
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
