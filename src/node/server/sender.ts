// How events leave in Node: to addresses that are looked at once the name is resolved, and to no others.
import type { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { isLoopback, mayCall } from '../../service/validation/receiver-url.ts';
import { type FetchPost, type Sender, senderOver } from '../../service/webhooks/sender.ts';

const refusedReceiverError = (hostname: string, address: string): Error =>
  Object.assign(
    new Error(
      `not sent: ${hostname} leads to ${address}, which is not a public address. Allow it with --allow-receiver ${hostname}; docs/security.md says more.`,
    ),
    { code: 'ERR_RECEIVER_REFUSED' },
  );

/** @param allowed hosts with any address @param given replaces the DNS lookup */
export const nodeSender = (allowed: readonly string[] = [], given?: typeof lookup): Sender => {
  const ask: FetchPost = async (url, { method, headers, body, signal }) => {
    const { protocol, hostname } = new URL(url);
    const address = hostname.replace(/^\[|\]$/g, '');
    if (isIP(address) && !mayCall(hostname, address, allowed)) throw refusedReceiverError(hostname, address);
    // Loaded on demand for a faster start.
    const { default: http } = await (protocol === 'https:' ? import('node:https') : import('node:http'));
    const resolve = given ?? (await import('node:dns')).lookup;
    // Connect to the checked addresses only. Not every resolver knows that app.localhost is this machine.
    const lookupChecked: LookupFunction = (name, options, done) =>
      resolve(isLoopback(name) ? 'localhost' : name, { ...options, all: true }, (error, addresses) => {
        const wrong = addresses?.find((one) => !mayCall(name, one.address, allowed));
        if (error ?? wrong) return done(error ?? refusedReceiverError(name, wrong!.address), '');
        return options.all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family);
      });
    const bytes = { 'content-length': String(Buffer.byteLength(body)) };
    const how = { method, headers: { ...headers, ...bytes }, signal, agent: false, lookup: lookupChecked };
    return new Promise((done, fail) => {
      const sent = http.request(url, how);
      sent.on('error', fail);
      sent.on('response', (response) =>
        done({ status: response.statusCode ?? 0, body: Readable.toWeb(response) as Response['body'] }),
      );
      sent.end(body);
    });
  };
  return senderOver(ask);
};
