// Closed enumerations of the spec (Resources, States).

export const STATUSES = ['backlog', 'todo', 'in_progress', 'in_review', 'done'] as const;
export type Status = (typeof STATUSES)[number];

export const PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const VISIBILITIES = ['private', 'team', 'public'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** Roles that the spec mentions; there may be others. */
export const ROLES = ['admin', 'member'] as const;

/** Defaults of a new record (spec: Resources). */
export const DEFAULTS = { visibility: 'private', status: 'backlog', priority: 'medium' } as const;

/** States of one webhook delivery (spec: States, Webhook delivery); `pending` is before its first attempt. */
export const DELIVERY_STATES = ['pending', 'retrying', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export const covers = (have: Scope, need: Scope): boolean => SCOPES.indexOf(have) >= SCOPES.indexOf(need);
