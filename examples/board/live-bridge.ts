// The smallest backend: a browser cannot receive webhooks, so what reaches the mock's inbox is passed on to pages as server-sent events.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin } from 'vite';

interface Message {
  readonly id: string;
  readonly body: { readonly id: string; readonly event: string };
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** Passes on each event that the inbox gets from now on; ends with the page or the mock. */
const passOn = async (inbox: string, send: (event: Message['body']) => void, signal: AbortSignal): Promise<void> => {
  const messages = async () => ((await (await fetch(`${inbox}/messages`, { signal })).json()) as { items: Message[] }).items;
  const stream = await fetch(inbox.replace(/\/inbox\/.*/, '/events'), { signal });
  const seen = new Set((await messages()).map(({ body }) => body.id));
  // The mock tells when a delivery has moved on; a delivery that is repeated has the same event id.
  for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
    if (!chunk.includes('event: delivery')) continue;
    for (const { body } of (await messages()).filter(({ body }) => !seen.has(body.id))) {
      seen.add(body.id);
      send(body);
    }
  }
};

const live = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const inbox = new URL(request.url!, 'http://here').searchParams.get('inbox') ?? '';
  if (!URL.canParse(inbox) || !LOOPBACK.test(new URL(inbox).hostname)) return void response.writeHead(400).end();
  const left = new AbortController();
  response.on('close', () => left.abort());
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).flushHeaders();
  const send = (event: Message['body']) =>
    response.write(`data: ${JSON.stringify({ about: event.event.startsWith('project.') ? 'projects' : 'tasks' })}\n\n`);
  await passOn(inbox, send, left.signal).catch(() => {});
  response.end();
};

interface Served {
  readonly middlewares: { use(path: string, handle: typeof live): unknown };
}

/** Answers `/live`, in development and in preview. */
export const liveBridge = (): Plugin => {
  const serve = ({ middlewares }: Served): void => void middlewares.use('/live', live);
  return { name: 'live-bridge', configureServer: serve, configurePreviewServer: serve };
};
