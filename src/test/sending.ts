// Requests as tests make them, and their responses, read.
import type { Mock } from '../mock/api/mock.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses freely; their shape is checked against the schema.
export type Read = any;

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** As JSON; undefined where it is none. */
  readonly body: Read;
}

/** Options of a request: a text is sent as it is, anything else as JSON. */
export const initOf = (method: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => ({
  method,
  headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
});

export const readResponse = async (response: Response): Promise<ApiResponse> => {
  const text = await response.text();
  let body: Read;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, headers: response.headers, text, body };
};

type Target = Pick<Mock, 'fetch' | 'auth' | 'baseUrl'>;
const within = ({ baseUrl }: Target, path: string): string => baseUrl.replace(/v1$/, path.slice(1));

/** Asks a mock with no socket: below `/v1` with the key of an admin unless headers bring another one, else whatever the path names in its world. */
export const ask = async (mock: Target, method: string, path: string, body?: unknown, headers = {}): Promise<ApiResponse> => {
  const url = /^\/(_mock|dashboard|worlds|v1)\b/.test(path) ? within(mock, path) : mock.baseUrl + path;
  const key = /\/(_mock|dashboard)\b/.test(path) ? {} : mock.auth('admin');
  return readResponse(await mock.fetch(url, initOf(method, body, { ...key, ...headers })));
};

export type Form = Readonly<Record<string, string | readonly string[]>>;
/** The text of a form. A list sends its field as often as it has values. */
export const formText = (form: Form): string =>
  new URLSearchParams(Object.entries(form).flatMap(([name, all]) => [all].flat().map((value) => [name, value]))).toString();

/** Posts a form, as a page of the mock does. */
export const submit = async (mock: Target, path: string, form: Form): Promise<ApiResponse> => {
  const headers = { origin: new URL(mock.baseUrl).origin, 'content-type': 'application/x-www-form-urlencoded' };
  return ask(mock, 'POST', path, formText(form), headers);
};
