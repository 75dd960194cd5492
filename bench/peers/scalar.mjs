// Scalar's mock server on an OpenAPI document, as its guide starts one. Usage: node scalar.mjs <document> <port>
import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { createMockServer } from '@scalar/mock-server';

const [file, port] = process.argv.slice(2);
const app = await createMockServer({ document: JSON.parse(readFileSync(file, 'utf8')) });
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(port) });
