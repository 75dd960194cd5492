// What a reader does with `wm-mock/matrix`, on each Node that is promised.
import { matrix } from 'wm-mock/matrix';

const { assumptions } = await matrix({ only: ['choice:owner-field=owner_id'] }, async (mock) => {
  const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
  const answer = await mock.fetch('/projects', { method: 'POST', headers, body: '{"name":"One"}' });
  if ((await answer.text()).includes('owner_id')) throw new Error('an owner');
});
const flips: readonly string[] | undefined = assumptions[0]?.flips;
if (flips?.[0] !== 'choice:owner-field=owner_id') throw new Error('no assumption found');
