// The worker's side: the whole mock in a service worker, persisted across reloads and restarts of the worker.
import type { Mock } from '../mock/api/mock.ts';
import { start as validate } from '../mock/api/more-options.generated.ts';
import { type Options, REGISTER, type START } from '../mock/api/options.ts';
import { errorMessage } from '../service/contract/errors.ts';
import { checkOptions } from '../service/validation/check.ts';
import { hash32 } from '../service/world/random.ts';
import { indexedDbShelf } from './indexed-db.ts';
import { CHOICE, type Hello, type HelloResponse, parameterOf } from './messages.ts';
import { fromNetwork, keepFiles, newestOrKept } from './page-files.ts';
import type { Client } from './page-sender.ts';
import { keepMock } from './serve.ts';

export type StartOptions = Options<typeof START>;

interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface ExtendableEvent extends Event {
  waitUntil(end: Promise<unknown>): void;
}
interface HelloEvent extends ExtendableEvent {
  readonly data: Partial<Hello> | null;
  readonly ports: readonly MessagePort[];
}

/** The parts of a service worker's environment that are used here. */
interface Surroundings {
  readonly location: { readonly href: string };
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void>; matchAll(): Promise<readonly Client[]> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'fetch', listen: (event: FetchEvent) => void): void;
  addEventListener(type: 'message', listen: (event: HelloEvent) => void): void;
  addEventListener(type: 'install' | 'activate', listen: (event: ExtendableEvent) => void): void;
}

/** The options from its page, except those of the registration itself and the choices. */
const { url: _url, scope: _scope, type: _type, choices: _choices, ...IN_ADDRESS } = REGISTER;

const plain = (value: object): object => Object.fromEntries(Object.entries(value).filter(([, given]) => given !== undefined));

/** Options in the worker's URL, the only thing that the browser stores with a registration. */
export const optionsIn = (address: string): StartOptions & { readonly seedUrl?: string } => {
  const given = new URL(address).searchParams;
  const text = (name: string) => given.get(name) ?? undefined;
  const chosen = [...given].filter(([name]) => name.startsWith(CHOICE));
  const choices = Object.fromEntries(chosen.map(([name, option]) => [name.slice(CHOICE.length), option]));
  const texts = Object.fromEntries(Object.keys(IN_ADDRESS).map((name) => [name, text(parameterOf(name))]));
  const { seed, offline, randomSeed, ...plainly } = texts;
  return plain({
    ...plainly,
    seedUrl: seed,
    offline: offline === undefined ? undefined : true,
    randomSeed: randomSeed === undefined ? undefined : Number(randomSeed),
    choices: Object.keys(choices).length > 0 ? choices : undefined,
  });
};

const fingerprint = (text: string): string => `${text.length}-${hash32(text)}-${hash32(text, 1)}`;

const readSeedMessage = async (url: string): Promise<string> => {
  const response = await fromNetwork(url).catch((error) => {
    throw new Error(`the seed ${url} cannot be read: ${String(error)}. Serve the file at that address.`);
  });
  if (!response.ok) throw new Error(`the seed ${url} cannot be read: status ${response.status}. Serve the file there.`);
  const text = await response.text();
  if (text.trimStart().startsWith('<')) throw new Error(`the seed ${url} is an HTML page. Serve the file at that address.`);
  return text;
};

const welcome = async (kept: ReturnType<typeof keepMock>, baseUrl: string): Promise<HelloResponse> => {
  try {
    const { keys }: Mock = await kept.mock();
    return { baseUrl, controlUrl: baseUrl.replace(/\/v1\/?$/, '/_mock'), keys };
  } catch (error) {
    return { error: errorMessage(error) };
  }
};

/**
 * Serves the mock from this service worker: call it once, while the script is first evaluated.
 * Options given here win over those in the worker's URL. State from other options is discarded.
 */
export const start = (own: StartOptions = {}): void => {
  const worker = globalThis as unknown as Surroundings;
  const { seedUrl, ...inAddress } = optionsIn(worker.location.href);
  const given: StartOptions = { ...inAddress, ...plain(own) };
  const { seed, baseUrl = new URL('v1', worker.registration.scope).href, offline = false, ...options } = given;
  const name = `wm-mock ${worker.registration.scope}`;
  const kept = keepMock({
    ...options,
    baseUrl,
    madeOf: fingerprint(JSON.stringify({ ...options, seed: seed ?? seedUrl ?? null })),
    shelf: () => indexedDbShelf(name),
    pages: () => worker.clients.matchAll(),
    readSeed: async () => {
      checkOptions('start', validate, given);
      return seed ?? (seedUrl === undefined ? undefined : readSeedMessage(seedUrl));
    },
  });
  worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
  worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));
  worker.addEventListener('fetch', (event) => {
    if (!kept.owns(event.request.url)) {
      const own = event.request.method === 'GET' && event.request.url.startsWith(new URL('/', worker.location.href).href);
      if (offline && own) event.respondWith(newestOrKept(name, event.request));
      return;
    }
    const response = kept.serve(event.request);
    event.respondWith(response);
    event.waitUntil(response.then(() => kept.rest()).catch(() => {}));
  });
  worker.addEventListener('message', (event) => {
    const [port] = event.ports;
    if (event.data?.wmMock !== 'hello' || !port) return;
    const { files = [] } = event.data;
    // A page that was reloaded past its worker has none until it is claimed.
    event.waitUntil(
      worker.clients
        .claim()
        .then(() => (offline ? keepFiles(name, files) : undefined))
        .then(() => welcome(kept, baseUrl))
        .then((greeting) => port.postMessage(greeting)),
    );
  });
};
