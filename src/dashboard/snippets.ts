// A request of the journal as a line of shell and as a call of fetch, ready to be made again.
import type { RequestEntry } from '../http/show-exchange.ts';
import type { Context } from './context.ts';

/** The value of a key that the seed names; others were shown once and are shown no more. */
const keyValueOf = ({ instance, world }: Context, id: string | null): string | undefined => {
  const known = id === null ? undefined : instance.origin.world.store.keys.get(id)?.value;
  return known && world.store.keys.get(known.id)?.value.value === known.value ? known.value : undefined;
};

const ENVIRONMENT = "'Bearer ' + process.env.WM_API_KEY";
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const bodyOf = ({ request: { body } }: RequestEntry): string | undefined =>
  body === null ? undefined : typeof body === 'string' ? body : JSON.stringify(body);

interface Snippets {
  readonly curl: string;
  readonly fetch: string;
}

/** A key that the mock may not show stands as the environment variable `WM_API_KEY`. */
export const snippetsOf = (context: Context, entry: RequestEntry): Snippets => {
  const { method, path, request, key_id } = entry;
  const url = `${context.url.origin}${context.base}${path}`;
  const asked = request.headers.authorization !== undefined;
  const value = keyValueOf(context, key_id);
  const body = bodyOf(entry);
  const type = body === undefined ? undefined : request.headers['content-type'];
  const curl = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    ...(asked
      ? [`-H ${value === undefined ? '"Authorization: Bearer $WM_API_KEY"' : quoted(`Authorization: Bearer ${value}`)}`]
      : []),
    ...(type === undefined ? [] : [`-H ${quoted(`Content-Type: ${type}`)}`]),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ];
  const headers = [
    ...(asked ? [`authorization: ${value === undefined ? ENVIRONMENT : JSON.stringify(`Bearer ${value}`)}`] : []),
    ...(type === undefined ? [] : [`'content-type': ${JSON.stringify(type)}`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(body === undefined ? [] : [`  body: ${JSON.stringify(body)},`]),
  ];
  const call = options.length > 0 ? `${JSON.stringify(url)}, {\n${options.join('\n')}\n}` : JSON.stringify(url);
  return { curl: curl.join(' \\\n  '), fetch: `const answer = await fetch(${call});` };
};
