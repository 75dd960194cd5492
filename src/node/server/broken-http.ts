// Responses to bytes that are no HTTP request: an error of the service, then the end of the connection.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { RequestError } from '@hono/node-server';
import { Problem } from '../../service/contract/errors.ts';
import type { WriteProblem } from '../../service/http/respond.ts';

const REFUSAL_MESSAGES = {
  400: 'The request is not well-formed HTTP/1.1. Check its request line, its headers and its Content-Length.',
  408: 'The request was not sent in time. Send its headers within 10 s and all of it within 60 s.',
  413: 'The extensions of a chunk are too long. Send the body without chunk extensions.',
  417: 'Only "Expect: 100-continue" is understood. Send the request without another expectation.',
  431: 'The request line and headers are over 16 KiB. Send a shorter path, query or header.',
} as const;

const STATUS_OF_ERROR: Readonly<Record<string, keyof typeof REFUSAL_MESSAGES>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const refusalProblem = (status: keyof typeof REFUSAL_MESSAGES): Problem =>
  new Problem(status, 'validation_error', REFUSAL_MESSAGES[status]);

export const respondToBrokenHttp =
  (refuse: WriteProblem) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    // Never send a second response on a connection.
    if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
      socket.destroy(error);
      return;
    }
    const { status, headers, text } = refuse(refusalProblem(STATUS_OF_ERROR[error.code ?? ''] ?? 400));
    const all = { ...headers, 'content-length': Buffer.byteLength(text), connection: 'close' };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
  };

/** Handles requests without a valid host or path, and failures of the mock. */
export const respondToBrokenRequest =
  (refuse: WriteProblem) =>
  (error: unknown): Response => {
    const failed = new Problem(500, 'internal_error', 'The mock failed to respond. This is a bug: please report it.');
    const { status, headers, text } = refuse(error instanceof RequestError ? refusalProblem(400) : failed);
    return new Response(text, { status, headers: { ...headers, connection: 'close' } });
  };

/** Most requests name the same host. */
let lastHost = '';

/** HTTP/1.1 requires a host; `127.0.0.256` is none. */
export const hasValidHost = ({ httpVersion, headers: { host } }: IncomingMessage): boolean => {
  if (host === undefined) return httpVersion === '1.0';
  if (host !== lastHost && !URL.canParse(`http://${host}`)) return false;
  lastHost = host;
  return true;
};

export const refuseWith =
  (refuse: WriteProblem, status: keyof typeof REFUSAL_MESSAGES) =>
  (_request: IncomingMessage, response: ServerResponse): void => {
    const { headers, text } = refuse(refusalProblem(status));
    response.writeHead(status, { ...headers, connection: 'close' }).end(text);
  };
