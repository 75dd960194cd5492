import { createMock } from 'wm-mock';

createMock({ seed: 'demo' })
  .then(async (mock) => (await mock.fetch('/projects', { headers: mock.auth('read') })).json())
  .then(({ items }) => console.log(items.length > 0 ? 'shown' : 'nothing'));
