// What session-steps.mjs gives, for those who are checked.
type Ask = (method: string, path: string, body?: object, key?: string) => Promise<unknown>;
export declare const playSession: (ask: Ask) => Promise<void>;
export declare const playedAt: (baseUrl: string, between?: (asked: number) => Promise<void>) => Promise<string[]>;
