// Every form of these pages: what it changes, where it leads, what it says, and how it refuses.
import { expect, test } from 'vitest';
import { type DashboardBench, send, stirred } from '../../test/dashboard.ts';
import { replayForms } from '../../test/forms.ts';

const stir = ({ mock }: DashboardBench) => stirred(mock);
const simulate = ({ mock }: DashboardBench, webhook: string, outcomes: readonly number[]) =>
  send(mock, `/_mock/webhooks/${webhook}/simulate`, 'POST', { outcomes });

const BEFORE = {
  requests: stir,
  webhooks: stir,
  clock: async (bench: DashboardBench) => {
    await stir(bench);
    await simulate(bench, 'wh_hooks', [500, 204]);
  },
  'clock-attempts': async (bench: DashboardBench) => {
    for (const webhook of ['wh_hooks', 'wh_board']) await simulate(bench, webhook, [500, 200, 500]);
    const headers = { authorization: 'Bearer wm_acme_admin' };
    for (const title of ['One', 'Two']) await send(bench.mock, '/v1/projects/proj_app/tasks', 'POST', { title }, headers);
    await bench.mock.webhooks.settled();
  },
};

test('each form leads on with a note, or says at its fields why it is refused', async () => {
  const transcript = await replayForms('src/dashboard/pages/golden/forms.txt', BEFORE);
  await expect(transcript).toMatchFileSnapshot('golden/forms.txt');
});
