// The session of 300 requests that every door answers with the same bytes.

/** @param ask (method, path, body, key) → the parsed answer. */
export const playSession = async (ask) => {
  let asked = 0;
  const next = (...words) => {
    asked += 1;
    return ask(...words);
  };
  const project = (await next('POST', '/projects', { name: 'Session' })).data.id;
  while (asked < 290) {
    const made = await next('POST', `/projects/${project}/tasks`, {
      title: `Task ${asked}`,
      priority: 'high',
      due_date: '2025-02-01T00:00:00Z',
    });
    await next('PATCH', `/tasks/${made.data.id}`, { status: 'done', description: '😀' });
    const page = await next('GET', '/tasks?limit=3&sort=-updated_at');
    await next('GET', `/tasks?limit=3&cursor=${page.meta.next_cursor}`);
    await next('GET', `/tasks/${made.data.id}`);
    await next('POST', '/projects', { name: '', visibility: 5 });
    await next('POST', '/teams', { name: `Team ${asked}` });
    await next('POST', '/webhooks', { url: 'https://hooks.example.com' });
    if (asked % 3 === 0) await next('DELETE', `/tasks/${made.data.id}`);
  }
  while (asked < 300) await next('GET', '/users/me', undefined, asked % 2 ? 'wm_acme_read' : 'wm_nobody');
};
