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

/** How the connection is kept, which is not the service's to say. */
const FRAMING = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];

/** Plays it over a socket. @param between is waited for before each request, and told how many there were @returns each request, and all of its answer */
export const playedAt = async (baseUrl, between = () => {}) => {
  const said = [];
  await playSession(async (method, path, body, key = 'wm_acme_admin') => {
    await between(said.length);
    const headers = { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    const answer = await fetch(baseUrl + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await answer.text();
    const shown = [...answer.headers].filter(([name]) => !FRAMING.includes(name)).map((pair) => pair.join(': '));
    said.push(`> ${method} ${path}\n${answer.status} ${shown.sort().join('|')}\n${text}`);
    return text === '' ? undefined : JSON.parse(text);
  });
  return said;
};
