// What the service answers, to the byte: each operation, each refusal, every header, at the limit and beyond.
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createMock } from '../mock/create.ts';
import type { Mock } from '../mock/mock.ts';
import { BUSY } from '../test/busy.ts';
import { golden } from '../test/golden.ts';
import { Script } from '../test/script.ts';
import { EVERYTHING, reads } from '../test/tour.ts';

let mock: Mock;
beforeAll(async () => {
  mock = await createMock({ seed: BUSY });
});
afterAll(() => mock.close());

/** Plays requests in a world of its own. */
const played = async (play: (script: Script) => Promise<void>, prepare: (world: Mock) => void = () => {}): Promise<Script> => {
  const world = mock.fork({ from: 'seed' });
  prepare(world);
  const script = new Script(world);
  await play(script);
  await world.close();
  return script;
};

describe('what is answered', () => {
  test.each(Object.entries(EVERYTHING))('to %s', async (name, part) => {
    golden(`http/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, (await played(part)).text);
  });

  test('with all its headers', async () => {
    const text = await played(async (script) => {
      script.all = true;
      await reads(script);
      await script.ask('GET', '/users/me', { key: null });
      await script.ask('DELETE', '/tasks/task_1');
      await script.ask('POST', '/projects', { body: {} });
      await script.ask('OPTIONS', '/tasks', { key: null, headers: { 'access-control-request-method': 'PATCH' } });
      const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-one, x-two' };
      await script.ask('OPTIONS', '/nowhere', { key: null, headers: asked });
      await script.ask('OPTIONS', '/tasks');
      await script.ask('GET', '/tasks?limit=1', { headers: { 'access-control-request-method': 'GET' } });
    });
    golden('http/headers', text.text);
  });
});

describe('what is answered once', () => {
  const limited = async (choices: Readonly<Record<string, string>>, plan = 3): Promise<string> => {
    const { text } = await played(
      async (script) => {
        const at = async (seconds: number) => {
          world!.clock.set(Date.parse('2025-01-20T09:00:00Z') + seconds * 1000);
          script.say(`${seconds} s later`);
          for (const key of ['busy_read', 'busy_admin', null]) await script.ask('GET', '/teams/team_gone', { key });
        };
        script.all = true;
        for (const seconds of [0, 0.4, 10, 59.999, 60, 60.4, 61, 119.5, 3600, 30]) await at(seconds);
      },
      (fork) => {
        world = fork;
        fork.choose(choices);
        fork.world.setPlan('ws_busy', plan);
      },
    );
    return text
      .replaceAll(/ \[(content-type|access-control[^:]*): [^\]]*\]/g, '')
      .replaceAll(/\n {2}\{"error":\{"code":"(not_found|unauthorized)".*/g, '');
  };
  let world: Mock | undefined;

  test.each([
    ['as it is', {}],
    ['fixed', { 'rate-window': 'fixed' }],
    ['counted', { 'refused-requests': 'counted' }],
    ['fixed and counted', { 'rate-window': 'fixed', 'refused-requests': 'counted' }],
    ['each key', { 'rate-source': 'workspace-and-key' }],
    ['no retry-after', { 'retry-after': 'absent', 'anonymous-limit': 'free' }],
  ])('the limit is reached: %s', async (name, choices) => {
    golden(`http/limit-${name.replaceAll(' ', '-')}`, await limited(choices as Record<string, string>));
  });

  test('a key has used up its own', async () => {
    for (const refused of ['counted', 'not-counted']) {
      const { text } = await played(
        async (script) => {
          script.all = true;
          const now = Date.parse('2025-01-20T09:00:00Z');
          for (let i = 0; i < 299; i++) await world!.fetch('/users/me', { headers: { authorization: 'Bearer wm_busy_read' } });
          for (const ms of [0, 500, 1500]) {
            world!.clock.set(now + ms);
            for (const key of ['busy_read', 'busy_write']) await script.ask('GET', '/teams/team_gone', { key });
          }
          world!.clock.set(now + 61_000);
          await script.ask('GET', '/teams/team_gone', { key: 'busy_read' });
        },
        (fork) => {
          world = fork;
          fork.choose({ 'rate-source': 'workspace-and-key', 'refused-requests': refused });
          fork.world.setPlan('ws_busy', 303);
        },
      );
      golden(`http/key-limit-${refused}`, text.replaceAll(/ \[(content-type|access-control[^:]*): [^\]]*\]/g, ''));
    }
  });
});

test('what is answered to refusals by a service that is ahead by everything', async () => {
  const text = await played(
    async (script) => {
      await EVERYTHING.strangers(script);
      await EVERYTHING.nowhere(script);
    },
    (world) => world.moveAhead(true),
  );
  golden('http/ahead-by-all', text.text);
});
