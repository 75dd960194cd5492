// The mock in the site: its service worker with the demo, and the page of /docs, which calls that worker.
import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The page of the mock with a key of the demo; its requests begin when the worker handles them. */
const readReference = async () => {
  const { createMock } = await import(join(ROOT, 'dist/node/index.js'));
  const mock = await createMock({ seed: 'demo' });
  const page = await (await mock.app.fetch(new Request(mock.baseUrl.replace('/v1', '/docs')))).text();
  await mock.close();
  const begin = `<script type="module">
import { register } from './wm-mock-register.js';
const { baseUrl } = await register({ seed: 'demo' });
Scalar.createApiReference('#reference', { servers: [{ url: baseUrl }], `;
  return page
    .replace(`<script>Scalar.createApiReference('#reference', {`, begin)
    .replaceAll('"/docs/scalar.js"', '"./scalar.js"')
    .replaceAll('"/openapi.json"', '"./openapi.json"')
    .replace('href="/">← Dashboard', 'href="./">← Documentation');
};

export const addMock = async (folder) => {
  execFileSync(process.execPath, ['dist/node/cli.js', 'init', '--service-worker', folder], { cwd: ROOT });
  copyFileSync(join(ROOT, 'dist/assets/scalar.js'), join(folder, 'scalar.js'));
  writeFileSync(join(folder, 'reference.html'), await readReference());
};
