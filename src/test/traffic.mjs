// A morning's traffic on fixtures/demo.yaml, over HTTP alone: what the pages of tests, screenshots and benches show.

/** Keys of the demo by scope. */
export const DEMO_KEYS = {
  read: 'wm_acme_read',
  write: 'wm_acme_write',
  admin: 'wm_acme_admin',
  revoked: 'wm_acme_old',
  other: 'wm_globex_admin',
};

/**
 * Asks a frozen mock for a few things, well and badly, so that the journal, the delivery log, the inbox and the faults have
 * something to show: `req_1` is a list, `req_2` creates a task, and the first delivery is delivered at its third attempt.
 * @param {(path: string, init?: RequestInit) => Promise<Response>} ask asks below the base of a world
 * @param {Partial<typeof DEMO_KEYS>} [given] keys in place of the demo's
 */
export const stir = async (ask, given = {}) => {
  const keys = { ...DEMO_KEYS, ...given };
  const json = { 'content-type': 'application/json' };
  const v1 = async (method, path, key, body) => {
    const headers = { authorization: `Bearer ${key}`, 'user-agent': 'planter-app/2.1', ...(body ? json : {}) };
    const answer = await ask(`/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await answer.text();
    return text === '' ? undefined : JSON.parse(text);
  };
  const control = async (path, body) => {
    const answer = await ask(`/_mock${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`POST /_mock${path} was answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };

  await control('/webhooks/wh_hooks/simulate', { outcomes: [500, 'timeout', 200, 200, 503, 'refused'] });
  await control('/webhooks/wh_board/simulate', { outcomes: [200, 500, 500, 'dns', 500, 502, 500] });
  await v1('GET', '/tasks?limit=3&sort=-due_date', keys.read);
  const draft = { title: 'Water the herbs on the third floor', priority: 'high', assignee_id: 'user_priya' };
  const { data: task } = await v1('POST', '/projects/proj_launch/tasks', keys.write, draft);
  await control('/clock/advance', { by: '30s' });
  await control('/clock/advance', { by: '3m' });
  await v1('PATCH', `/tasks/${task.id}`, keys.write, { status: 'in_review', title: 'Water the herbs on every floor' });
  await control('/clock/advance', { by: '3h' });

  const { id } = await control('/faults', { match: { operation: 'listProjects' }, effect: { status: 503 }, times: 1 });
  await v1('GET', '/projects', keys.read);
  await control('/faults', {
    match: { path: '/teams*', method: 'GET' },
    effect: { delay_ms: { min: 200, max: 900 } },
    after: 20,
  });
  await v1('GET', '/projects?limit=5', keys.read);
  await v1('GET', `/tasks/${task.id}`, keys.read);
  await v1('GET', '/tasks?page=2&filter[status]=todo', keys.read);
  await v1('POST', '/projects/proj_launch/tasks', keys.write, { title: '', priority: 'asap', colour: 'green' });
  await v1('DELETE', `/tasks/${task.id}`, keys.read);
  await v1('GET', '/users', keys.revoked);
  await v1('GET', '/tasks/task_that_never_was', keys.read);
  await v1('GET', '/projects', keys.other);
  await v1('POST', '/projects/proj_launch/tasks', keys.admin, { title: 'Send the press kit', due_date: '2025-02-03T12:00:00Z' });
  await control('/clock/advance', { by: '30s' });
  await v1('GET', '/tasks?filter[assignee_id]=user_priya', keys.read);
  await v1('GET', '/teams', keys.read);

  await control('/inbox/orders/respond', { statuses: [500, 200] });
  for (const text of [JSON.stringify({ id: 'evt_demo', event: 'task.created', data: { task } }), 'not JSON at all'])
    await (
      await ask('/_mock/inbox/orders', {
        method: 'POST',
        headers: { ...json, 'x-service-timestamp': '1737363600', 'x-service-signature': 'c0ffee' },
        body: text,
      })
    ).text();
  await control('/inbox/orders/respond', { statuses: [503] });
  return { task: task.id, fault: id };
};
