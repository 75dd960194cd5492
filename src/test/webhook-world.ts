// A small world with registrations, and what a key of it does to it.

import { blankSeed } from '../mock/seed/blank.ts';
import { choose } from '../service/contract/choices.ts';
import { EVENT_NAMES, type EventName } from '../service/contract/resources.ts';
import { handlers } from '../service/http/handlers/index.ts';
import { fetchSender, type Sender } from '../service/webhooks/sender.ts';
import { Webhooks } from '../service/webhooks/webhooks.ts';
import { BLANKS } from '../service/world/records.ts';
import { View } from '../service/world/view.ts';
import { World } from '../service/world/world.ts';

export const START = '2025-01-20T09:00:00.000Z';
export const SECRET = 'whsec_demo';

export interface Registered {
  readonly url: string;
  readonly events?: readonly EventName[];
}

export interface WorldOptions {
  /** Where the clock stands frozen; null: it runs. */
  readonly now?: string | null;
  readonly choices?: Readonly<Record<string, unknown>>;
  readonly sender?: Sender;
  readonly deliverPublic?: boolean;
}

/** A world with a project `proj_one` and registrations `wh_1`, `wh_2`, … */
export const plantWorld = (registered: readonly Registered[], { now = START, choices = {} }: WorldOptions = {}): World => {
  const seed = blankSeed();
  const [main] = seed.workspaces;
  const project = { ...BLANKS.projects, id: 'proj_one', name: 'One', visibility: 'team', owner_id: 'user_ada' } as const;
  return World.plant({
    ...seed,
    now: now === null ? null : Date.parse(now),
    choices: choose(choices),
    workspaces: [
      {
        ...main!,
        projects: [{ ...project, created_at: START, updated_at: START }],
        webhooks: registered.map(({ url, events = EVENT_NAMES }, i) => ({
          ...BLANKS.webhooks,
          id: `wh_${i + 1}`,
          url,
          events,
          secret: SECRET,
          created_at: START,
        })),
      },
    ],
  });
};

/** A world and its webhooks, with an admin's view of it. */
export const acting = (world: World, webhooks: Webhooks) => {
  const key = world.store.keys.get('key_admin')!.value;
  const view = new View(world, { key, user: world.store.users.get('user_ada')!.value, workspace: 'ws_main' });
  return {
    world,
    webhooks,
    view,
    createTask: (title = 'Paint'): { readonly id: string } =>
      handlers.createTask(view, { found: view.find('projects', 'proj_one')!, query: undefined, body: { title } }),
    deleteWebhook: (id: string) => view.remove('webhooks', view.find('webhooks', id)!),
  };
};

export type Acting = ReturnType<typeof acting>;

export const webhookWorld = (registered: readonly Registered[], options: WorldOptions = {}): Acting => {
  const world = plantWorld(registered, options);
  const { sender = fetchSender, deliverPublic = false } = options;
  return acting(world, new Webhooks(world, sender, { deliverPublic }));
};
