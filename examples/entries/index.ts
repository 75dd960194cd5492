// What a reader does with `wm-mock`, on each Node that is promised.
import { createMock, type Mock, type Task } from 'wm-mock';

const mock: Mock = await createMock({ seed: 'node_modules/wm-mock/fixtures/tiny.yaml' });
const server = await mock.listen({ port: 0 });
const answer = await fetch(`${server.baseUrl}/tasks`, { headers: mock.auth('read') });
const { items } = (await answer.json()) as { items: Task[] };
const title: string | undefined = items[0]?.title;
if (title === undefined) throw new Error('no task');
await mock.close();
