// A second page like a tested one, on a copy of its world: what a reload would show.
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request, Route } from '@playwright/test';
import type { Mock } from '../../mock/api/mock.ts';
import { parseJson } from '../../service/validation/json-text.ts';
import { lengthenList } from './lengthen-list.ts';
import { contentOf, hideCalls, settingCalls } from './page-calls.ts';
import { installKitInPage } from './read-screen.ts';
import { fetchFromWorld, ignoreIfGone, pathBelow } from './route-api.ts';
import { TrackedPage } from './tracked-page.ts';

/** The parts of Playwright's own objects that have no public reader. */
interface Inner {
  /** Playwright keeps headers as a list. */
  readonly _options?: BrowserContextOptions;
  readonly _contexts?: Set<BrowserContext>;
  readonly _routes?: readonly {
    readonly url: string | RegExp | ((url: URL) => boolean);
    readonly handler: (route: Route, request: Request) => unknown;
  }[];
}

type Methods = Record<string, (...given: readonly unknown[]) => Promise<unknown>>;

/** A page of the app's origin: storage is written there before the app starts. */
const BLANK = '/wm-mock-blank';
const MAX_ACTION_MS = 1000;
const MAX_NAVIGATION_MS = 30_000;

const readStateInPage = async () => {
  const { __pwClock: clock } = globalThis as { __pwClock?: { controller?: { _now?: { isFixedTime?: boolean } } } };
  const now = clock?.controller && { time: Date.now(), isFixed: clock.controller._now?.isFixedTime === true };
  try {
    const databases = (await indexedDB.databases?.()) ?? [];
    return { now, hasDatabases: databases.length > 0, local: { ...localStorage }, session: { ...sessionStorage } };
  } catch {
    return { now, hasDatabases: false, local: {}, session: {} };
  }
};

const writeStorageInPage = ({ local, session }: Record<'local' | 'session', Record<string, string>>) => {
  for (const [storage, state] of [[localStorage, local] as const, [sessionStorage, session] as const]) {
    storage.clear();
    for (const [key, value] of Object.entries(state)) storage.setItem(key, value);
  }
};

const blankOf = (href: string): string | undefined => (/^https?:/.test(href) ? new URL(BLANK, href).href : undefined);

const openPage = async (browser: Browser, options: BrowserContextOptions): Promise<Page> => {
  const context = await browser.newContext(options);
  // The test runner shall make no picture, trace or video of it.
  for (const owner of [browser, browser.browserType()] as Inner[]) owner._contexts?.delete(context);
  await context.tracing.stop().catch(() => undefined);
  await context.addInitScript(installKitInPage, false);
  const page = await context.newPage();
  page.setDefaultTimeout(MAX_ACTION_MS);
  page.setDefaultNavigationTimeout(MAX_NAVIGATION_MS);
  return page;
};

/** Keeps a page warm for the second pages of one tested page. */
export class SecondPages {
  readonly first: TrackedPage;
  /** Actions are repeated: none of them may write. */
  repeats = false;
  /** A repeated action led to a write, which was not sent. */
  wrote = false;
  /** A list was longer than its first page. */
  lengthened = false;
  #page: Page | undefined;
  #cleared: Promise<void> | undefined;
  /** Options and settings of the warm page. */
  #key = '';

  constructor(first: TrackedPage) {
    this.first = first;
  }

  /** @param lengthens lists are as long as the first page has them */
  async load(copy: Mock, lengthens: boolean): Promise<TrackedPage> {
    await this.#cleared;
    [this.repeats, this.wrote, this.lengthened] = [false, false, false];
    const { page } = this.first;
    const [context, href, html] = [page.context(), page.url(), contentOf(page)];
    const state = await page.evaluate(readStateInPage);
    const second = await this.#openLike(context, state);
    const cookies = await context.cookies();
    await second.context().clearCookies();
    if (cookies.length > 0) await second.context().addCookies(cookies);
    await this.#route(second, copy, lengthens);
    const blank = blankOf(href);
    if (blank !== undefined) {
      if (second.url() !== blank) await second.goto(blank);
      await second.evaluate(writeStorageInPage, state);
    }
    second.on('dialog', (dialog) => dialog.accept());
    const tracked = new TrackedPage(second);
    await (html === undefined ? second.goto(href, { waitUntil: 'commit' }) : second.setContent(html));
    return tracked;
  }

  async #openLike(context: BrowserContext, { now, hasDatabases }: Awaited<ReturnType<typeof readStateInPage>>): Promise<Page> {
    const { page } = this.first;
    const browser = context.browser();
    if (!browser)
      throw new Error(
        'toAgreeWithService: no second page can be opened, because a persistent context is the only one of its browser. Open the page with browser.newContext: see docs/agreement.md.',
      );
    const {
      recordVideo: _,
      recordHar: __,
      logger: ___,
      storageState: ____,
      extraHTTPHeaders: given,
      ...own
    } = (context as Inner)._options ?? {};
    const extraHTTPHeaders = Array.isArray(given) ? Object.fromEntries(given.map(({ name, value }) => [name, value])) : given;
    const options: BrowserContextOptions = {
      ...own,
      ...(extraHTTPHeaders && { extraHTTPHeaders }),
      viewport: page.viewportSize(),
    };
    const settings = [settingCalls(context), settingCalls(page)] as const;
    const key = JSON.stringify([options, settings.map(({ length }) => length)]);
    if (this.#page && this.#key === key && !now && !hasDatabases) return this.#page;
    await this.#discard();
    if (hasDatabases) options.storageState = await context.storageState({ indexedDB: true });
    const second = await openPage(browser, options);
    [this.#page, this.#key] = [second, key];
    for (const [i, target] of [second.context(), second].entries())
      for (const [method, given] of settings[i]!) {
        // Functions of the test hear nothing of this page.
        const again = method.startsWith('expose') ? [given[0], () => undefined] : given;
        await (target as unknown as Methods)[method]!(...again);
      }
    if (now) await (now.isFixed ? second.clock.setFixedTime(now.time) : second.clock.install(now));
    return second;
  }

  /** Later routes win: first those of the test, then the page's, then the service; what it opens has them, too. */
  async #route(second: Page, copy: Mock, lengthens: boolean): Promise<void> {
    const { page, bases } = this.first;
    const context = second.context();
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    for (const owner of [page.context(), page] as Inner[])
      for (const { url, handler } of [...(owner._routes ?? [])].reverse()) await context.route(url, handler as never);
    const longest = [...bases].sort((a, b) => b.length - a.length);
    const restOfUrl = (url: string) => longest.map((base) => pathBelow(url, base)).find((rest) => rest !== undefined);
    await context.route(
      ({ href }) => restOfUrl(href) !== undefined,
      async (route) => {
        const [request, url] = [route.request(), route.request().url()];
        if (!/^(fetch|xhr)$/.test(request.resourceType())) return route.fallback();
        const isRead = request.method() === 'GET';
        this.wrote ||= this.repeats && !isRead;
        const respond = async () => {
          if (this.repeats && !isRead) return route.abort();
          if (isRead && (await this.#failAlike(route, url))) return;
          // The copy has no faults that close a connection.
          const fetch = async (path: string) => (await fetchFromWorld(copy, route, path))!;
          const rest = restOfUrl(url)!;
          const response = await fetch(rest);
          const { 'content-length': _, ...headers } = Object.fromEntries(response.headers);
          const body = await response.text();
          const isList = lengthens && response.ok && isRead;
          const further = async (path: string) => (await fetch(path)).json();
          const list = isList ? parseJson(body) : undefined;
          const long = await lengthenList(this.first.past, rest, list, further);
          this.lengthened ||= long !== list;
          await route.fulfill({ status: response.status, headers, body: isList ? JSON.stringify(long) : body });
        };
        await respond().catch(ignoreIfGone(second));
      },
    );
    await context.route(`**${BLANK}`, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  }

  /** A read that failed for the first page, or to which a test responded, has the same response. @returns false for others */
  async #failAlike(route: Route, url: string): Promise<boolean> {
    const { requests, open } = this.first;
    const last = requests.findLast((one) => one.method === 'GET' && one.url === url && !open.has(one.request));
    if (!last) return false;
    const { past, request } = last;
    const { headers, body } = past?.entry.response ?? {};
    const isDamaged = past?.fault && (past.status >= 400 || past.status === 0 || typeof body !== 'object' || !body);
    if (past && !isDamaged && past.status < 500 && past.status !== 429) return false;
    const response = past ? undefined : await request.response();
    if (response) await route.fulfill({ status: response.status(), headers: response.headers(), body: await response.body() });
    else if (past?.status) {
      const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
      await route.fulfill({ status: past.status, headers: { ...headers, 'access-control-allow-origin': '*' }, body: text });
    } else await route.abort('connectionreset');
    return true;
  }

  /** Stops the app, closes what it opened and keeps the page; `load` waits for that. */
  clear(): void {
    const page = this.#page;
    const clear = async () => {
      // Its routes stay: a read that the app still makes would reach the tested world.
      await page?.goto(blankOf(page.url()) ?? 'about:blank');
      for (const other of page?.context().pages() ?? []) if (other !== page) await other.close();
      page?.removeAllListeners();
    };
    this.#cleared = clear().catch(() => this.#discard());
  }

  async close(): Promise<void> {
    await this.#cleared;
    await this.#discard();
  }

  async #discard(): Promise<void> {
    const page = this.#page;
    this.#page = undefined;
    if (page) await hideCalls(page, () => page.context().close());
  }
}
