import { spawn } from 'node:child_process';

const next = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'start', '-p', '0', '-H', '127.0.0.1']);
let said = '';
next.stderr.pipe(process.stderr);
for await (const bytes of next.stdout) {
  said += bytes;
  const [url] = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(said) ?? [];
  if (!url) continue;
  console.log((await (await fetch(url)).text()).includes('user_') ? 'rendered' : 'nothing');
  next.kill();
  break;
}
