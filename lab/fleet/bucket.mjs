// A bucket in memory, as much of S3 as the pinned workerd uses; the rest is answered 501. It checks no signature: for tests alone.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export class Bucket {
  /** Switches, that may be turned while it serves: a share of answers that are errors, and what each answer waits for, milliseconds. */
  errors = 0;
  delay = () => 0;
  /** How often each kind of request was asked, and how many of them failed. */
  counts = {};
  failed = 0;
  #objects = new Map();
  #server = createServer((request, response) => void this.#answer(request, response));

  async open() {
    // As buckets do, it leaves it to its clients to close connections.
    this.#server.keepAliveTimeout = 120_000;
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${this.#server.address().port}`;
    return this;
  }

  close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get keys() {
    return [...this.#objects.keys()];
  }

  read(key) {
    return this.#objects.get(key)?.body.toString();
  }

  async #answer(request, response) {
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    const { pathname, searchParams } = new URL(request.url, 'http://bucket');
    const kind = request.method + (searchParams.has('list-type') ? ' list' : '');
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    await sleep(this.delay());
    const lost = Math.random() < this.errors;
    if (lost) this.failed += 1;
    // Half of what fails has happened all the same, as when an answer is lost on its way.
    const happens = !lost || Math.random() < 0.5;
    const key = decodeURIComponent(pathname).split('/').slice(2).join('/');
    const asked = { key, headers: request.headers, params: searchParams, body };
    const said = happens ? (CALLS[kind]?.call(this, this.#objects, asked) ?? error(501, 'NotImplemented')) : undefined;
    const { status, headers = {}, text = '' } = lost ? error(503, 'SlowDown') : said;
    if (response.destroyed) return;
    response.writeHead(status, { 'content-length': Buffer.byteLength(text), ...headers });
    response.end(text);
  }
}

const XML = { 'content-type': 'application/xml' };
const error = (status, code) => ({ status, headers: XML, text: `<Error><Code>${code}</Code><Message>${code}</Message></Error>` });
const escaped = (text) => text.replace(/[<&>"]/g, (char) => `&#${char.charCodeAt(0)};`);
const MAX_KEYS = 1000;

const CALLS = {
  GET(objects, { key, headers }) {
    if (headers.range ?? headers['if-match'] ?? headers['if-none-match']) return error(501, 'NotImplemented');
    const { body, etag, at } = objects.get(key) ?? {};
    if (body === undefined) return error(404, 'NoSuchKey');
    return { status: 200, headers: { etag: `"${etag}"`, 'last-modified': at.toUTCString() }, text: body };
  },
  PUT(objects, { key, headers, body }) {
    if (headers['content-encoding']) return error(501, 'NotImplemented');
    const known = objects.get(key);
    if (headers['if-none-match'] === '*' && known) return error(412, 'PreconditionFailed');
    const match = headers['if-match']?.replaceAll('"', '');
    if (match !== undefined && !known) return error(404, 'NoSuchKey');
    if (match !== undefined && match !== known.etag) return error(412, 'PreconditionFailed');
    const etag = randomUUID();
    objects.set(key, { body, etag, at: new Date() });
    return { status: 200, headers: { etag: `"${etag}"` } };
  },
  DELETE(objects, { key, headers }) {
    if (headers['if-match']) return error(501, 'NotImplemented');
    objects.delete(key);
    return { status: 204 };
  },
  'GET list'(objects, { params }) {
    const [prefix, delimiter, after] = ['prefix', 'delimiter', 'continuation-token'].map((name) => params.get(name) ?? '');
    /** By its name, the last key of each entry: an object, or a folder. */
    const entries = new Map();
    for (const key of [...objects.keys()].filter((one) => one.startsWith(prefix) && one > after).sort()) {
      const cut = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
      entries.set(cut < 0 ? key : key.slice(0, cut + delimiter.length), key);
    }
    const shown = [...entries].slice(0, MAX_KEYS);
    const texts = shown.map(([name, last]) => {
      if (name !== last) return `<CommonPrefixes><Prefix>${escaped(name)}</Prefix></CommonPrefixes>`;
      const { etag, at, body } = objects.get(name);
      const about = `<LastModified>${at.toISOString()}</LastModified><ETag>&quot;${etag}&quot;</ETag><Size>${body.length}</Size>`;
      return `<Contents><Key>${escaped(name)}</Key>${about}</Contents>`;
    });
    const more = entries.size > shown.length;
    const next = more ? `<NextContinuationToken>${escaped(shown.at(-1)[1])}</NextContinuationToken>` : '';
    const about = `<Prefix>${escaped(prefix)}</Prefix><KeyCount>${shown.length}</KeyCount><IsTruncated>${more}</IsTruncated>${next}`;
    return { status: 200, headers: XML, text: `<ListBucketResult>${about}${texts.join('')}</ListBucketResult>` };
  },
};
