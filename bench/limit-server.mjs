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

/** Every route of the service, each answering the page as the service answers: who is it, how many, and all headers in one Response. */
function dressed() {
  const { paths } = JSON.parse(readFileSync(new URL('../openapi/openapi.json', import.meta.url), 'utf8'));
  const scopes = new Map([[`Bearer ${key}`, 'admin']]);
  let count = 0;
  const answer = (c) => {
    if (!scopes.has(c.req.raw.headers.get('authorization'))) return c.json({ error: { code: 'unauthorized' } }, 401);
    count += 1;
    const now = Date.now();
    return new Response(JSON.stringify(page), {
      headers: {
        'content-type': 'application/json',
        'x-ratelimit-limit': '1000000000',
        'x-ratelimit-remaining': String(1_000_000_000 - count),
        'x-ratelimit-reset': String(Math.ceil(now / 60_000) * 60),
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After',
      },
    });
  };
  for (const [path, item] of Object.entries(paths)) {
    const route = `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
    for (const method of ['get', 'post', 'patch', 'delete']) if (method in item) app.on(method, route, answer);
  }
}

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
