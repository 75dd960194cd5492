// What traffic.mjs gives, for those who are checked.
export interface Stirred {
  readonly task: string;
  readonly fault: string;
}
export declare const DEMO_KEYS: Readonly<Record<'read' | 'write' | 'admin' | 'revoked' | 'other', string>>;
export declare const stir: (
  ask: (path: string, init?: RequestInit) => Promise<Response>,
  given?: Partial<typeof DEMO_KEYS>,
) => Promise<Stirred>;
