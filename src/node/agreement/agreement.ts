// Checks whether a page shows what a reload would show: at a call, or before each action of a test.
import type { BrowserContext, Page, TestInfo } from '@playwright/test';
import type { Mock } from '../../mock/api/mock.ts';
import type { AGREEMENT, Options } from '../../mock/api/options.ts';
import { realNow, wait } from '../../service/world/time.ts';
import {
  type Comparison,
  comparePages,
  compareViews,
  type RestingPage,
  readSettled,
  staysWrong,
  textOf,
} from './compare-pages.ts';
import { withoutUnsteady } from './compare-screens.ts';
import { describeDisagreement } from './disagreement-text.ts';
import { hideCalls, type PageAction, wrapCalls } from './page-calls.ts';
import { installKitInPage } from './read-screen.ts';
import { SecondPages } from './second-page.ts';
import { TrackedPage } from './tracked-page.ts';
import { type Moment, WorldHistory } from './world-history.ts';

export type AgreementOptions = Options<typeof AGREEMENT>;

const DEFAULT_TIMEOUT_MS = 5000;
const MAX_CHECK_MS = 60_000;
/** How long a screen has to stay as wrong as it is, milliseconds. */
const SETTLE_MS = 1200;

const MAX_ADDRESSES = 20;

const MOVING =
  'The page did not come to rest: it kept changing, or a request is still under way. Wait for that first, or give a longer timeout: see docs/agreement.md.';

export class ScreenChecks {
  /** The first failure of the test. */
  failure: Error | undefined;
  /** Images of the last page that disagreed, and of its second page. */
  pictures: Readonly<Record<string, Buffer>> = {};
  readonly #testInfo: TestInfo;
  readonly #always: boolean;
  readonly #histories: WorldHistory[] = [];
  readonly #pages = new Map<Page, SecondPages>();

  /** @param routed addresses of the service that the test leads to its world @param always before each action of the test */
  constructor(mock: Mock, routed: readonly string[], testInfo: TestInfo, always: boolean) {
    this.#testInfo = testInfo;
    this.#always = always;
    this.addWorld(mock, routed);
  }

  addWorld(mock: Mock, routed: readonly string[]): void {
    this.#histories.push(new WorldHistory(mock, routed));
  }

  /** Addresses that pages asked for data, without their queries. */
  get asked(): string {
    const urls = [...this.#pages.values()].flatMap(({ first }) => first.requests.map(({ url }) => url.split('?')[0]!));
    return [...new Set(urls)].slice(0, MAX_ADDRESSES).join('\n');
  }

  async trackContext(context: BrowserContext): Promise<void> {
    await context.addInitScript(installKitInPage, false);
    wrapCalls(context);
    context.on('page', (page) => this.#pageOf(page));
  }

  #pageOf(page: Page): SecondPages {
    const second = this.#pages.get(page) ?? new SecondPages(new TrackedPage(page));
    this.#pages.set(page, second);
    return second;
  }

  #historyOf({ requests }: TrackedPage): WorldHistory {
    const fork = this.#histories.slice(1).find(({ mock }) => requests.some(({ url }) => url.includes(`/worlds/${mock.id}/`)));
    return fork ?? this.#histories[0]!;
  }

  note(page: Page, action: PageAction): void {
    this.#pages.get(page)?.first.steps.push(action);
  }

  /** A page at rest that has written, or whose world has changed, since it was checked. */
  isDue(page: Page): boolean {
    const tracked = this.#pages.get(page)?.first;
    if (!this.#always || !tracked || tracked.open.size > 0 || tracked.requests.length === 0 || this.failure) return false;
    const { agreed } = tracked;
    const isNews = tracked.steps.at(-1) !== agreed?.step || page.url() !== agreed?.url;
    if (isNews && tracked.requests.some(({ method }) => method !== 'GET')) return true;
    return this.#historyOf(tracked).now().changes > (agreed?.changes ?? 0);
  }

  /** @param waits for requests that are under way; else nothing is checked then @throws Error when the screen disagrees */
  async check(page: Page, waits = false): Promise<void> {
    // A test keeps the time that it has for itself.
    const [began, own] = [realNow(), this.#testInfo.timeout];
    if (own > 0) this.#testInfo.setTimeout(own + MAX_CHECK_MS);
    const says = await this.findDisagreement(page, {}, false, waits);
    if (own > 0) this.#testInfo.setTimeout(own + realNow() - began);
    if (says === undefined) return;
    this.failure = Object.assign(new Error(says), { stack: `Error: ${says}` });
    throw this.failure;
  }

  /** At the end of a test. @param passed every page that is still open and has asked for something is checked */
  async end(passed: boolean): Promise<void> {
    try {
      for (const [page, { first }] of this.#pages)
        if (this.#always && passed && first.requests.length > 0 && !this.failure && !page.isClosed())
          await this.check(page, true);
    } finally {
      for (const second of this.#pages.values()) await second.close();
    }
  }

  /**
   * @param strict others' changes count, whether the page could know of them or not
   * @returns what differs; undefined where the page agrees, or where nothing can be said yet
   */
  findDisagreement(page: Page, options: AgreementOptions, strict: boolean, waits = true): Promise<string | undefined> {
    return hideCalls(page, () => this.#findDisagreement(page, options, strict, waits));
  }

  async #findDisagreement(page: Page, options: AgreementOptions, strict: boolean, waits: boolean): Promise<string | undefined> {
    const second = this.#pageOf(page);
    const tracked = second.first;
    const region = { within: options.within ?? 'body', ignore: options.ignore ?? [] };
    const until = realNow() + (options.timeout ?? DEFAULT_TIMEOUT_MS);
    await page.evaluate(installKitInPage, true);
    let last: { readonly news: Moment | undefined; readonly found: Comparison } | undefined;
    for (;;) {
      const shown = await readSettled(tracked, region, until, 1, waits);
      const [text, history] = [textOf(shown), this.#historyOf(tracked)];
      tracked.match(history);
      const [news, now] = [tracked.lastTold(history), history.now()];
      const resting: RestingPage = { second, history, region, shown, now };
      // A page that polls asks on, and learns nothing new.
      if (last && last.news === news && staysWrong(resting, last.found)) return this.#tell(resting, last.found);
      const isMoving = tracked.open.size > 0 || shown.busy;
      if (realNow() >= until && (last || isMoving)) return strict ? MOVING : undefined;
      if (isMoving && !strict) return undefined;
      if (isMoving) continue;
      if (shown.leaves === undefined)
        return strict ? `The page has no element ${region.within}. Name one in \`within\`: see docs/agreement.md.` : undefined;
      const { changes } = now;
      if (!strict && tracked.agreed?.text === text && tracked.agreed.changes === changes) return undefined;
      const found = await compareViews(resting, strict);
      if (!found) {
        tracked.agreed = { text, changes, step: tracked.steps.at(-1), url: page.url() };
        return undefined;
      }
      last = { news, found };
      await wait(SETTLE_MS);
    }
  }

  async #tell(resting: RestingPage, found: Comparison): Promise<string | undefined> {
    const { page, past } = resting.second.first;
    // A difference between two loads is no news of the service.
    const third = await comparePages({ ...resting, shown: found.screen }, found, true);
    const differences = withoutUnsteady(found.differences, third.differences);
    if (differences.length === 0) return undefined;
    this.pictures = { 'wm-mock: the screen': await page.screenshot(), 'wm-mock: after a reload': third.picture! };
    return describeDisagreement(differences, past, resting.history, found.reads);
  }
}
