// Terms of every part of a run: the key, how a request is sent, and a run that cannot be made.
/** Whose key is used; traffic has keys too of which nothing tells the scope. */
export type Role = 'admin' | 'write' | 'read' | 'revoked' | 'other' | `key-${number}`;
export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

/** A run that cannot be made: exit status 2. */
export class RunError extends Error {}
