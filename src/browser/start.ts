// The worker's side: the whole mock in a service worker, kept over reloads and over the worker's own end.
import { PLANS, type Plan } from '../contract/limits.ts';
import type { Release } from '../contract/releases.ts';
import type { Mock } from '../mock/mock.ts';
import type { MockOptions } from '../mock/options.ts';
import { hash32 } from '../world/random.ts';
import { indexedDbShelf } from './indexed-db.ts';
import { CHOICE, type Hello, type HelloAnswer, PARAMETERS } from './messages.ts';
import { fromNetwork } from './network.ts';
import { keepFiles, newestOrKept } from './page-files.ts';
import type { Client } from './page-sender.ts';
import { KeptMock } from './serve.ts';

export interface StartOptions extends Omit<MockOptions, 'sender' | 'deliverPublic' | 'docsScript'> {
  /** Under which the mock answers; ends in `/v1`. Absent: `v1` in the scope of the worker. */
  readonly baseUrl?: string;
  /** Keeps the page's own files as well, newest first: with the network cut, a reload finds them. */
  readonly offline?: boolean;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface ExtendableEvent extends Event {
  waitUntil(end: Promise<unknown>): void;
}
interface HelloEvent extends ExtendableEvent {
  readonly data: Partial<Hello> | null;
  readonly ports: readonly MessagePort[];
}

/** What of a service worker's surroundings is used here. */
interface Surroundings {
  readonly location: { readonly href: string };
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void>; matchAll(): Promise<readonly Client[]> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'fetch', listen: (event: FetchEvent) => void): void;
  addEventListener(type: 'message', listen: (event: HelloEvent) => void): void;
  addEventListener(type: 'install' | 'activate', listen: (event: ExtendableEvent) => void): void;
}

const plain = (value: object): object => Object.fromEntries(Object.entries(value).filter(([, given]) => given !== undefined));

/** What the address of the worker says: it is the one thing that the browser keeps with a registration. */
export const optionsIn = (address: string): StartOptions & { readonly seedUrl?: string } => {
  const given = new URL(address).searchParams;
  const text = (name: string) => given.get(name) ?? undefined;
  const answers = [...given].filter(([name]) => name.startsWith(CHOICE));
  const choices = Object.fromEntries(answers.map(([name, answer]) => [name.slice(CHOICE.length), answer]));
  const number = text(PARAMETERS.randomSeed);
  return plain({
    seedUrl: text(PARAMETERS.seed),
    now: text(PARAMETERS.now),
    plan: text(PARAMETERS.plan) as Plan | undefined,
    release: text(PARAMETERS.release) as Release | undefined,
    forwardCompat: text(PARAMETERS.forwardCompat),
    offline: given.has(PARAMETERS.offline) || undefined,
    randomSeed: number === undefined ? undefined : Number(number),
    baseUrl: text(PARAMETERS.baseUrl),
    choices: Object.keys(choices).length > 0 ? choices : undefined,
  });
};

/** @throws RangeError when an option that nobody checks later is wrong. */
const checked = ({ plan, randomSeed }: StartOptions): void => {
  const wrong = (name: string, expected: string, got: unknown) => new RangeError(`${name}: expected ${expected}, got "${got}"`);
  if (plan !== undefined && !Object.hasOwn(PLANS, plan)) throw wrong('plan', `one of ${Object.keys(PLANS).join(', ')}`, plan);
  if (randomSeed !== undefined && !Number.isSafeInteger(randomSeed)) throw wrong('randomSeed', 'a whole number', randomSeed);
};

const fingerprint = (text: string): string => `${text.length}-${hash32(text)}-${hash32(text, 1)}`;

const readSeed = async (url: string): Promise<string> => {
  const answer = await fromNetwork(url).catch((error) => {
    throw new Error(`the seed ${url} cannot be read: ${String(error)}. Serve the file at that address.`);
  });
  if (!answer.ok) throw new Error(`the seed ${url} cannot be read: it is answered ${answer.status}. Serve the file there.`);
  return answer.text();
};

const welcome = async (kept: KeptMock, baseUrl: string): Promise<HelloAnswer> => {
  try {
    const { keys }: Mock = await kept.mock();
    return { baseUrl, controlUrl: baseUrl.replace(/\/v1\/?$/, '/_mock'), keys };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
};

/**
 * Serves the mock from this service worker: call it once, while the script is first evaluated.
 * Options given here win over those in the worker's address. A state that was made of other options is thrown away.
 */
export const start = (own: StartOptions = {}): void => {
  const worker = globalThis as unknown as Surroundings;
  const { seedUrl, ...told } = optionsIn(worker.location.href);
  const given: StartOptions = { ...told, ...plain(own) };
  const { seed, baseUrl = new URL('v1', worker.registration.scope).href, offline = false, ...options } = given;
  const name = `wm-mock ${worker.registration.scope}`;
  const kept = new KeptMock({
    ...options,
    baseUrl,
    madeOf: fingerprint(JSON.stringify({ ...options, seed: seed ?? seedUrl ?? null })),
    shelf: () => indexedDbShelf(name),
    pages: () => worker.clients.matchAll(),
    readSeed: async () => {
      checked(options);
      return seed ?? (seedUrl === undefined ? undefined : readSeed(seedUrl));
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
    const answer = kept.answer(event.request);
    event.respondWith(answer);
    event.waitUntil(answer.then(() => kept.rest()).catch(() => {}));
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
        .then((answer) => port.postMessage(answer)),
    );
  });
};
