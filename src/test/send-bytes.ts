// Bytes on a socket as they are, and the response to them.
import { connect } from 'node:net';

export interface RawResponse {
  readonly text: string;
  /** NaN when the connection was closed without a response. */
  readonly status: number;
  /** The code of an error. */
  readonly code: string | undefined;
}

/** Sends one piece a turn, and reads until the server closes the connection. */
export const sendBytes = (port: number, ...pieces: (string | Uint8Array)[]): Promise<RawResponse> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text.replace('HTTP/1.1 100 Continue\r\n\r\n', ''))?.[1]);
      done({ text, status, code: /"error":\{"code":"(\w+)"/.exec(text)?.[1] });
    });
    const next = () => {
      const piece = pieces.shift();
      if (piece === undefined || socket.destroyed) return;
      if (socket.write(piece)) setImmediate(next);
      else socket.once('drain', next);
    };
    next();
  });
