// What a reader does with `wm-mock/client`, on each Node that is promised.
import { type ClientReport, judgeClient } from 'wm-mock/client';

const options = { seed: 'node_modules/wm-mock/fixtures/tiny.yaml', only: ['WM-CLI-018', 'order'] };
const { verdict, findings }: ClientReport = await judgeClient(options, async (mock) => {
  const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
  const { id } = mock.read.projects()[0]!;
  const { status } = await mock.fetch(`/projects/${id}`, { method: 'PATCH', headers, body: '{"name":"Two"}' });
  if (status !== 200) throw new Error(`not saved: ${status}`);
  let last = '';
  const visit = async (path: string) => {
    await fetch(mock.baseUrl + path, { headers: mock.auth('read') });
    last = path;
  };
  await Promise.all(['/users/me', '/teams'].map(visit));
  if (last !== '/teams') throw new Error(last);
});
const duties = findings.map(({ duty }) => duty).sort();
if (verdict !== 'broken' || duties.join() !== 'WM-CLI-018,WM-CLI-030') throw new Error(`found ${duties}`);
