// What a hosted world answers: what its mock does, or why it cannot.
import { Problem, wordsOf } from '../contract/errors.ts';
import { failed } from '../control/call.ts';
import { ConnectionClosed } from '../http/strike.ts';
import type { Mock } from '../mock/mock.ts';

export const refused = (error: unknown): Response => {
  if (error instanceof Problem) return failed(error);
  return failed(new Problem(500, 'internal_error', `This world has no answer: ${wordsOf(error)}`));
};

/** There is no socket that a fault could close, so the body is cut off instead. */
export const answered = async (mock: Mock, request: Request): Promise<Response> => {
  try {
    return await mock.app.fetch(request);
  } catch (error) {
    if (!(error instanceof ConnectionClosed)) throw error;
    return new Response(new ReadableStream({ start: (stream) => stream.error(error) }), { status: 502 });
  }
};
