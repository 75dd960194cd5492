// A client over connections that are kept: it sends a path as it stands, says what the response was, and never asks twice.
import { Agent, request } from 'node:http';

export const LONGEST_MS = 90_000;
/** A stream of events goes on. */
const MOST_CHARS = 1e6;
const agent = new Agent({ keepAlive: true, maxSockets: 200 });

/** @returns the status, 0 without a whole response; its text, and what it says in JSON */
export const ask = (origin, key, method, path, body, headers = key && { authorization: `Bearer ${key}` }) =>
  new Promise((done) => {
    const sent = body && JSON.stringify(body);
    const ofBody = sent && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) };
    const { hostname, port } = new URL(origin);
    const options = { agent, hostname, port, method, path, headers: { ...headers, ...ofBody }, timeout: LONGEST_MS };
    const end = (status, text = '') => done({ status, text, said: parsed(text) });
    const out = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
        if (text.length > MOST_CHARS) response.destroy();
      });
      response.on('error', () => {});
      response.on('close', () => end(response.complete || text.length > MOST_CHARS ? response.statusCode : 0, text));
    });
    out.on('connect', ({ statusCode }, socket) => {
      socket.destroy();
      end(statusCode);
    });
    out.on('timeout', () => out.destroy());
    out.on('error', () => end(0));
    out.end(sent);
  });

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
