// The three scopes of an API key, each allowing all that the one before it does (spec: Authentication).

export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Whether a key of scope `have` may do what needs `need`. */
export const covers = (have: Scope, need: Scope): boolean => SCOPES.indexOf(have) >= SCOPES.indexOf(need);
