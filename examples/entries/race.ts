// What a reader does with `wm-mock/race`, on each Node that is promised.
import { type Order, race } from 'wm-mock/race';

const { findings, orders } = await race({ seed: 'node_modules/wm-mock/fixtures/tiny.yaml', orders: 9 }, async (mock) => {
  const ask = (path: string) => fetch(mock.baseUrl + path, { headers: mock.auth('read') });
  let last = '';
  const visit = async (path: string) => {
    await ask(path);
    last = path;
  };
  await Promise.all(['/users/me', '/teams'].map(visit));
  if (last !== '/teams') throw new Error(last);
});
const replay: Order | undefined = findings[0]?.replay;
if (replay?.length !== 1 || orders.tried === 0) throw new Error('no race found');
