// From the bytes of an exchange to its texts, off the thread that forwards.
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { rawHeaderPairs } from './forward.ts';
import type { RawExchange } from './forwarder.ts';
import type { Traffic } from './traffic.ts';

/** A few kilobytes may hold gigabytes. */
const LIMIT = { maxOutputLength: 50_000_000 };
/** The first half of the first byte tells both kinds of deflate apart. */
const inflate = (bytes: Uint8Array) => ((bytes[0]! & 15) === 8 ? inflateSync : inflateRawSync)(bytes, LIMIT);
const gunzip = (bytes: Uint8Array) => gunzipSync(bytes, LIMIT);
const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  br: (bytes) => brotliDecompressSync(bytes, LIMIT),
  deflate: inflate,
  identity: (bytes) => bytes,
};

const decodeBytes = (headers: Traffic['requestHeaders'], body: Uint8Array): string => {
  if (body.length === 0) return '';
  const codings = headers.flatMap(([name, value]) => (/^content-encoding$/i.test(name) ? value.split(',') : []));
  const bytes = codings.reduceRight((coded, coding) => DECODERS[coding.trim().toLowerCase()]!(coded), body);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
};

/** `gap`: why nothing can be said about it; then it has no response, and the judge leaves open what it did. */
export const decodeExchange = ({ requestHeaders, requestBody, response, gap, ...rest }: RawExchange) => {
  const headers = rawHeaderPairs(requestHeaders);
  const none = { ...rest, requestHeaders: headers, requestBody: undefined, response: undefined };
  if (gap !== undefined) return { traffic: none as Traffic, gap };
  try {
    const responseHeaders = response && rawHeaderPairs(response.headers);
    const traffic: Traffic = {
      ...none,
      requestBody: decodeBytes(headers, requestBody) || undefined,
      response: response && {
        status: response.status,
        headers: responseHeaders!,
        body: decodeBytes(responseHeaders!, response.body),
      },
    };
    return { traffic };
  } catch {
    return { traffic: none as Traffic, gap: 'its body cannot be decoded' };
  }
};
