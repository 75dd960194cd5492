// A client over connections that are kept: it says what it was answered, and never asks twice.
import { Agent, request } from 'node:http';

export const LONGEST_MS = 90_000;
const agent = new Agent({ keepAlive: true, maxSockets: 200 });

/** @returns the status, 0 without an answer, and what was said */
export const ask = (origin, key, method, path, body) =>
  new Promise((done) => {
    const text = body && JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${key}`,
      ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    const { hostname, port } = new URL(origin);
    const out = request({ agent, hostname, port, method, path, headers, timeout: LONGEST_MS }, (answer) => {
      let said = '';
      answer.setEncoding('utf8').on('data', (part) => (said += part));
      answer.on('end', () => done({ status: answer.statusCode, said: said === '' ? undefined : parsed(said) }));
      answer.on('error', () => done({ status: 0 }));
    });
    out.on('timeout', () => out.destroy());
    out.on('error', () => done({ status: 0 }));
    out.end(text);
  });

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
