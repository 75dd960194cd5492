// What the owner says of a tenant, as schemas: their validators are generated from them.
import { anyOf, closed, type Is, integer, nullable, string } from '../service/contract/schema.ts';
import { TENANT } from './resolve-world.ts';

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
/** What the owner changes of a tenant's quotas; null: unlimited from now on. */
export const TenantPatch = closed({}, { worlds: granted, bytes: granted, requests: granted });
export interface TenantPatch extends Is<typeof TenantPatch> {}
