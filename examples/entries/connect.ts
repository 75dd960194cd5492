// What a reader does with `wm-mock/connect`, on each Node that is promised.
import { createMock } from 'wm-mock';
import { connect, type RemoteMock } from 'wm-mock/connect';
import { matchers } from 'wm-mock/matchers';

const own = await createMock({ seed: 'node_modules/wm-mock/fixtures/tiny.yaml' });
const server = await own.listen({ port: 0 });
const mock: RemoteMock = await connect(`${server.origin}/_mock`);
const { id, status } = await mock.create.task({ title: 'Far', due_date: '+3d' });
// @ts-expect-error there is no such status
const refused = await mock.update.task(id, { status: 'finished' }).catch(({ code }) => code as string);
if (refused !== 'validation_error' || status !== 'backlog') throw new Error('not refused');
await mock.fetch('/tasks', { headers: await mock.auth('read') });
if (!(await matchers.toHaveReceived(mock, 'listTasks', 1)).pass) throw new Error('not received');
const { plan } = await mock.control('PATCH /workspaces/{id}', 'ws_tiny', { plan: 'free' });
if (plan !== 'free') throw new Error('no plan');
await own.close();
