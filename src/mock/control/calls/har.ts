// The journal as an HTTP Archive, which the tools of browsers open.
import { releaseRow } from '../../../service/contract/releases.ts';
import { exchangeNumber, type RequestEntry } from '../../../service/http/journal-entries.ts';
import { type Call, findOr404, MAX_SHOWN_BYTES, showUpTo } from '../call.ts';

const archivedText = (body: unknown): string =>
  body === null || body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
const nameValues = (of: Readonly<Record<string, string>> | URLSearchParams) =>
  [...(of instanceof URLSearchParams ? of : Object.entries(of))].map(([name, value]) => ({ name, value }));
/** Fields that HAR requires and the journal lacks. */
const UNKNOWN = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 };

const entryOf = ({ at, duration_ms, method, path, status, request, response }: RequestEntry, base: string) => {
  const url = new URL(base + path);
  const sent = archivedText(request.body);
  const text = archivedText(response.body);
  return {
    startedDateTime: at,
    time: duration_ms,
    request: {
      ...UNKNOWN,
      method,
      url: url.href,
      headers: nameValues(request.headers),
      queryString: nameValues(url.searchParams),
      ...(sent === '' ? {} : { postData: { mimeType: request.headers['content-type'] ?? '', text: sent } }),
    },
    response: {
      ...UNKNOWN,
      status,
      statusText: '',
      headers: nameValues(response.headers),
      content: { size: text.length, mimeType: response.headers['content-type'] ?? '', text },
      redirectURL: response.headers.location ?? '',
    },
    cache: {},
    timings: { send: 0, wait: duration_ms, receive: 0 },
  };
};

export const har = async ({ host, instance, request, query: { id } }: Call<'har'>): Promise<object> => {
  const { journal, world } = instance;
  const kept = id === undefined ? [...journal.all()].reverse() : [findOr404('exchange', id, journal.get(exchangeNumber(id)))];
  const base = `${new URL(request.url).origin}${instance === host.main ? '' : `/worlds/${instance.id}`}`;
  const showing = instance.showing();
  const entries = showUpTo(kept, (exchange) => entryOf(showing.entry(exchange), base), 2 * MAX_SHOWN_BYTES).reverse();
  const version = (await host.options.version?.()) ?? '';
  return {
    log: {
      version: '1.2',
      creator: { name: 'wm-mock', version, comment: `release ${releaseRow(world.release).version} of the API` },
      ...(entries.length < kept.length && { comment: `the newest ${entries.length} of ${kept.length}` }),
      entries,
    },
  };
};
