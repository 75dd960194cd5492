// A request as the service reads it: each part is parsed when it is first needed, and once.
import type { OperationId } from '../contract/operations.ts';
import { isObject } from '../contract/schema.ts';
import { type Parameters, readParameters } from '../lists/query.ts';
import { parseJson } from '../validation/json-text.ts';
import { type RawBody, requestText } from './body.ts';
import { bearerOf } from './identify.ts';
import { rawPath, WORLD_PREFIX } from './paths.ts';

/** The row of the table that a method and path fit. */
export interface Route {
  /** Undefined when the table, or the release of the world, has no such operation. */
  readonly operation: OperationId | undefined;
  readonly variable: string | undefined;
}

/** Has all members from the start: V8 is slow to add them one by one. */
class RequestMemo {
  rawPath: string | undefined;
  parameters: Parameters | undefined;
  keyValue: string | undefined;
  json: unknown;
  headerMap: Headers | undefined;
}

/** The members that a saved request consists of. */
export type RequestData = Route & Pick<RequestInfo, 'method' | 'url' | 'headers' | 'authorization' | 'contentType' | 'body'>;

/** A longer body is cut for the journal, which keeps a thousand. */
const MAX_JOURNAL_CHARACTERS = 32_768;

/** A text that shares no memory with the longer one that it is cut from. */
const cutText = (text: string): string =>
  new TextDecoder().decode(new TextEncoder().encode(text.slice(0, MAX_JOURNAL_CHARACTERS)));

/** Names and values, as they came. */
export const headerPairs = (headers: readonly string[] | Headers): readonly (readonly [name: string, value: string])[] =>
  'get' in headers ? [...headers] : headers.flatMap((value, i) => (i % 2 === 1 ? [[headers[i - 1]!, value] as const] : []));

export class RequestInfo implements Route {
  operation: OperationId | undefined;
  variable: string | undefined;
  readonly method: string;
  readonly url: string;
  /** Header names and values in turn, as they came, or a Headers object. */
  readonly headers: readonly string[] | Headers;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  body: RawBody | undefined;
  /** The parsed parts; the journal keeps none, because its memory is limited. */
  #memo: RequestMemo | undefined = new RequestMemo();

  constructor({ operation, variable, method, url, headers, authorization, contentType, body }: RequestData) {
    this.operation = operation;
    this.variable = variable;
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.authorization = authorization;
    this.contentType = contentType;
    this.body = body;
  }

  get rawPath(): string {
    const parts = this.#parts;
    parts.rawPath ??= rawPath(this.url);
    return parts.rawPath;
  }

  /** Without the prefix of a world. */
  get path(): string {
    return this.rawPath.replace(WORLD_PREFIX, '');
  }

  /** The path below the base URL, which ends in `/v1`. */
  get pathInService(): string {
    return this.path.replace(/^\/v1/, '');
  }

  /** Path and query, as they are shown: without the prefix of a world. */
  get target(): string {
    const { url } = this;
    const from = url.indexOf(this.rawPath);
    return url.slice(from).replace(WORLD_PREFIX, '').replace(/#.*/s, '');
  }

  get parameters(): Parameters {
    const parts = this.#parts;
    parts.parameters ??= readParameters(this.url);
    return parts.parameters;
  }

  /** The value that the Authorization header carries; undefined when it is missing or malformed. */
  get keyValue(): string | undefined {
    const parts = this.#parts;
    parts.keyValue ??= bearerOf(this.authorization);
    return parts.keyValue;
  }

  get headerMap(): Headers {
    const parts = this.#parts;
    parts.headerMap ??= 'get' in this.headers ? this.headers : new Headers(headerPairs(this.headers) as [string, string][]);
    return parts.headerMap;
  }

  /** The coding of the body, as the client says; no body is decoded. */
  get coding(): string | undefined {
    const coding = this.headerMap.get('content-encoding') ?? 'identity';
    return coding.toLowerCase() === 'identity' ? undefined : `Content-Encoding: ${coding}`;
  }

  get text(): string {
    return requestText(this.body);
  }

  get json(): unknown {
    const parts = this.#parts;
    parts.json ??= parseJson(this.text);
    return parts.json;
  }

  /** The fields of a body that is an object; none of any other. */
  get fields(): Readonly<Record<string, unknown>> {
    return isObject(this.json) ? this.json : {};
  }

  /** Forgets what was parsed, and cuts a long body: from now on the journal keeps it. */
  shrink(): this {
    const { text } = this;
    this.#memo = undefined;
    if (text.length > MAX_JOURNAL_CHARACTERS) this.body = { text: `${cutText(text)} … cut: ${text.length} characters in all` };
    return this;
  }

  get #parts(): RequestMemo {
    return this.#memo ?? new RequestMemo();
  }
}
