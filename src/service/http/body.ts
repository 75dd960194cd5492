// From the bytes of a body to its text, or why there is none.
import { errorMessage, Problem } from '../contract/errors.ts';
import { MAX_BODY_BYTES } from '../contract/limits.ts';
import { after } from '../world/time.ts';

/** A body as it arrived: its text, or why there is none. */
export type RawBody = { readonly text: string } | { readonly fault: 'too large' | 'not UTF-8' | 'too many' };

/** Empty for a body that is none, or no text. */
export const requestText = (body: RawBody | undefined): string => (body && 'text' in body ? body.text : '');

/** The factor of the limit up to which a longer body is read and discarded, so that its sender reads the response. */
const MAX_DISCARDED_FACTOR = 64;
/** The limit for a stranger, who brings no known key: the body changes no response. */
const MAX_STRANGER_BODY_BYTES = 65_536;
/** Bytes of the bodies that this process reads, for all its hosts: strangers leave room to those with a key. */
const CALLERS = { bytes: 0, max: 256 * MAX_BODY_BYTES };
const STRANGERS = { bytes: 0, max: 16 * MAX_BODY_BYTES };

/** The bodies that are being read for one host. */
export interface BodyBudget {
  bytes: number;
  /** Milliseconds of real time for each body; unlimited where a server has its own limit. */
  readonly patience?: number | undefined;
}

export const DEFAULT_PATIENCE_MS = 60_000;

const STRICT_UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Engines differ in the class and code of the error: a decoder of bytes throws for nothing else. */
const decodeBody = (bytes: Uint8Array): RawBody => {
  try {
    return { text: STRICT_UTF_8.decode(bytes) };
  } catch {
    return { fault: 'not UTF-8' };
  }
};

/** The one reader of bodies, for every engine. @throws Problem 400 when it breaks off, 408 when it is late */
export const readBody = async (
  request: Request,
  {
    host = { bytes: 0, patience: DEFAULT_PATIENCE_MS },
    isStranger = false,
    max = isStranger ? MAX_STRANGER_BODY_BYTES : MAX_BODY_BYTES,
  }: { readonly host?: BodyBudget | undefined; readonly isStranger?: boolean; readonly max?: number } = {},
): Promise<RawBody> => {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  const bytes = declared <= max ? declared : request.body === null ? 0 : max;
  const pool = isStranger ? STRANGERS : CALLERS;
  const users: { bytes: number }[] = isStranger ? [pool] : [pool, host];
  // A host takes no more than it leaves to the others.
  if (users.reduce((sum, used) => sum + used.bytes, bytes) > pool.max) return { fault: 'too many' };
  for (const used of users) used.bytes += bytes;
  let callOff = () => {};
  const late = new Promise<never>((_, fail) => {
    const { patience } = host;
    const says = `The body was not sent in time. Send all of it within ${Number(patience) / 1000} s.`;
    if (patience !== undefined) callOff = after(patience, () => fail(bodyProblem(408, says)));
  });
  try {
    const all = readBytes(request, declared, max, late).catch((error) => {
      throw bodyProblem(400, `The body broke off: ${errorMessage(error)}. Send all of it.`);
    });
    const read = await Promise.race([all, late]);
    return read ? decodeBody(read) : { fault: 'too large' };
  } finally {
    callOff();
    for (const used of users) used.bytes -= bytes;
  }
};

const bodyProblem = (status: 400 | 408, says: string): Problem =>
  new Problem(status, 'validation_error', says, { headers: { connection: 'close' }, check: 'body' });

export const tooManyBodiesProblem = (): Problem => {
  const says = 'The mock is reading too many bodies at once. Send fewer or shorter ones, or try again.';
  return new Problem(503, 'service_unavailable', says, { headers: { 'retry-after': '1' }, check: 'body' });
};

/** Undefined when there are more than the limit. */
const readBytes = async (request: Request, declared: number, max: number, late: Promise<never>) => {
  const end = Math.min(MAX_DISCARDED_FACTOR * Math.max(max, MAX_BODY_BYTES), CALLERS.max);
  if (declared > end) return undefined;
  if (declared <= max) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    return bytes.byteLength > max ? undefined : bytes;
  }
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  late.catch((reason) => reader?.cancel(reason)).catch(() => {});
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    size += read.value.byteLength;
    if (size <= max) chunks.push(read.value);
    else chunks = [];
    if (size > end) await reader?.cancel();
  }
  return size > max || declared > max ? undefined : new Uint8Array(await new Blob(chunks).arrayBuffer());
};

export const isJson = (contentType: string): boolean => /^application\/json\s*(;|$)/i.test(contentType);
