// Limit (c): Hono and node-server answering one constant page with c.json, the most that a mock on this stack could reach.
// Usage: node limit-server.mjs <file with a page as JSON>
import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const page = JSON.parse(readFileSync(process.argv[2], 'utf8'));

const app = new Hono();
app.get('/v1/tasks', (c) => c.json(page));

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
