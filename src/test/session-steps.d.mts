// What session-steps.mjs gives, for those who are checked.
export interface Answered {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}
type Ask = (method: string, path: string, body?: object, key?: string) => Promise<Answered>;
export declare const shown: (asked: string, answered: Answered) => string;
export declare const transcriptOf: (ask: Ask) => Promise<string[]>;
export declare const playedAt: (baseUrl: string, between?: (asked: number) => Promise<void>) => Promise<string[]>;
