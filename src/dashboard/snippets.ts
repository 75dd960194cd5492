// A request of the journal as a line of shell and as a call of fetch, ready to be made again.
import type { RequestEntry } from '../http/show-exchange.ts';
import type { Context } from './context.ts';

/** The value of a key that the seed names; others were shown once and are shown no more. */
const keyValueOf = ({ instance, world }: Context, id: string | null): string | undefined => {
  const known = id === null ? undefined : instance.origin.world.store.keys.get(id)?.value;
  return known && world.store.keys.get(known.id)?.value.value === known.value ? known.value : undefined;
};

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const HIDDEN = 'Bearer $WM_API_KEY';

const bodyOf = ({ request: { body } }: RequestEntry): string | null =>
  body === null || typeof body === 'string' ? body : JSON.stringify(body);
const urlOf = (context: Context, { path }: RequestEntry): string => `${context.url.origin}${context.base}${path}`;
const typeOf = ({ request }: RequestEntry): string => request.headers['content-type'] ?? 'text/plain';

/** A line of shell. @param key the header of its key, as the shell is given it */
export const curlOf = (context: Context, entry: RequestEntry, key: string): string => {
  const body = bodyOf(entry);
  return [
    `curl -X ${entry.method} ${quoted(urlOf(context, entry))}`,
    ...(entry.request.headers.authorization === undefined ? [] : [`-H ${key}`]),
    ...(body === null ? [] : [`-H ${quoted(`content-type: ${typeOf(entry)}`)}`, `-d ${quoted(body)}`]),
  ].join(' \\\n  ');
};

/** A key that the mock may not show stands as the environment variable `WM_API_KEY`. */
export const snippetsOf = (context: Context, entry: RequestEntry) => {
  const value = keyValueOf(context, entry.key_id);
  const body = bodyOf(entry);
  const key = value === undefined ? HIDDEN : `Bearer ${value}`;
  const headers = {
    ...(entry.request.headers.authorization === undefined ? {} : { authorization: key }),
    ...(body === null ? {} : { 'content-type': typeOf(entry) }),
  };
  const init = JSON.stringify({ method: entry.method, headers, body: body ?? undefined }, null, 2);
  return {
    curl: curlOf(context, entry, value === undefined ? `"authorization: ${HIDDEN}"` : quoted(`authorization: ${key}`)),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code to copy
    fetch: `const answer = await fetch(${JSON.stringify(urlOf(context, entry))}, ${init.replace(`"${HIDDEN}"`, '`Bearer ${process.env.WM_API_KEY}`')});`,
  };
};
