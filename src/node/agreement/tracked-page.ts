// A tested page as the check needs to know it: its requests, what the user did on it, and how a second page is made like it.
import type { BrowserContext, Page, Request } from '@playwright/test';
import { type Gesture, installKitInPage, KIT, type PageKit, REPORT } from './page-kit.ts';
import type { PastRequest, WorldHistory } from './world-history.ts';

export interface TrackedRequest {
  readonly request: Request;
  readonly method: string;
  readonly url: string;
  /** In the journal; absent for requests that the world did not get. */
  past?: PastRequest;
  ended: boolean;
}

type PageStep = { readonly gesture: Gesture } | { readonly request: TrackedRequest };

/** Calls that shape a page or a context, repeated on the second one. */
const SETTINGS = [
  'addInitScript',
  'emulateMedia',
  'setExtraHTTPHeaders',
  'setGeolocation',
  'grantPermissions',
  'exposeFunction',
  'exposeBinding',
];

export type Setting = readonly [name: string, given: readonly unknown[]];

const recordSettings = (target: object): Setting[] => {
  const calls: Setting[] = [];
  const methods = target as Record<string, unknown>;
  for (const name of SETTINGS) {
    const own = methods[name];
    if (typeof own !== 'function') continue;
    methods[name] = (...given: unknown[]) => {
      calls.push([name, given]);
      return own.apply(target, given);
    };
  }
  return calls;
};

const contextSettings = new WeakMap<BrowserContext, Setting[]>();

/** To be called before pages of the context are opened. */
export const trackContext = async (context: BrowserContext, onGesture: (page: Page, gesture: Gesture) => void): Promise<void> => {
  await context.exposeBinding(REPORT, ({ page }, gesture: Gesture) => onGesture(page, gesture));
  await context.addInitScript(installKitInPage, [REPORT, KIT] as const);
  contextSettings.set(context, recordSettings(context));
};

/** The requests of a page that have no response yet. */
export class OpenRequests {
  /** The page hears of events as they come. */
  listens = false;
  readonly #open = new Set<Request>();

  constructor(page: Page) {
    const listen = (request: Request) => {
      this.listens = true;
      this.#open.delete(request);
    };
    page.on('request', (request) => void this.#open.add(request));
    page.on('requestfinished', (request) => void this.#open.delete(request));
    page.on('requestfailed', (request) => void this.#open.delete(request));
    page.on('request', (request) => request.resourceType() === 'eventsource' && listen(request));
    page.on('response', (response) => {
      if (response.headers()['content-type']?.startsWith('text/event-stream')) listen(response.request());
    });
    page.on('websocket', () => {
      this.listens = true;
    });
  }

  get isQuiet(): boolean {
    return this.#open.size === 0;
  }
}

/** The path after `/v1`. */
const restOf = (path: string): string => path.replace(/^\/v1/, '');

export class TrackedPage {
  readonly page: Page;
  /** What happened since the page was loaded. */
  steps: PageStep[] = [];
  readonly requests: TrackedRequest[] = [];
  /** Base URLs of the service, as the page calls it; ends in `/v1` unless a proxy adds that. */
  readonly bases = new Set<string>();
  readonly settings: readonly Setting[];
  /** HTML that a test set in place of a URL. */
  html: string | undefined;
  readonly open: OpenRequests;

  constructor(page: Page) {
    this.page = page;
    this.settings = recordSettings(page);
    this.#watchContent();
    this.open = new OpenRequests(page);
    page.on('request', (request) => this.#begin(request));
    page.on('requestfinished', (request) => this.#end(request));
    page.on('requestfailed', (request) => this.#end(request));
  }

  get contextSettings(): readonly Setting[] {
    return contextSettings.get(this.page.context()) ?? [];
  }

  #watchContent(): void {
    const { page } = this;
    const setContent = page.setContent.bind(page);
    page.setContent = (html, options) => {
      this.html = html;
      return setContent(html, options);
    };
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame() && frame.url() !== 'about:blank') this.html = undefined;
    });
  }

  #begin(request: Request): void {
    if (request.isNavigationRequest() && request.frame() === this.page.mainFrame()) this.steps = [];
    if (request.resourceType() !== 'fetch' && request.resourceType() !== 'xhr') return;
    const made: TrackedRequest = { request, method: request.method(), url: request.url(), ended: false };
    this.requests.push(made);
    this.steps.push({ request: made });
    const last = this.steps.at(-2);
    if (made.method !== 'GET' && last && 'gesture' in last)
      this.page
        .evaluate(([kit, gesture]) => (Reflect.get(window, kit) as PageKit).release(gesture), [KIT, last.gesture] as const)
        .catch(() => undefined);
  }

  #end(request: Request): void {
    const made = this.requests.find((one) => one.request === request);
    if (made) made.ended = true;
  }

  note(gesture: Gesture): void {
    this.steps.push({ gesture });
  }

  /** Finds its requests in the journal, in order. */
  match({ requests }: WorldHistory): void {
    const known = new Set(this.requests.map(({ past }) => past));
    for (const one of this.requests) {
      if (one.past) continue;
      const past = requests.find(
        (each) => !known.has(each) && each.method === one.method && one.url.endsWith(restOf(each.path)) && each.path !== '/v1',
      );
      if (!past) continue;
      known.add(past);
      one.past = past;
      this.bases.add(one.url.slice(0, -restOf(past.path).length));
    }
  }

  /**
   * What the user did since the page was loaded, without what led to a write.
   * @param whole with the clicks before a write, such as those that opened its form
   */
  gesturesOfView(whole: boolean): Gesture[] {
    const kept: Gesture[] = [];
    let open: Gesture[] = [];
    const href = this.page.url();
    for (const [i, step] of this.steps.entries()) {
      if ('gesture' in step) {
        const next = this.steps[i + 1];
        const isTyped =
          step.gesture.kind === 'input' &&
          next &&
          'gesture' in next &&
          next.gesture.kind === 'input' &&
          next.gesture.nth === step.gesture.nth &&
          next.gesture.name === step.gesture.name;
        if (!isTyped && step.gesture.href === href) open.push(step.gesture);
      } else if (step.request.method === 'GET') {
        kept.push(...open);
        open = [];
      } else {
        if (whole) kept.push(...open.filter(({ kind }, at) => kind === 'click' && at < open.length - 1));
        open = [];
      }
    }
    return [...kept, ...open];
  }
}
