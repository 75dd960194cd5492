// The errors of the spec: code, status, condition; and Problem, which handlers throw.

export const ERRORS = {
  unauthorized: { statuses: [401], when: 'The header is missing or malformed, or the key is unknown or revoked.' },
  forbidden: { statuses: [403], when: "The key's scope does not allow the action." },
  not_found: { statuses: [404], when: 'The id is unknown, deleted or in another workspace.' },
  validation_error: { statuses: [400, 422], when: '400 for structural problems, 422 for rule violations.' },
  conflict: { statuses: [409], when: 'The request conflicts with the current state: a unique name is in use.' },
  rate_limit_exceeded: { statuses: [429], when: 'More requests in the one-minute window than the plan allows.' },
  payload_too_large: { statuses: [413], when: 'The body is larger than 1 MiB; the spec leaves the limit open.' },
  internal_error: { statuses: [500], when: 'An unexpected server error.' },
  not_built: { statuses: [501], when: 'An operation of the spec that this mock does not have yet.' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

export interface FieldIssue {
  readonly field: string;
  readonly issue: string;
}

export const issuesOf = (fields: readonly FieldIssue[]): string =>
  fields.map(({ field, issue }) => `${field} ${issue}`).join('; ');

const FINAL = 'answer';
/** Checks of a request, in their usual order; `fault` precedes the service, `rules` are conflicts with stored data. */
export type Check = 'fault' | 'key' | 'limit' | 'operation' | 'scope' | 'record' | 'query' | 'body' | 'rules' | typeof FINAL;
export const nameCheck = (check: Check): string => (check === FINAL ? 'response' : check);

/** A response other than success. Throw it before anything has changed. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldIssue[];
  /** Check that refused the request; undefined outside the service. */
  readonly check: Check | undefined;
  /** Headers of this response only. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    { fields = [], headers = {}, check }: Partial<Pick<Problem, 'fields' | 'headers' | 'check'>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.headers = headers;
    this.check = check;
  }
}

/** Message of a thrown value, which need not be an Error. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
