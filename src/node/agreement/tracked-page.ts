// A tested page as the check needs to know it: its requests, what the user did on it, and how a second page is made like it.
import type { BrowserContext, Page, Request } from '@playwright/test';
import type { PastRequest, WorldHistory } from './world-history.ts';

/** What the user did to one element. */
export interface Gesture {
  readonly kind: 'click' | 'input';
  /** Tag and name of the element, and its place among those alike. */
  readonly tag: string;
  readonly name: string;
  readonly nth: number;
  readonly value?: string;
  /** URL of the page. */
  readonly href: string;
}

export interface PageRequest {
  readonly request: Request;
  readonly method: string;
  readonly url: string;
  /** In the journal; absent for requests that the world did not get. */
  past?: PastRequest;
  ended: boolean;
}

type Step = { readonly gesture: Gesture } | { readonly request: PageRequest };

/** Under this name, pages tell of gestures. */
const REPORT = '__wmMockGesture';

/** Under this name, pages keep what the check needs. */
export const KIT = '__wmMockScreen';

export interface PageKit {
  /** Fields whose value is the user's alone. */
  readonly touched: WeakSet<Element>;
  /** The field of a gesture counts again: its value was sent. */
  release(gesture: Gesture): void;
  /** @returns false: there is no such element */
  repeat(gesture: Gesture): boolean;
}

/** Runs in each page, before its scripts. */
export const installKitInPage = ([report, kit]: readonly [string, string]): void => {
  const touched = new WeakSet<Element>();
  const nameOf = (element: Element) =>
    (element.getAttribute('aria-label') ?? element.getAttribute('name') ?? element.textContent ?? '')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 80);
  const alike = (tag: string, name: string) =>
    [...document.querySelectorAll<HTMLElement>(tag)].filter((one) => nameOf(one) === name);
  const isToggle = (element: Element) => element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type);
  const tell = (kind: string, element: HTMLElement) => {
    const [tag, name] = [element.localName, nameOf(element)];
    const value = kind === 'input' ? (element as HTMLInputElement).value : undefined;
    const send = Reflect.get(window, report) as ((gesture: object) => unknown) | undefined;
    send?.({ kind, tag, name, nth: alike(tag, name).indexOf(element), value, href: location.href });
  };
  const onClick = ({ isTrusted, target }: Event) => {
    const clicked = target instanceof Element ? target : undefined;
    const element = clicked?.closest('a,button,input,select,textarea,summary,[role],[tabindex],li,tr') ?? clicked;
    if (!isTrusted || !element) return;
    if (isToggle(element)) touched.add(element);
    if (!/^(input|select|textarea)$/.test(element.localName) || isToggle(element)) tell('click', element as HTMLElement);
  };
  const onInput = ({ isTrusted, target }: Event) => {
    // Playwright's selectOption makes events of its own.
    if (!(target instanceof HTMLElement) || (!isTrusted && !(target instanceof HTMLSelectElement))) return;
    touched.add(target);
    if (!isToggle(target)) tell('input', target);
  };
  addEventListener('click', onClick, true);
  addEventListener('input', onInput, true);
  const release = ({ tag, name, nth }: Gesture) => {
    const element = alike(tag, name)[nth];
    if (element && (element instanceof HTMLSelectElement || isToggle(element))) touched.delete(element);
  };
  const repeat = ({ kind, tag, name, nth, value }: Gesture) => {
    const all = alike(tag, name);
    const element = all[nth] ?? all[0];
    if (!element) return false;
    if (kind === 'click') element.click();
    else {
      touched.add(element);
      // React hears of a value that its own setter has not seen.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')?.set?.call(element, value);
      for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true }));
    }
    return true;
  };
  Reflect.set(window, kit, { touched, release, repeat } satisfies PageKit);
};

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

const isStream = (request: Request): boolean =>
  request.resourceType() === 'eventsource' || request.resourceType() === 'websocket';

/** The path after `/v1`. */
const restOf = (path: string): string => path.replace(/^\/v1/, '');

export class TrackedPage {
  readonly page: Page;
  /** What happened since the page was loaded. */
  steps: Step[] = [];
  readonly requests: PageRequest[] = [];
  /** Hears of events as they come. */
  listens = false;
  /** Base URLs of the service, as the page calls it; ends in `/v1` unless a proxy adds that. */
  readonly bases = new Set<string>();
  readonly settings: readonly Setting[];
  /** HTML that a test set in place of a URL. */
  html: string | undefined;
  readonly #running = new Set<Request>();

  constructor(page: Page) {
    this.page = page;
    this.settings = recordSettings(page);
    this.#watchContent();
    page.on('request', (request) => this.#begin(request));
    page.on('requestfinished', (request) => this.#end(request));
    page.on('requestfailed', (request) => this.#end(request));
    page.on('websocket', () => {
      this.listens = true;
    });
    page.on('response', (response) => {
      if (!response.headers()['content-type']?.startsWith('text/event-stream')) return;
      this.listens = true;
      this.#end(response.request());
    });
  }

  get contextSettings(): readonly Setting[] {
    return contextSettings.get(this.page.context()) ?? [];
  }

  get isQuiet(): boolean {
    return this.#running.size === 0;
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
    if (isStream(request)) {
      this.listens = true;
      return;
    }
    this.#running.add(request);
    if (request.isNavigationRequest() && request.frame() === this.page.mainFrame()) this.steps = [];
    if (request.resourceType() !== 'fetch' && request.resourceType() !== 'xhr') return;
    const made: PageRequest = { request, method: request.method(), url: request.url(), ended: false };
    this.requests.push(made);
    this.steps.push({ request: made });
    const last = this.steps.at(-2);
    if (made.method !== 'GET' && last && 'gesture' in last)
      this.page
        .evaluate(([kit, gesture]) => (Reflect.get(window, kit) as PageKit).release(gesture), [KIT, last.gesture] as const)
        .catch(() => undefined);
  }

  #end(request: Request): void {
    this.#running.delete(request);
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
