// A second page like a tested one, on a copy of its world: what a reload would show.
import type { BrowserContext, BrowserContextOptions, Page, Request, Route } from '@playwright/test';
import type { Mock } from '../../mock/api/mock.ts';
import { fetchFromWorld, ignoreIfGone, pathBelow } from '../test-runners/route-api.ts';
import { type FreshList, type ListLength, lengthenList } from './list-length.ts';
import { type Gesture, installKitInPage, KIT, type PageKit, readScreen } from './page-kit.ts';
import { type Region, type Screen, scrollInPage } from './read-screen.ts';
import { OpenRequests, type Setting, type TrackedPage } from './tracked-page.ts';
import type { WorldHistory } from './world-history.ts';

/** What the second page read from the copy. */
export interface FreshRead {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As the copy responded. */
  readonly sent: unknown;
  /** As the page got it: a list may be longer. */
  readonly body: unknown;
}

/** The parts of Playwright's own objects that have no public reader. */
interface Inner {
  readonly _options?: BrowserContextOptions & Readonly<Record<string, unknown>>;
  readonly _routes?: readonly {
    readonly url: string | RegExp | ((url: URL) => boolean);
    readonly handler: (route: Route, request: Request) => unknown;
  }[];
}

const PRIVATE = ['recordVideo', 'recordHar', 'logger', 'storageState', 'videosPath', 'tracesDir'];

const optionsOf = (context: BrowserContext, page: Page): BrowserContextOptions => {
  const options = Object.entries((context as Inner)._options ?? {}).filter(([name]) => !PRIVATE.includes(name));
  return { ...Object.fromEntries(options), viewport: page.viewportSize() };
};

const readStorageInPage = async () => {
  const globals = globalThis as { __pwClock?: { controller?: { _now?: { isFixedTime?: boolean } } } };
  const clock = globals.__pwClock?.controller && {
    now: Date.now(),
    fixed: globals.__pwClock.controller._now?.isFixedTime === true,
  };
  try {
    const databases = (await indexedDB.databases?.()) ?? [];
    return {
      origin: location.origin,
      local: { ...localStorage },
      session: { ...sessionStorage },
      databases: databases.length,
      clock,
    };
  } catch {
    return { origin: location.origin, local: {}, session: {}, databases: 0, clock };
  }
};

const writeStorageInPage = ({
  origin,
  local,
  session,
}: {
  origin: string;
  local: Record<string, string>;
  session: Record<string, string>;
}) => {
  if (location.origin !== origin) return;
  localStorage.clear();
  for (const [name, value] of Object.entries(local)) localStorage.setItem(name, value);
  for (const [name, value] of Object.entries(session)) sessionStorage.setItem(name, value);
};

const repeatSettings = async (target: Page | BrowserContext, settings: readonly Setting[]): Promise<void> => {
  const methods = target as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
  // Functions of the test hear nothing of this page.
  for (const [name, given] of settings)
    await methods[name]!(...(name.startsWith('expose') ? [given[0], () => undefined] : given));
};

/** How a second page comes to the view of the first. */
export interface PageView {
  /** What the user did. */
  readonly gestures: readonly Gesture[];
  readonly lists: ListLength;
}

export class SecondPage {
  readonly reads: FreshRead[] = [];
  /** Some list goes on after what the first page has read of it. */
  hasPartLists = false;
  readonly #first: TrackedPage;
  readonly #history: WorldHistory;
  readonly #copy: Mock;
  readonly #region: Region;
  readonly #view: PageView;
  #open: OpenRequests | undefined;
  #context: BrowserContext | undefined;
  #page: Page | undefined;

  constructor(first: TrackedPage, history: WorldHistory, copy: Mock, region: Region, view: PageView) {
    this.#first = first;
    this.#history = history;
    this.#copy = copy;
    this.#region = region;
    this.#view = view;
  }

  get isQuiet(): boolean {
    return this.#open?.isQuiet ?? false;
  }

  async load(): Promise<void> {
    const { page, html, settings, contextSettings } = this.#first;
    const context = page.context();
    const stored = await page.evaluate(readStorageInPage);
    const browser = context.browser();
    if (!browser)
      throw new Error(
        'toAgreeWithService: no second page can be opened, because a persistent context is the only one of its browser. Open the page with browser.newContext: see docs/agreement.md.',
      );
    const state =
      stored.databases > 0 ? await context.storageState({ indexedDB: true }) : { cookies: await context.cookies(), origins: [] };
    this.#context = await browser.newContext({ ...optionsOf(context, page), storageState: state });
    await this.#context.addInitScript(installKitInPage, ['', KIT] as const);
    await this.#context.addInitScript(writeStorageInPage, stored);
    await repeatSettings(this.#context, contextSettings);
    const second = await this.#context.newPage();
    this.#page = second;
    await repeatSettings(second, settings);
    if (stored.clock)
      await (stored.clock.fixed ? second.clock.setFixedTime(stored.clock.now) : second.clock.install({ time: stored.clock.now }));
    this.#open = new OpenRequests(second);
    await this.#route(second);
    if (html !== undefined) await second.setContent(html);
    else await second.goto(page.url(), { waitUntil: 'domcontentloaded' });
  }

  /** Later routes win: those of the test first, then the page's, then the service. */
  async #route(second: Page): Promise<void> {
    const { page, bases } = this.#first;
    for (const owner of [page.context(), page] as Inner[])
      for (const { url, handler } of [...(owner._routes ?? [])].reverse()) await second.route(url, handler as never);
    const longest = [...bases].sort((a, b) => b.length - a.length);
    const restOfUrl = (url: string) => longest.map((base) => pathBelow(url, base)).find((rest) => rest !== undefined);
    await second.route(
      ({ href }) => restOfUrl(href) !== undefined,
      async (route) => {
        const request = route.request();
        if (!/^(fetch|xhr)$/.test(request.resourceType())) return route.fallback();
        const isFulfilled = request.method() === 'GET' && (await this.#failAlike(route, request.url()));
        if (!isFulfilled) await this.#serve(route, restOfUrl(request.url())!).catch(ignoreIfGone(second));
      },
    );
  }

  /** A read that failed for the first page, or to which a test responded, has the same response. @returns false for others */
  async #failAlike(route: Route, url: string): Promise<boolean> {
    const last = this.#first.requests.findLast((one) => one.method === 'GET' && one.url === url && one.ended);
    if (!last) return false;
    const { past } = last;
    if (!past) {
      const response = await last.request.response();
      if (!response) await route.abort('connectionreset');
      else await route.fulfill({ status: response.status(), headers: response.headers(), body: await response.body() });
      return true;
    }
    const { response } = past.entry();
    const isDamaged =
      past.fault !== null &&
      (past.status >= 400 || past.status === 0 || typeof response.body === 'string' || response.body === null);
    if (!isDamaged && past.status < 500 && past.status !== 429) return false;
    if (past.status === 0) await route.abort('connectionreset');
    else {
      const body =
        typeof response.body === 'string' ? response.body : response.body === null ? '' : JSON.stringify(response.body);
      await route.fulfill({ status: past.status, headers: { ...response.headers, 'access-control-allow-origin': '*' }, body });
    }
    return true;
  }

  /** The copy has no faults that close a connection. */
  async #fetch(route: Route, rest: string): Promise<Response> {
    return (await fetchFromWorld(this.#copy, route, rest))!;
  }

  async #serve(route: Route, rest: string): Promise<void> {
    const url = route.request().url();
    const response = await this.#fetch(route, rest);
    const headers = Object.fromEntries(response.headers);
    if (route.request().method() !== 'GET' || !response.ok)
      return route.fulfill({ status: response.status, headers, body: await response.text() });
    const sent = (await response.json()) as FreshList;
    const lists = { first: this.#first, history: this.#history, length: this.#view.lists };
    const body = (await lengthenList(lists, url, rest, sent, (path) => this.#fetch(route, path))) ?? sent;
    this.hasPartLists ||= body !== sent;
    this.reads.push({ url, headers, sent, body });
    delete headers['content-length'];
    return route.fulfill({ status: response.status, headers, body: JSON.stringify(body) });
  }

  async read(): Promise<Screen> {
    return readScreen(this.#page!, this.#region);
  }

  async scroll({ scrolls }: Screen): Promise<void> {
    if (scrolls.length > 0) await this.#page!.evaluate(scrollInPage, { within: this.#region.within, scrolls });
  }

  async repeat(gesture: Parameters<PageKit['repeat']>[0]): Promise<boolean> {
    return this.#page!.evaluate(([kit, one]) => (Reflect.get(window, kit) as PageKit).repeat(one), [KIT, gesture] as const);
  }

  picture(): Promise<Buffer> {
    return this.#page!.screenshot();
  }

  async close(): Promise<void> {
    await this.#context?.close().catch(() => undefined);
    await this.#copy.close();
  }
}
