// What the owner says of a new tenant, as a schema: its validator is generated from it.
import { anyOf, closed, type Is, integer, number, string } from '../contract/schema.ts';
import { TENANT } from './route.ts';

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
  { seed: anyOf<string | object>(string(), { type: 'object' }), now: anyOf<string | number>(string(), number()), ...QUOTAS },
);
export interface TenantDraft extends Is<typeof TenantDraft> {}
