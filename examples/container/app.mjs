// Stands for the app of the compose file: registers a webhook by its own name on the network, creates a task, and hears of it.
import { createServer } from 'node:http';

const { WM_BASE_URL: api, WM_API_KEY: key, RECEIVER_URL: receiver } = process.env;

const call = async (path, body) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(`${api}${path}`, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
};

const server = createServer(async (request, response) => {
  const { event } = JSON.parse((await request.setEncoding('utf8').toArray()).join(''));
  response.writeHead(204).end();
  console.log(`heard ${event}`);
  server.close();
});

server.listen(Number(new URL(receiver).port), async () => {
  await call('/webhooks', { url: receiver, events: ['task.created'] });
  const { items } = await call('/projects');
  await call(`/projects/${items[0].id}/tasks`, { title: 'From a container' });
});
