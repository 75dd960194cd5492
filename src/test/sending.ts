// A request as tests make it, and what is read of its answer.

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely; their shape is checked against the schema.
export type Read = any;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** As JSON; undefined where it is none. */
  readonly body: Read;
}

/** What a request is made with: a text is sent as it is, anything else as JSON. */
export const initOf = (method: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => ({
  method,
  headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
});

export const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  let body: Read;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, headers: response.headers, text, body };
};
