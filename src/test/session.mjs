// Starts the built command line on demo.yaml with a frozen clock, makes 300 requests, prints every answer whole.
import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { playSession } from './session-steps.mjs';

const CLI = fileURLToPath(new URL('../../dist/node/cli.js', import.meta.url));
const ARGS = ['serve', '--seed', 'fixtures/demo.yaml', '--now', '2025-01-20T09:00:00Z', '--port', '0', '--json'];
const child = spawn(process.execPath, [CLI, ...ARGS], { stdio: ['ignore', 'pipe', 'inherit'] });
process.on('exit', () => child.kill());

const ready = await new Promise((done, fail) => {
  let text = '';
  child.on('exit', (code) => fail(new Error(`the mock ended with ${code}`)));
  child.stdout.on('data', (chunk) => {
    text += chunk;
    if (text.includes('\n')) done(JSON.parse(text.slice(0, text.indexOf('\n'))));
  });
});
const { port } = new URL(ready.base_url);

/** Node's own client: it shows the raw header lines. */
const ask = (method, path, body, key = 'wm_acme_admin') =>
  new Promise((done, fail) => {
    const headers = { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    const sent = request({ port, host: '127.0.0.1', method, path: `/v1${path}`, headers }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      process.stdout.write(`> ${method} ${path}\n${answer.statusCode} ${answer.rawHeaders.join('|')}\n${text}\n`);
      done(text === '' ? undefined : JSON.parse(text));
    });
    sent.on('error', fail);
    sent.end(body ? JSON.stringify(body) : undefined);
  });

await playSession(ask);
child.kill();
