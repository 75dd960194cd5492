// The things that Ctrl+K finds by their words, and the thing of an id.
import { expect, test } from 'vitest';
import { busy } from '../test/states.ts';

test('one list has records, requests, deliveries, open points, faults and settings, and a pasted id leads to its thing first', async () => {
  const { get, mock } = await busy();
  const find = async (text: string): Promise<readonly string[]> => {
    const { text: found } = await get(`/dashboard/find?q=${encodeURIComponent(text)}`);
    return JSON.parse(found).map(({ kind, says, to }: Record<string, string>) => `${kind}: ${says} (${to})`);
  };
  const [delivery] = mock.deliveries;
  for (const [text, first] of [
    ['task_launch_date', 'task: Fix the launch date (/dashboard/data/tasks?workspace=ws_acme&id=task_launch_date)'],
    ['req_3', 'request: PATCH /v1/tasks/task_ahcqg6xzbctwfyy3 → 200, req_3 (/dashboard/requests/req_3)'],
    [delivery!.id, `delivery: task.created: Water the herbs on the third floor (/dashboard/webhooks/deliveries/${delivery!.id})`],
    [delivery!.event.id, 'delivery: task.created: Water the herbs on the third floor'],
    ['forward-compat', 'setting: Be ahead of clients: forward-compat (/dashboard/settings#release)'],
    ['BASIL', 'project: Incident: the basil flood (/dashboard/data/projects?workspace=ws_acme&id=proj_flood)'],
    ['cursor-limit', 'open point: '],
    ['fault_2', 'fault: fault_2: GET /teams*: late by 200–900 ms (/dashboard/faults#faults)'],
    ['status:401', 'request: GET /v1/users → 401, req_10 (/dashboard/requests/req_10)'],
    ['wh_hooks', 'webhook: http://127.0.0.1:9999/hooks (/dashboard/webhooks?id=wh_hooks)'],
  ] as const)
    expect((await find(text))[0]).toContain(first);
  expect([await find(''), await find('no-such-thing'), (await find('wm_acme_admin')).filter((one) => /key/.test(one))]).toEqual([
    [],
    [],
    [],
  ]);
  await mock.close();
});
