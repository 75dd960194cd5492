// The page's side: registers the worker, waits until it controls the page, and returns the mock's addresses.
import type { MockKey } from '../mock/api/mock.ts';
import { register as validate } from '../mock/api/more-options.generated.ts';
import type { Options, REGISTER } from '../mock/api/options.ts';
import type { Scope } from '../service/contract/states.ts';
import { checkOptions } from '../service/validation/check.ts';
import {
  CHOICE,
  type Hello,
  type HelloResponse,
  type PageMessage,
  parameterOf,
  type WebhookCall,
  type Welcome,
} from './messages.ts';

export type RegisterOptions = Options<typeof REGISTER>;

/** Receives webhooks in a page: returns a response like a server's handler, or only a status. */
export type Receive = (request: Request) => Response | number | Promise<Response | number>;

export interface RegisteredMock extends Welcome {
  /** The header of the first key of a scope. @throws RangeError when there is none. */
  auth(scope: Scope, workspace?: string): { readonly authorization: string };
  /** Receives webhooks for URLs with this prefix while this page is open. @returns a function that stops it. */
  receive(urlStart: string, receive: Receive): () => void;
  /** Removes the worker and deletes its data. */
  unregister(): Promise<void>;
}

const container = (): ServiceWorkerContainer => {
  const { serviceWorker } = globalThis.navigator as { serviceWorker?: ServiceWorkerContainer };
  if (serviceWorker) return serviceWorker;
  const says =
    'wm-mock cannot register its worker: this page has no service workers. Serve it over https or from localhost, outside of a private window. See docs/service-worker.md.';
  throw new Error(says);
};

const here = (): string => (globalThis as unknown as { location: { href: string } }).location.href;

const workerAddress = ({ url = '/wm-mock-worker.js', scope: _, type: __, choices, ...rest }: RegisterOptions): string => {
  const address = new URL(url, here());
  const { seed, offline, forwardCompat, ...plain } = rest;
  const forward = forwardCompat === true ? 'all' : forwardCompat || undefined;
  const given = {
    ...plain,
    forwardCompat: forward,
    seed: seed && (seed === 'demo' ? new URL('wm-mock-demo.json', address) : new URL(seed, here())).href,
    offline: offline || undefined,
  };
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) address.searchParams.set(parameterOf(name), String(value));
  }
  for (const [name, value] of Object.entries(choices ?? {})) address.searchParams.set(CHOICE + name, value);
  return address.href;
};

const untilActivated = (worker: ServiceWorker): Promise<void> =>
  new Promise((done, fail) => {
    const look = () => {
      if (worker.state === 'activated') done();
      else if (worker.state === 'redundant')
        fail(new Error('the worker of wm-mock was replaced before it started. Reload the page.'));
    };
    worker.addEventListener('statechange', look);
    look();
  });

/** The URLs of this page and of everything it has loaded from its own origin. */
const ownFiles = (): string[] => {
  const { origin } = new URL(here());
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  return [...new Set([here().replace(/#.*/s, ''), ...loaded])].filter((address) => address.startsWith(`${origin}/`));
};

const greet = (worker: ServiceWorker): Promise<HelloResponse> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<HelloResponse>) => {
      port1.close();
      resolve(data);
    };
    worker.postMessage({ wmMock: 'hello', files: ownFiles() } satisfies Hello, [port2]);
  });

const untilControlled = (workers: ServiceWorkerContainer): Promise<void> =>
  new Promise((done) => {
    workers.addEventListener('controllerchange', () => done());
    if (workers.controller) done();
  });

/** The webhook handlers of this page, by URL prefix. */
const receivers = new Map<string, Receive>();

const listenToWorker = async ({ data, ports: [port] }: MessageEvent<WebhookCall | null>): Promise<void> => {
  if (data?.wmMock !== 'webhook' || !port) return;
  const { url, headers, body } = data;
  const send = (message: PageMessage) => port.postMessage(message);
  const receive = [...receivers].find(([start]) => url.startsWith(start))?.[1];
  send({ taken: receive !== undefined });
  if (!receive) return;
  try {
    const given = await receive(new Request(url, { method: 'POST', headers, body }));
    send(typeof given === 'number' ? { status: given, excerpt: '' } : { status: given.status, excerpt: await given.text() });
  } catch (error) {
    send({ status: 500, excerpt: String(error) });
  }
};

const deleteDatabase = (name: string): Promise<void> =>
  new Promise((done) => {
    const end = () => done();
    Object.assign(indexedDB.deleteDatabase(name), { onsuccess: end, onerror: end, onblocked: end });
  });

/** Puts the mock behind this page. @throws RangeError when an option is unknown or impossible, Error that says what is wrong with the page, the script or the seed. */
export const register = async (options: RegisterOptions = {}): Promise<RegisteredMock> => {
  checkOptions('register', validate, options);
  const workers = container();
  const address = workerAddress(options);
  const { scope, type = 'classic' } = options;
  const registration = await workers.register(address, { type, ...(scope === undefined ? {} : { scope }) }).catch((error) => {
    const says = `wm-mock cannot register its worker ${address}: ${String(error)}. Copy the file there: npx wm-mock init --service-worker <folder>. See docs/service-worker.md.`;
    throw new Error(says);
  });
  const worker = (registration.installing ?? registration.waiting ?? registration.active)!;
  await untilActivated(worker);
  const greeting = await greet(worker);
  if ('error' in greeting) throw new Error(`wm-mock cannot start in the worker: ${greeting.error}`);
  await untilControlled(workers);
  workers.addEventListener('message', listenToWorker);
  workers.startMessages();
  const keys: readonly MockKey[] = greeting.keys;
  return {
    ...greeting,
    auth: (wanted, workspace) => {
      const key = keys.find((one) => one.scope === wanted && (workspace === undefined || one.workspace_id === workspace));
      if (!key) throw new RangeError(`auth: expected a scope that the seed has a key of, got "${wanted}"`);
      return { authorization: `Bearer ${key.value}` };
    },
    receive: (urlStart, receive) => {
      const start = new URL(urlStart, here()).href;
      receivers.set(start, receive);
      return () => void receivers.delete(start);
    },
    unregister: async () => {
      await registration.unregister();
      await deleteDatabase(`wm-mock ${registration.scope}`);
      await caches.delete(`wm-mock ${registration.scope}`);
    },
  };
};
