// Types of session-steps.mjs.
export interface RecordedResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}
type Ask = (method: string, path: string, body?: object, key?: string) => Promise<RecordedResponse>;
export declare const shown: (request: string, response: RecordedResponse) => string;
export declare const transcriptOf: (ask: Ask) => Promise<string[]>;
export declare const playedAt: (baseUrl: string, between?: (requests: number) => Promise<void>) => Promise<string[]>;
