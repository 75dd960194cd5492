import { createMock } from 'wm-mock';
import { handlers } from 'wm-mock/msw';

const mock = await createMock({ seed: 'demo' });
const server = await mock.listen();
const response = await fetch(server.baseUrl + '/users/me', { headers: mock.auth('read') });
const { data } = await response.json();
const page = await fetch(server.origin + '/');
await page.text();
await mock.close();
if (typeof handlers !== 'function' || page.status !== 200 || !data.id.startsWith('user_')) throw new Error('no answer');
console.log('asked');
Deno.exit();
