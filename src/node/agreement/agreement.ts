// Checks whether a page shows what a reload would show: at a call, or after each step of a test.
import type { BrowserContext, Page, TestInfo } from '@playwright/test';
import type { Mock } from '../../mock/api/mock.ts';
import type { AGREEMENT, Options } from '../../mock/api/options.ts';
import { realNow, wait } from '../../service/world/time.ts';
import type { Change, World } from '../../service/world/world.ts';
import { compareScreens, type Difference } from './compare-screens.ts';
import { describeDisagreement } from './disagreement-text.ts';
import { type Region, readScreenInPage, type Screen } from './read-screen.ts';
import { SecondPage, type SecondPageOptions } from './second-page.ts';
import { collectTexts, countsAsData, textsOf } from './service-texts.ts';
import { type Gesture, KIT, TrackedPage, trackContext } from './tracked-page.ts';
import { copyWorld, recordIdOf, WorldHistory } from './world-history.ts';

export type AgreementOptions = Options<typeof AGREEMENT>;

/** Real milliseconds between two looks at a page. */
const LOOK_MS = 40;
/** Looks after which a page that loads counts as loaded. */
const STEADY_LOOKS = 3;
const MAX_LOAD_MS = 8000;
/** How long a screen has to stay as it is before it counts as wrong, milliseconds. */
const SETTLE_MS = 1200;
const DEFAULT_TIMEOUT_MS = 5000;
const MAX_CHECK_MS = 60_000;
const REMAINING = 'x-ratelimit-remaining';
/** Responses come in any order. */
const MAX_QUOTA_READS = 8;

/** How a second page comes to the view of the first. */
interface View {
  readonly world: Mock;
  readonly gestures: readonly Gesture[];
  readonly lists: SecondPageOptions['lists'];
}

interface Comparison {
  readonly differences: readonly Difference[];
  readonly second: SecondPage;
  readonly screen: Screen;
}

interface Checked {
  readonly tracked: TrackedPage;
  readonly history: WorldHistory;
  readonly region: Region;
  readonly shown: Screen;
}

/** Changes by others that the page has had no way to know. */
const unknownChanges = ({ requests, listens }: TrackedPage, { changes, announced }: WorldHistory): Change[] => {
  const own = new Set(requests.map(({ past }) => past));
  const reads = requests.flatMap(({ method, past }) => (method === 'GET' && past ? [past] : []));
  const ownRecords = new Map(
    changes.flatMap((one) => (one.request && own.has(one.request) ? [[recordIdOf(one.change), one.n]] : [])),
  );
  return changes
    .filter(({ n, change, request }) => {
      const id = recordIdOf(change);
      if ((request && own.has(request)) || (listens && announced.has(id)) || (ownRecords.get(id) ?? 0) > n) return false;
      return !reads.some(({ after, path }) => after >= n && path.includes(change.name === 'users' ? 'member' : change.name));
    })
    .map(({ change }) => change);
};

/** What had happened when a page was last found to agree. */
interface LastCheck {
  readonly changes: number;
  readonly steps: unknown;
  readonly url: string;
  readonly text: string;
}

const isOpened = ({ page, html }: TrackedPage): boolean =>
  !page.isClosed() && (page.url() !== 'about:blank' || html !== undefined);

const textOf = ({ root }: Screen): string => JSON.stringify(root);

/** A change that got no response of success, while the page says that it is still at it. */
const isWaiting = ({ requests }: TrackedPage, shown: Screen): boolean => {
  const last = requests.findLast(({ method, past }) => method !== 'GET' && past)?.past;
  return shown.busy && last !== undefined && (last.status === 429 || last.status >= 500 || last.status === 0);
};

export class ScreenChecks {
  /** The first failure of the test. */
  failure: Error | undefined;
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
    if (!tracked?.isQuiet || this.failure || !isOpened(tracked)) return false;
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
      if (!tracked.isQuiet || (isWaiting(tracked, shown) && (!strict || realNow() < until))) {
        if (!strict) return undefined;
        if (realNow() >= until)
          return 'The page did not come to rest: a request is still under way. Wait for it first, or give a longer timeout: see docs/agreement.md.';
        await wait(LOOK_MS);
        continue;
      }
      if (shown.root === undefined)
        return strict ? `The page has no element ${region.within}. Name one in \`within\`: see docs/agreement.md.` : undefined;
      const now = { changes: history.changes.length, steps: tracked.steps.at(-1), url: page.url(), text: textOf(shown) };
      const { changes, text } = this.#checked.get(tracked) ?? {};
      if (!strict && text === now.text && changes === now.changes) return undefined;
      const says = await this.#judge({ tracked, history, region, shown }, strict, until);
      if (says === 'changed') continue;
      if (says === undefined) this.#checked.set(tracked, now);
      return says;
    }
  }

  async #read({ page }: TrackedPage, region: Region): Promise<Screen> {
    return page.evaluate(readScreenInPage, { ...region, kit: KIT });
  }

  /** Two equal looks with no request between them. */
  async #readSettled(tracked: TrackedPage, region: Region, until: number): Promise<Screen> {
    let last = await this.#read(tracked, region);
    for (;;) {
      const requests = tracked.requests.length;
      await wait(LOOK_MS);
      const next = await this.#read(tracked, region);
      const isSettled = tracked.isQuiet && tracked.requests.length === requests && textOf(last) === textOf(next);
      if (isSettled || realNow() >= until) return next;
      last = next;
    }
  }

  async #judge(checked: Checked, strict: boolean, until: number): Promise<string | 'changed' | undefined> {
    const { tracked, history, region, shown } = checked;
    const { world } = history.mock;
    const unknown = strict ? [] : unknownChanges(tracked, history);
    const worlds = () => [copyWorld(world, unknown), ...(unknown.length > 0 ? [copyWorld(world)] : [])];
    const opened: Comparison[] = [];
    const look = async (view: View): Promise<boolean> => {
      const one = await this.#compare(checked, view);
      opened.push(one);
      return one.differences.length === 0;
    };
    try {
      const requests = tracked.requests.length;
      const views = this.#views(tracked).flatMap((view) => worlds().map((world) => ({ ...view, world })));
      if (await look(views[0]!)) return undefined;
      const settled = realNow() + SETTLE_MS;
      if (!(await this.#staysUntil(realNow() + SETTLE_MS / 4, checked, opened[0]!, requests)))
        return realNow() < until ? 'changed' : undefined;
      const hasPartLists = opened[0]!.second.hasPartLists;
      for (const view of views.slice(1)) if ((view.lists !== 'as read' || hasPartLists) && (await look(view))) return undefined;
      if (!(await this.#staysUntil(settled, checked, opened[0]!, requests))) return realNow() < until ? 'changed' : undefined;
      const best = opened.reduce((least, one) => (one.differences.length < least.differences.length ? one : least));
      const differences = await this.#withoutUnsteady(checked, best, copyWorld(world, unknown));
      if (differences.length === 0) return undefined;
      await this.#attachPictures(tracked.page, best.second);
      return describeDisagreement(differences, tracked, history, best.second.reads);
    } finally {
      await Promise.all(opened.map(({ second }) => second.close()));
    }
  }

  /** Whether the screen stays as wrong as it is, without a request. @param end at which it is looked at once more */
  async #staysUntil(end: number, checked: Checked, { screen, second, differences }: Comparison, requests: number): Promise<boolean> {
    for (;;) {
      const shown = await this.#read(checked.tracked, checked.region);
      const now = this.#differences({ ...checked, shown }, screen, second);
      if (checked.tracked.requests.length !== requests || JSON.stringify(now) !== JSON.stringify(differences)) return false;
      if (realNow() >= end) return true;
      await wait(LOOK_MS);
    }
  }

  /** From the likeliest on. */
  #views(tracked: TrackedPage): readonly Omit<View, 'world'>[] {
    const done = [tracked.gesturesOfView(false), tracked.gesturesOfView(true)].filter((gestures) => gestures.length > 0);
    const views = done.filter((one, i) => i === 0 || JSON.stringify(one) !== JSON.stringify(done[0]));
    return [
      { gestures: [], lists: 'as changed' },
      { gestures: [], lists: 'as read' },
      ...views.map((gestures) => ({ gestures, lists: 'as asked' as const })),
    ];
  }

  /** What differs between two loads is no news of the service. */
  async #withoutUnsteady(checked: Checked, best: Comparison, copy: Mock): Promise<readonly Difference[]> {
    if (!best.screen.root) return best.differences;
    const third = await this.#compare({ ...checked, shown: best.screen }, { world: copy, gestures: [], lists: 'as changed' });
    await third.second.close();
    const unsteady = new Set(
      third.screen.root ? compareScreens(best.screen.root, third.screen.root).map(({ path }) => path.join()) : [],
    );
    return best.differences.filter(({ path }) => !unsteady.has(path.join()));
  }

  /** Opens a second page and compares it, as soon as it is loaded. */
  async #compare(checked: Checked, { world, gestures, lists }: View): Promise<Comparison> {
    const { tracked, history, region, shown } = checked;
    const second = new SecondPage(tracked, history, world, { region, lists });
    await second.open();
    const pending = [...gestures];
    const until = realNow() + MAX_LOAD_MS;
    let [last, steady, screen] = ['', 0, undefined as Screen | undefined];
    while (realNow() < until) {
      await wait(LOOK_MS);
      if (!second.isQuiet) {
        steady = 0;
        continue;
      }
      screen = await second.read();
      const text = textOf(screen);
      steady = text === last ? steady + 1 : 0;
      last = text;
      if (steady > 0 && pending.length > 0) {
        await second.repeat(pending.shift()!);
        last = '';
        continue;
      }
      const hasRead = second.reads.length > 0 || steady >= STEADY_LOOKS;
      if (pending.length === 0 && hasRead && second.isQuiet) {
        if (steady === STEADY_LOOKS - 1) await second.scroll(shown);
        const differences = this.#differences(checked, screen, second);
        if (differences.length === 0 || steady >= STEADY_LOOKS) return { differences, second, screen };
      }
    }
    screen ??= await second.read();
    return { differences: this.#differences(checked, screen, second), second, screen };
  }

  #differences({ shown, history, tracked }: Checked, { root }: Screen, { reads }: SecondPage): readonly Difference[] {
    const all = shown.root && root ? compareScreens(shown.root, root) : [];
    if (all.length === 0) return all;
    const texts = textsOf(history.mock.world, history);
    const sorted = collectTexts(reads.filter(({ url }) => /[?&]sort=/.test(url)).map(({ body }) => body));
    const remaining = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => headers[REMAINING] ?? [];
    const own = tracked.requests.flatMap(({ past }) => (past ? [past] : [])).slice(-MAX_QUOTA_READS);
    const quota = new Set([...own.flatMap((one) => remaining(one.entry().response)), ...reads.flatMap(remaining)]);
    return all.filter((one) => countsAsData(one, { texts, sorted, quota }));
  }

  async #attachPictures(page: Page, second: SecondPage): Promise<void> {
    const pictures = { 'wm-mock: the screen': page.screenshot(), 'wm-mock: after a reload': second.picture() };
    for (const [name, picture] of Object.entries(pictures))
      await this.#testInfo.attach(name, { body: await picture, contentType: 'image/png' });
  }
}
