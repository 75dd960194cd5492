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

/** A key that the mock may not show stands as the environment variable `WM_API_KEY`. */
export const snippetsOf = (context: Context, { method, path, request, key_id }: RequestEntry) => {
  const url = `${context.url.origin}${context.base}${path}`;
  const value = keyValueOf(context, key_id);
  const body = request.body === null || typeof request.body === 'string' ? request.body : JSON.stringify(request.body);
  const headers: Record<string, string> = {};
  if (request.headers.authorization !== undefined) headers.authorization = value === undefined ? HIDDEN : `Bearer ${value}`;
  if (body !== null) headers['content-type'] = request.headers['content-type'] ?? 'text/plain';
  const curl = [
    `curl -X ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, is]) => `-H ${is === HIDDEN ? `"${name}: ${is}"` : quoted(`${name}: ${is}`)}`),
    ...(body === null ? [] : [`-d ${quoted(body)}`]),
  ];
  const init = JSON.stringify({ method, headers, body: body ?? undefined }, null, 2);
  return {
    curl: curl.join(' \\\n  '),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code to copy
    fetch: `const answer = await fetch(${JSON.stringify(url)}, ${init.replace(`"${HIDDEN}"`, '`Bearer ${process.env.WM_API_KEY}`')});`,
  };
};
