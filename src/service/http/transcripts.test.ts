// Responses of the service, to the byte: each operation, each refusal, every header, at the limit and beyond.
import { afterAll, describe, expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { BUSY } from '../../test/busy.ts';
import { otherwise, Script } from '../../test/script.ts';
import { EVERYTHING, reads } from '../../test/tour.ts';

const mock = await createMock({ seed: BUSY });
afterAll(() => mock.close());

/** Plays requests in a world of their own. */
const played = async (play: (script: Script) => Promise<void>): Promise<Script> => {
  const world = mock.fork({ from: 'seed' });
  const script = new Script(world);
  await play(script);
  await world.close();
  return script;
};

describe('responses', () => {
  test.each(Object.entries(EVERYTHING))('in the part %s', async (name, part) => {
    const file = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    await expect((await played(part)).text).toMatchFileSnapshot(`golden/${file}.txt`);
  });

  test('with all their headers', async () => {
    const text = await played(async (script) => {
      script.all = true;
      await reads(script);
      await script.ask('GET', '/users/me', { key: null });
      await script.ask('DELETE', '/tasks/task_1');
      await script.ask('POST', '/projects', { body: {} });
      await script.ask('OPTIONS', '/tasks', { key: null, headers: { 'access-control-request-method': 'PATCH' } });
      const preflight = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-one, x-two' };
      await script.ask('OPTIONS', '/nowhere', { key: null, headers: preflight });
      await script.ask('OPTIONS', '/tasks');
      await script.ask('GET', '/tasks?limit=1', { headers: { 'access-control-request-method': 'GET' } });
    });
    await expect(text.text).toMatchFileSnapshot('golden/headers.txt');
  });
});

describe('responses beyond the limit', () => {
  const START = Date.parse('2025-01-20T09:00:00Z');
  const plain = (text: string) => text.replaceAll(/ \[(content-type|access-control[^:]*): [^\]]*\]/g, '');
  const brief = (text: string) => plain(text).replaceAll(/ \{"error":\{"code":"(not_found|unauthorized)".*/g, '');

  const limited = async (choices: Readonly<Record<string, string>>): Promise<Script> => {
    const world = mock.fork({ from: 'seed' });
    world.choose(choices);
    world.world.setPlan('ws_busy', 3);
    const script = new Script(world);
    script.all = true;
    for (const seconds of [0, 0.4, 10, 59.999, 60, 60.4, 61, 119.5, 3600, 30]) {
      world.clock.set(START + seconds * 1000);
      script.say(`${seconds} s later`);
      for (const key of ['busy_read', 'busy_admin', null]) await script.ask('GET', '/teams/team_gone', { key });
    }
    await world.close();
    return script;
  };

  test('by the usual choices and by others', async () => {
    const usual = await limited({});
    await expect(brief(usual.text)).toMatchFileSnapshot('golden/limit.txt');
    const others: string[] = [];
    for (const choices of [
      { 'rate-window': 'fixed' },
      { 'refused-requests': 'counted' },
      { 'rate-window': 'fixed', 'refused-requests': 'counted' },
      { 'rate-source': 'workspace-and-key' },
      { 'retry-after': 'absent', 'anonymous-limit': 'free' },
    ])
      others.push(otherwise(JSON.stringify(choices), (await limited(choices)).exchanges, usual.exchanges, 5));
    await expect(brief(others.join(''))).toMatchFileSnapshot('golden/limit-otherwise.txt');
  });

  test('by a key alone', async () => {
    const texts: string[] = [];
    for (const refused of ['counted', 'not-counted']) {
      const world = mock.fork({ from: 'seed' });
      world.choose({ 'rate-source': 'workspace-and-key', 'refused-requests': refused });
      world.world.setPlan('ws_busy', 303);
      const script = new Script(world);
      script.all = true;
      for (let i = 0; i < 299; i++) await world.fetch('/users/me', { headers: { authorization: 'Bearer wm_busy_read' } });
      for (const ms of [0, 500, 1500, 61_000]) {
        world.clock.set(START + ms);
        for (const key of ['busy_read', 'busy_write'].slice(0, ms > 60_000 ? 1 : 2))
          await script.ask('GET', '/teams/team_gone', { key });
      }
      texts.push(`# ${refused}\n`, plain(script.text));
      await world.close();
    }
    await expect(texts.join('')).toMatchFileSnapshot('golden/limit-of-a-key.txt');
  });
});
