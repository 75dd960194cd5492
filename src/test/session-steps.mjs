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

/** What was asked, the status, a line for each header that the service says, names in lower case and in order, and the text. */
export const shown = (asked, { status, headers, text }) => {
  const lines = headers.filter(([name]) => !FRAMING.includes(name)).map(([name, value]) => `${name}: ${value}`);
  return [asked, status, ...lines.sort(), text].join('\n');
};

/** Plays it. @param ask makes one request of it @returns each request, and all of its answer */
export const transcriptOf = async (ask) => {
  const said = [];
  await playSession(async (method, path, body, key = 'wm_acme_admin') => {
    const answered = await ask(method, path, body, key);
    said.push(shown(`> ${method} ${path}`, answered));
    return answered.text === '' ? undefined : JSON.parse(answered.text);
  });
  return said;
};

/** The same over a socket. @param between is waited for before each request, and told how many there were */
export const playedAt = (baseUrl, between = () => {}) => {
  let asked = 0;
  return transcriptOf(async (method, path, body, key) => {
    await between(asked++);
    const headers = { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    const answer = await fetch(baseUrl + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return { status: answer.status, headers: [...answer.headers], text: await answer.text() };
  });
};
