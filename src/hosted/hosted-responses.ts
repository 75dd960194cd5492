// What a hosted world answers: what its mock does, or why it cannot.
import type { Mock } from '../mock/api/mock.ts';
import { errorResponse } from '../mock/control/call.ts';
import { ConnectionClosed } from '../service/http/respond-with-fault.ts';

export const respondWithError = (error: unknown): Response => errorResponse(error, 'This world has no answer');

/** There is no socket that a fault could close, so the body is cut off instead. */
export const respondFromMock = async (mock: Mock, request: Request): Promise<Response> => {
  try {
    return await mock.app.fetch(request);
  } catch (error) {
    if (!(error instanceof ConnectionClosed)) throw error;
    return new Response(new ReadableStream({ start: (stream) => stream.error(error) }), { status: 502 });
  }
};
