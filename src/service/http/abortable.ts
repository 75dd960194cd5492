// Requests to an application in process that end when their AbortSignal does, as those of fetch do.

interface Fetching {
  fetch(request: Request): Response | Promise<Response>;
}

const isStream = ({ headers }: Response): boolean => headers.get('content-type') === 'text/event-stream';

const abortStream = (answer: Response, signal: AbortSignal): Response =>
  answer.body && isStream(answer) ? new Response(answer.body.pipeThrough(new TransformStream(), { signal }), answer) : answer;

/** The answer to a request. Aborted before, it is not performed. @throws the reason of the signal as soon as it is aborted. */
export const fetchAbortable = (app: Fetching, request: Request, signal: AbortSignal): Promise<Response> =>
  new Promise((done, fail) => {
    if (signal.aborted) return fail(signal.reason);
    const abort = () => fail(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    new Promise<Response>((answer) => answer(app.fetch(request)))
      .then((answer) => done(abortStream(answer, signal)), fail)
      .finally(() => signal.removeEventListener('abort', abort));
  });

/** Does what fetch does with these arguments, by an application in place of a network. */
export const fetchFrom = async (app: Fetching, input: string | URL | Request, init?: RequestInit): Promise<Response> => {
  const signal = init?.signal === undefined ? (input as Partial<Request>).signal : init.signal;
  if (typeof signal?.addEventListener !== 'function') return app.fetch(new Request(input, init));
  // A request that follows the signal would keep a listener on it.
  return fetchAbortable(app, new Request(input, { ...init, signal: null }), signal);
};
