// A refusal of the control API, in the error envelope of the service.
import { Problem } from '../contract/errors.ts';
import { termsOf } from '../contract/terms.ts';
import { writeError } from '../http/write.ts';

const TERMS = termsOf();

/** The answer that says what went wrong. */
export const failed = (error: unknown): Response => {
  const problem =
    error instanceof Problem
      ? error
      : new Problem(500, 'internal_error', `The mock failed: ${error instanceof Error ? error.message : String(error)}.`);
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...problem.headers };
  return new Response(writeError(problem, TERMS), { status: problem.status, headers });
};
