// Limit (c): Hono and node-server answering one constant page with c.json, the most that a mock on this stack could reach.
// Usage: node limit-server.mjs [file with a page as JSON]; without one it is the hello-world of the start times.
import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const [file] = process.argv.slice(2);
const page = file ? JSON.parse(readFileSync(file, 'utf8')) : { hello: 'world' };
const app = new Hono().get(file ? '/v1/tasks' : '/', (c) => c.json(page));
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
