// A command that fails each fifth time, whatever the service does; `TURNS` names the file in which it counts.
import { appendFileSync, statSync } from 'node:fs';

await fetch(process.env.WM_BASE_URL + '/users/me', { headers: { authorization: 'Bearer ' + process.env.WM_API_KEY_READ } });
appendFileSync(process.env.TURNS, '.');
process.exitCode = statSync(process.env.TURNS).size % 5 === 0 ? 1 : 0;
