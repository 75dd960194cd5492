// Overview and settings without a browser: each form does what its call of the control API does.
import { describe, expect, test } from 'vitest';
import { dashboards } from '../../test/dashboard.ts';

const start = dashboards();

describe('the overview', () => {
  test('exports the state as a seed that gives the same mock', async () => {
    const { get, act } = await start();
    await act('/dashboard/data/projects', { do: 'create', name: 'Made here' });
    const { text } = await get('/');
    const [yaml, json] = [...text.matchAll(/href="(\/_mock\/state[^"]*)"/g)].map(([, to]) => to!.replaceAll('&amp;', '&'));
    expect((await get(yaml!)).text).toContain('name: Made here');
    const again = await start({ seed: JSON.parse((await get(json!)).text) });
    expect((await again.get('/dashboard/data/projects')).text).toContain('Made here');
  });
});
