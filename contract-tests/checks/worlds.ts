// Worlds of a wm-mock: isolated copies with a seed of our own, for what no shared workspace can show.
import type { Call } from '../engine/client.ts';
import type { Control } from '../engine/control.ts';
import { randomHex } from '../engine/random-hex.ts';
import type { Tools } from '../engine/tools.ts';

export interface OpenWorld {
  readonly call: Call;
  readonly control: Control;
  sleep(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Skips when the target gives every workspace one plan, whatever its seed says (`wm-mock --plan`). */
export const needPlans = async (t: Tools): Promise<void> => {
  const { scene } = t.parts;
  if (scene.hasPlans === undefined) {
    const world = await openWorld(t, 8);
    const x = await t.get('/users/me', world.call);
    await world.close();
    // A fault of one plan shows in that plan alone.
    scene.hasPlans = x.headers.get('x-ratelimit-limit') === '8';
  }
  if (!scene.hasPlans) t.skip('HIDDEN(one plan for all workspaces)');
};

/** A world on that plan or with this many requests a minute: two users, a project, a task without priority. */
export const openWorld = async (t: Tools, plan: 'free' | 'pro' | 'business' | number): Promise<OpenWorld> => {
  const control = t.parts.control!;
  const key = `wmct_${plan}_${randomHex(6)}`;
  t.parts.redactor.know(key, '$KEY_OF_WORLD');
  const seed = {
    now: new Date(t.time.now()).toISOString(),
    workspaces: [
      {
        id: 'ws_wmct',
        name: 'Contract suite',
        ...(typeof plan === 'number' ? { requests_per_minute: plan } : { plan }),
        users: [{ id: 'user_wmct', name: 'Contract Suite', email: 'suite@wmct.test', role: 'admin' }],
        api_keys: [{ value: key, name: 'Suite', scope: 'admin', user_id: 'user_wmct' }],
        projects: [
          { id: 'proj_wmct', name: 'Legacy', owner_id: 'user_wmct', tasks: [{ id: 'task_wmct', title: 'From before priority' }] },
        ],
      },
    ],
  };
  const world = await control.createWorld(seed);
  const inside = control.within(world.id);
  return {
    call: { base: world.baseUrl, key, as: 'admin' },
    control: inside,
    sleep: async (ms) => {
      await inside.advance(`${Math.ceil(ms / 1000)}s`);
    },
    close: () => control.deleteWorld(world.id),
  };
};
