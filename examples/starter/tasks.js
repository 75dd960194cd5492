// Requests of the page to the API. In a test, `headers` carries the key, which the dev server adds for the page.
const call = async (url, init) => {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`The service responded with ${response.status}.`);
  return response.json();
};

/** The first hundred tasks that are to do. */
export const listTasks = async (api, headers = {}) =>
  (await call(`${api}/tasks?filter[status]=todo&limit=100`, { headers })).items;

export const completeTask = (api, id, headers = {}) =>
  call(`${api}/tasks/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ status: 'done' }),
  });
