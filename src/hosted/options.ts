// The options of a hosted service, as its configuration gives them: their validator is generated from the schema.

import type { HostOptions } from '../mock/control/host.ts';
import { MEGABYTE } from '../mock/control/memory.ts';
import { array, closed, integer, string } from '../service/contract/schema.ts';
import { DEFAULT_PATIENCE_MS } from '../service/http/body.ts';

export const HostedSettings = closed(
  {},
  {
    receivers: array(string({ minLength: 1 })),
    worldIdleMs: integer({ minimum: 0 }),
    url: string({ pattern: '^https?://[^/?#@\\s]+$', 'x-says': 'must be an address such as https://mock.example.com' }),
  },
);

export interface HostedOptions {
  /** Hosts that webhooks are really sent to; for others a delivery is only simulated. */
  readonly receivers: readonly string[];
  /** Idle milliseconds after which a world is deleted; 0: never. Tenants stay. */
  readonly worldIdleMs: number;
  /** The address at which clients find the service; that of the request unless given. */
  readonly url?: string;
}

/** What a world that strangers can reach keeps to. */
export const IN_PUBLIC = {
  restStreams: { quietMs: 10_000, awayMs: 30_000 },
  bodyPatience: DEFAULT_PATIENCE_MS,
  inboxBytes: MEGABYTE,
} satisfies Partial<HostOptions>;
