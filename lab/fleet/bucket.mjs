// A bucket in memory, as much of S3 as machines of a fleet ask of one. It checks no signature: for tests alone.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const escaped = (text) => text.replace(/[<&>"]/g, (char) => `&#${char.charCodeAt(0)};`);
const unescaped = (text) => text.replace(/&#(\d+);|&amp;/g, (_, code) => (code ? String.fromCharCode(Number(code)) : '&'));
const bare = (etag) => etag?.replaceAll('"', '');

/** A body of `aws-chunked` parts, put together. */
const unchunked = (body) => {
  const parts = [];
  for (let at = 0; ; ) {
    const line = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.subarray(at, line).toString(), 16);
    if (!(size > 0)) return Buffer.concat(parts);
    parts.push(body.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
};

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

  get stored() {
    return [...this.#objects.values()].reduce((sum, { body }) => sum + body.length, 0);
  }

  async #answer(request, response) {
    const parts = [];
    try {
      for await (const part of request) parts.push(part);
    } catch {
      return;
    }
    const body = Buffer.concat(parts);
    const { pathname, searchParams } = new URL(request.url, 'http://bucket');
    const what = searchParams.has('list-type') ? ' list' : searchParams.has('delete') ? ' delete' : '';
    const kind = request.method + what;
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    await sleep(this.delay());
    const lost = Math.random() < this.errors;
    if (lost) this.failed += 1;
    // Half of what fails has happened all the same, as when an answer is lost on its way.
    const happens = !lost || Math.random() < 0.5;
    const asked = {
      key: decodeURIComponent(pathname).split('/').slice(2).join('/'),
      headers: request.headers,
      params: searchParams,
      body: /aws-chunked/.test(request.headers['content-encoding'] ?? '') ? unchunked(body) : body,
    };
    const said = happens ? (CALLS[kind]?.call(this, this.#objects, asked) ?? error(501, 'NotImplemented')) : undefined;
    const { status, headers = {}, text = '' } = lost ? error(503, 'SlowDown') : said;
    if (response.destroyed) return;
    response.writeHead(status, { 'content-length': Buffer.byteLength(text), ...headers });
    response.end(request.method === 'HEAD' ? undefined : text);
  }
}

const XML = { 'content-type': 'application/xml' };
const error = (status, code) => ({ status, headers: XML, text: `<Error><Code>${code}</Code><Message>${code}</Message></Error>` });

const read = (objects, { key, headers }) => {
  const known = objects.get(key);
  if (!known) return error(404, 'NoSuchKey');
  const { body, etag, at } = known;
  const about = { etag: `"${etag}"`, 'last-modified': at.toUTCString(), 'accept-ranges': 'bytes' };
  if (bare(headers['if-none-match']) === etag) return { status: 304, headers: about };
  if (headers['if-match'] && bare(headers['if-match']) !== etag) return error(412, 'PreconditionFailed');
  const range = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '');
  if (!range) return { status: 200, headers: about, text: body };
  const [, first, last] = range;
  const from = first === '' ? Math.max(0, body.length - Number(last)) : Number(first);
  const to = first === '' || last === '' ? body.length - 1 : Math.min(Number(last), body.length - 1);
  if (from > to) return error(416, 'InvalidRange');
  const said = { ...about, 'content-range': `bytes ${from}-${to}/${body.length}` };
  return { status: 206, headers: said, text: body.subarray(from, to + 1) };
};

const CALLS = {
  GET: read,
  HEAD: (objects, asked) => {
    const { status, headers, text } = read(objects, asked);
    return { status, headers: { ...headers, 'content-length': text?.length ?? 0 } };
  },
  PUT(objects, { key, headers, body }) {
    const known = objects.get(key);
    if (headers['if-none-match'] === '*' && known) return error(412, 'PreconditionFailed');
    const match = bare(headers['if-match']);
    if (match !== undefined && !known) return error(404, 'NoSuchKey');
    if (match !== undefined && match !== known.etag) return error(412, 'PreconditionFailed');
    const etag = createHash('md5').update(body).update(randomBytes(8)).digest('hex');
    objects.set(key, { body, etag, at: new Date() });
    return { status: 200, headers: { etag: `"${etag}"` } };
  },
  DELETE(objects, { key, headers }) {
    const match = bare(headers['if-match']);
    if (match !== undefined && objects.get(key)?.etag !== match) return error(412, 'PreconditionFailed');
    objects.delete(key);
    return { status: 204 };
  },
  'POST delete'(objects, { body }) {
    for (const [, key] of body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)) objects.delete(unescaped(key));
    return { status: 200, headers: XML, text: '<DeleteResult/>' };
  },
  'GET list'(objects, { params }) {
    const prefix = params.get('prefix') ?? '';
    const after = params.get('continuation-token') ?? params.get('start-after') ?? '';
    const delimiter = params.get('delimiter') ?? '';
    const most = Number(params.get('max-keys') ?? 1000);
    const entries = new Map();
    for (const key of [...objects.keys()].filter((one) => one.startsWith(prefix) && one > after).sort()) {
      const cut = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
      entries.set(cut < 0 ? key : key.slice(0, cut + delimiter.length), { last: key, isFolder: cut >= 0 });
    }
    const shown = [...entries].slice(0, most);
    const texts = shown.map(([name, { isFolder }]) => {
      if (isFolder) return `<CommonPrefixes><Prefix>${escaped(name)}</Prefix></CommonPrefixes>`;
      const { etag, at, body } = objects.get(name);
      const about = `<LastModified>${at.toISOString()}</LastModified><ETag>&quot;${etag}&quot;</ETag><Size>${body.length}</Size>`;
      return `<Contents><Key>${escaped(name)}</Key>${about}</Contents>`;
    });
    const more = entries.size > shown.length;
    const next = more ? `<NextContinuationToken>${escaped(shown.at(-1)[1].last)}</NextContinuationToken>` : '';
    const about = `<Prefix>${escaped(prefix)}</Prefix><KeyCount>${shown.length}</KeyCount><IsTruncated>${more}</IsTruncated>${next}`;
    return { status: 200, headers: XML, text: `<ListBucketResult>${about}${texts.join('')}</ListBucketResult>` };
  },
};
