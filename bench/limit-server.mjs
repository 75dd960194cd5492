// Limit (c): Hono and node-server answering one constant page with c.json, the most that a mock on this stack could reach.
// Usage: node limit-server.mjs <file with a page as JSON> [key: asks for it, counts, has all routes and sends the service's headers]
import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const [file, key] = process.argv.slice(2);
const page = JSON.parse(readFileSync(file, 'utf8'));

const app = new Hono();
if (key === undefined) app.get('/v1/tasks', (c) => c.json(page));
else dressed();

function dressed() {
  const { paths } = JSON.parse(readFileSync(new URL('../openapi/openapi.json', import.meta.url), 'utf8'));
  const scopes = new Map([[`Bearer ${key}`, 'admin']]);
  let count = 0;
  app.use(async (c, next) => {
    if (!scopes.has(c.req.header('authorization'))) return c.json({ error: { code: 'unauthorized' } }, 401);
    count += 1;
    c.header('x-ratelimit-limit', '1000000000');
    c.header('x-ratelimit-remaining', String(1_000_000_000 - count));
    c.header('x-ratelimit-reset', String(Math.ceil(Date.now() / 60_000) * 60));
    await next();
  });
  for (const [path, item] of Object.entries(paths)) {
    for (const method of Object.keys(item)) {
      if (['get', 'post', 'patch', 'delete'].includes(method))
        app.on(method, `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, (c) => c.json(page));
    }
  }
}

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
