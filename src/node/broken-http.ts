// What a client hears whose bytes are no HTTP request: the error shape of the service, then the connection is closed.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const MESSAGE: Readonly<Record<number, string>> = {
  400: 'The request is not well-formed HTTP/1.1. Check its request line, its headers and its Content-Length.',
  408: 'The request was not sent in time. Send its headers within 10 s and all of it within 60 s.',
  413: 'The extensions of a chunk are too long. Send the body without chunk extensions.',
  431: 'The request line and headers are over 16 KiB. Send a shorter path, query or header.',
};

/** Handles the `clientError` of a server. */
export const brokenHttp = (error: NodeJS.ErrnoException, socket: Socket): void => {
  // An answer that has begun must not be followed by another one on the same connection.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy(error);
    return;
  }
  const status = STATUS[error.code ?? ''] ?? 400;
  const body = JSON.stringify({ error: { code: 'validation_error', message: MESSAGE[status], details: {} } });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
};
