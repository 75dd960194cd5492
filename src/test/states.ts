// The dashboard in states worth looking at.
import { ACKNOWLEDGED, type DashboardBench, DEMO_AT, dashboardBench, send, stirred } from './dashboard.ts';

const admin = { authorization: 'Bearer wm_acme_admin' };

/** The demo after a morning of traffic. */
export const busy = async (): Promise<DashboardBench> => {
  const bench = await dashboardBench(ACKNOWLEDGED);
  await stirred(bench.mock);
  return bench;
};

/** An empty workspace. */
export const bare = (): Promise<DashboardBench> => dashboardBench({ now: DEMO_AT.now, sender: ACKNOWLEDGED.sender });

/** The demo with a world of its own, `other`, in which much was changed. */
export const changed = async (): Promise<DashboardBench> => {
  const bench = await dashboardBench(ACKNOWLEDGED);
  const { mock } = bench;
  const world = mock.fork({ id: 'other' });
  const at = (method: string, path: string, body?: unknown, headers = {}) =>
    send(mock, `/worlds/other${path}`, method, body, { 'content-type': 'application/json', ...headers });
  await at('POST', '/_mock/faults', { match: {}, effect: { abort: true }, times: 1 });
  await at('GET', '/v1/tasks', undefined, admin).catch(() => undefined);
  await at('DELETE', '/v1/projects/proj_app', undefined, admin);
  await at('GET', '/v1/nowhere', undefined, {});
  await at('POST', '/v1/projects', '{"name":', admin);
  const registered = { url: 'http://127.0.0.1:9/quiet', events: ['project.created'] };
  const made = (await (await at('POST', '/v1/webhooks', registered, admin)).json()) as { data: { id: string } };
  await at('POST', '/v1/projects', { name: 'Told' }, admin);
  await world.webhooks.settled();
  await at('DELETE', `/_mock/data/webhooks/${made.data.id}`);
  await at('POST', '/_mock/webhooks/wh_hooks/simulate', { outcomes: Array.from({ length: 14 }, (_, i) => 500 + i) });
  await at('POST', '/v1/teams', { name: 'No members yet', member_ids: [] }, admin);
  await at('PATCH', '/_mock/choices', { 'rate-window': 'rolling', signature: 'standard-webhooks' });
  await at('PATCH', '/_mock/workspaces/ws_globex', { plan: 5 });
  await at('PATCH', '/_mock/release', { release: '1.2', forward_compat: ['fields', 'order'] });
  for (let i = 0; i < 4; i++) await at('GET', '/v1/projects', undefined, { authorization: 'Bearer wm_globex_admin' });
  await at('POST', '/_mock/data/users', {
    workspace_id: 'ws_globex',
    name: '123 ghost of the attic with a rather long name',
    email: 'ghost@globex.test',
    role: 'poltergeist_in_charge',
    state: 'invited',
  });
  await at('POST', '/_mock/faults', { match: { method: 'GET', path: '/teams*', key: 'key_nobody' }, effect: { status: 418 } });
  await at('POST', '/_mock/faults', { match: { operation: 'listTeams' }, effect: { hold: true }, after: 2, probability: 0.125 });
  const { id } = (await (
    await at('POST', '/_mock/faults', { match: { path: '/held' }, effect: { hold: true, delay_ms: 5 } })
  ).json()) as { id: string };
  await at('POST', `/_mock/faults/${id}/release`);
  await at('POST', '/_mock/snapshots');
  await at('POST', '/_mock/snapshots');
  await at('POST', '/_mock/inbox/a%20box/respond', { statuses: [503, 200] });
  await at('POST', '/_mock/clock', { mode: 'running', now: '2025-01-21T10:00:00Z' });
  await at('POST', '/_mock/clock', { mode: 'frozen', now: '2025-01-21T10:00:00Z' });
  return bench;
};
