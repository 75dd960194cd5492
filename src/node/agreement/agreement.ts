// Checks whether a page shows what a reload would show: at a call, or after each step of a test.
import type { BrowserContext, Page, TestInfo } from '@playwright/test';
import type { Mock } from '../../mock/api/mock.ts';
import type { AGREEMENT, Options } from '../../mock/api/options.ts';
import { realNow, wait } from '../../service/world/time.ts';
import { findDisagreement, POLL_SCREEN_MS, textOf } from './compare-pages.ts';
import { readScreen } from './page-kit.ts';
import type { Region, Screen } from './read-screen.ts';
import { TrackedPage, trackContext } from './tracked-page.ts';
import { WorldHistory } from './world-history.ts';

export type AgreementOptions = Options<typeof AGREEMENT>;

const DEFAULT_TIMEOUT_MS = 5000;
const MAX_CHECK_MS = 60_000;

const MOVING =
  'The page did not come to rest: it kept changing, or a request is still under way. Wait for that first, or give a longer timeout: see docs/agreement.md.';

/** What had happened when a page was last found to agree. */
interface LastCheck {
  readonly changes: number;
  readonly steps: unknown;
  readonly url: string;
  readonly text: string;
}

const isOpened = ({ page, html }: TrackedPage): boolean =>
  !page.isClosed() && (page.url() !== 'about:blank' || html !== undefined);

/** A change that got no response of success, while the page says that it is still at it. */
const isStillSending = ({ requests }: TrackedPage, shown: Screen): boolean => {
  const last = requests.findLast(({ method, past }) => method !== 'GET' && past)?.past;
  return shown.busy && last !== undefined && (last.status === 429 || last.status >= 500 || last.status === 0);
};

export class ScreenChecks {
  /** The first failure of the test. */
  failure: Error | undefined;
  /** Of the last page that disagreed, and of its second page. */
  pictures: Readonly<Record<string, Buffer>> = {};
  readonly #testInfo: TestInfo;
  readonly #histories: WorldHistory[] = [];
  readonly #pages = new Map<Page, TrackedPage>();
  readonly #checked = new Map<TrackedPage, LastCheck>();

  /** @param routed addresses of the service that the test leads to its world */
  constructor(mock: Mock, routed: readonly string[], testInfo: TestInfo) {
    this.#testInfo = testInfo;
    this.addWorld(mock, routed);
  }

  addWorld(mock: Mock, routed: readonly string[]): void {
    this.#histories.push(new WorldHistory(mock, routed));
  }

  async trackContext(context: BrowserContext): Promise<void> {
    await trackContext(context, (page, gesture) => this.#tracked(page).note(gesture));
    for (const page of context.pages()) this.#tracked(page);
    context.on('page', (page) => this.#tracked(page));
  }

  #tracked(page: Page): TrackedPage {
    let tracked = this.#pages.get(page);
    if (!tracked) {
      tracked = new TrackedPage(page);
      this.#pages.set(page, tracked);
    }
    return tracked;
  }

  #historyOf({ requests }: TrackedPage): WorldHistory {
    const fork = this.#histories.slice(1).find(({ mock }) => requests.some(({ url }) => url.includes(`/worlds/${mock.id}/`)));
    return fork ?? this.#histories[0]!;
  }

  /** A page that waits for nothing, once it has written or knows of others' changes, and where something happened since it was checked. */
  isDue(page: Page): boolean {
    const tracked = this.#pages.get(page);
    if (!tracked?.open.isQuiet || this.failure || !isOpened(tracked)) return false;
    const { changes = 0, steps = undefined, url = '' } = this.#checked.get(tracked) ?? {};
    const wrote = tracked.requests.some(({ method }) => method !== 'GET');
    const isNews = tracked.steps.at(-1) !== steps || page.url() !== url;
    return (wrote && isNews) || (tracked.requests.length > 0 && this.#historyOf(tracked).changes.length > changes);
  }

  /** @throws Error when the screen disagrees */
  async run(page: Page): Promise<void> {
    // A test keeps the time that it has for itself.
    const [began, own] = [realNow(), this.#testInfo.timeout];
    if (own > 0) this.#testInfo.setTimeout(own + MAX_CHECK_MS);
    const says = await this.check(page, {}, false);
    if (own > 0) this.#testInfo.setTimeout(own + realNow() - began);
    if (says === undefined) return;
    this.failure = new Error(says);
    throw this.failure;
  }

  /** At the end of a test: every page that is still open and has asked for something. */
  async checkOpenPages(): Promise<void> {
    for (const [page, tracked] of this.#pages)
      if (tracked.requests.length > 0 && this.failure === undefined && isOpened(tracked)) await this.run(page);
  }

  /**
   * @param strict others' changes count, whether the page could know of them or not
   * @returns what differs; undefined where the page agrees, or where nothing can be said yet
   */
  async check(page: Page, options: AgreementOptions, strict: boolean): Promise<string | undefined> {
    const tracked = this.#tracked(page);
    const region = { within: options.within ?? 'body', ignore: options.ignore ?? [] };
    const until = realNow() + (options.timeout ?? DEFAULT_TIMEOUT_MS);
    for (;;) {
      const shown = await this.#readSettled(tracked, region, until);
      const history = this.#historyOf(tracked);
      tracked.match(history);
      for (const base of [history.mock.baseUrl, ...history.routed]) tracked.bases.add(base);
      if (!tracked.open.isQuiet || (isStillSending(tracked, shown) && (!strict || realNow() < until))) {
        if (!strict) return undefined;
        if (realNow() >= until) return MOVING;
        await wait(POLL_SCREEN_MS);
        continue;
      }
      if (shown.root === undefined)
        return strict ? `The page has no element ${region.within}. Name one in \`within\`: see docs/agreement.md.` : undefined;
      const now = { changes: history.changes.length, steps: tracked.steps.at(-1), url: page.url(), text: textOf(shown) };
      const { changes, text } = this.#checked.get(tracked) ?? {};
      if (!strict && text === now.text && changes === now.changes) return undefined;
      const found = await findDisagreement({ tracked, history, region, shown }, strict);
      if (found === undefined) this.#checked.set(tracked, now);
      if (found === 'changed' && realNow() < until) continue;
      if (found === 'changed') return strict ? MOVING : undefined;
      this.pictures = found?.pictures ?? {};
      return found?.says;
    }
  }

  /** Two equal looks with no request between them. */
  async #readSettled(tracked: TrackedPage, region: Region, until: number): Promise<Screen> {
    let last = await readScreen(tracked.page, region);
    for (;;) {
      const requests = tracked.requests.length;
      await wait(POLL_SCREEN_MS);
      const next = await readScreen(tracked.page, region);
      const isSettled = tracked.open.isQuiet && tracked.requests.length === requests && textOf(last) === textOf(next);
      if (isSettled || realNow() >= until) return next;
      last = next;
    }
  }
}
