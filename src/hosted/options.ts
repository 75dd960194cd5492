// The options of a hosted service, and those of a tenant: their validators are generated from the schemas.
import type { HostOptions } from '../mock/control/host.ts';
import { MEGABYTE } from '../mock/control/memory.ts';
import { anyOf, array, closed, type Is, integer, nullable, string } from '../service/contract/schema.ts';
import { DEFAULT_PATIENCE_MS } from '../service/http/body.ts';
import { TENANT } from './resolve-world.ts';

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

/** Limits of a world that strangers can reach. */
export const IN_PUBLIC = {
  restStreams: { quietMs: 10_000, awayMs: 30_000 },
  bodyPatience: DEFAULT_PATIENCE_MS,
  inboxBytes: MEGABYTE,
} satisfies Partial<HostOptions>;

const quota = integer({ minimum: 1 });
const QUOTAS = { worlds: quota, bytes: quota, requests: quota };
const QuotaDraft = closed({}, QUOTAS);
/** A tenant's quotas; absent: unlimited. `bytes` are stored by all its worlds, `requests` are counted per day, in UTC. */
export interface Quotas extends Is<typeof QuotaDraft> {}

export const TenantDraft = closed(
  {
    id: string({
      pattern: `^${TENANT}$`,
      'x-says': 'must be 1 to 32 lower-case letters, digits or dashes, no dash first',
    }),
  },
  { seed: anyOf<string | object>(string(), { type: 'object' }), now: string(), ...QUOTAS },
);
export interface TenantDraft extends Is<typeof TenantDraft> {}

const granted = nullable(quota);
/** Changes of a tenant's quotas by the owner; null: unlimited from now on. */
export const TenantPatch = closed({}, { worlds: granted, bytes: granted, requests: granted });
export interface TenantPatch extends Is<typeof TenantPatch> {}
