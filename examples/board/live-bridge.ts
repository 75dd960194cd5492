// The smallest backend: a browser cannot receive webhooks, so what reaches the mock's inbox is passed on to pages as server-sent events.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin } from 'vite';
import type { WebhookEvent } from './src/live.ts';

const EVENTS = ['created', 'updated', 'deleted'].flatMap((what) => [`task.${what}`, `project.${what}`]);
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** Passes on each event that the inbox gets from now on; `ready` once none can be missed. Ends with the page or the mock. */
const passOn = async (inbox: string, ready: () => void, send: (event: WebhookEvent) => void, signal: AbortSignal) => {
  const read = async () => {
    const { items } = (await (await fetch(`${inbox}/messages`, { signal })).json()) as { items: { body: WebhookEvent }[] };
    return items.map(({ body }) => body);
  };
  const stream = await fetch(inbox.replace(/\/inbox\/.*/, '/events'), { signal });
  // An event that is delivered once more has the same id.
  const seen = new Set((await read()).map(({ id }) => id));
  ready();
  for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
    if (!chunk.includes('event: delivery')) continue;
    for (const event of (await read()).filter(({ id }) => !seen.has(id))) {
      seen.add(event.id);
      send(event);
    }
  }
};

const live = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const inbox = new URL(request.url!, 'http://here').searchParams.get('inbox') ?? '';
  if (!URL.canParse(inbox) || !LOOPBACK.test(new URL(inbox).hostname)) return void response.writeHead(400).end();
  const left = new AbortController();
  response.on('close', () => left.abort());
  const ready = () => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.flushHeaders();
  };
  const send = (event: WebhookEvent) => response.write(`data: ${JSON.stringify(event)}\n\n`);
  await passOn(inbox, ready, send, left.signal).catch(() => response.headersSent || response.writeHead(502));
  response.end();
};

/** Under `wm-mock exec` the inbox is made a receiver: what a backend does once, with the service that it belongs to. */
const subscribe = async ({ WM_BASE_URL: api, WM_CONTROL_URL: control, WM_API_KEY_WRITE: key } = process.env): Promise<void> => {
  if (!api || !control) return;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ url: `${control}/inbox/board`, events: EVENTS });
  await fetch(`${api}/webhooks`, { method: 'POST', headers, body });
};

interface Served {
  readonly middlewares: { use(path: string, handle: typeof live): unknown };
}

/** Answers `/live`, in development and in preview. */
export const liveBridge = (): Plugin => {
  const serve = ({ middlewares }: Served): void => void middlewares.use('/live', live);
  return {
    name: 'live-bridge',
    configureServer: (server) => {
      serve(server);
      return () => void subscribe();
    },
    configurePreviewServer: serve,
  };
};
