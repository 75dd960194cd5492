import { readFileSync } from 'node:fs';

const heard = [];
Object.assign(globalThis, {
  self: globalThis,
  registration: { scope: 'http://localhost/' },
  location: new URL('http://localhost/worker.js'),
});
globalThis.addEventListener = (name) => heard.push(name);
await import('./one/worker.js');
if (!heard.includes('fetch') || /\bimport\(/.test(readFileSync('one/worker.js', 'utf8'))) throw new Error('no worker');
