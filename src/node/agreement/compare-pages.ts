// Compares a tested page with pages loaded now on copies of its world, until one agrees or the screen is known to be wrong.
import { realNow, wait } from '../../service/world/time.ts';
import { compareScreens, hasOverlaysOf, type ScreenDifference } from './compare-screens.ts';
import type { PageAction } from './page-calls.ts';
import { type Region, readScreen, type Screen } from './read-screen.ts';
import type { SecondPages } from './second-page.ts';
import type { TrackedPage } from './tracked-page.ts';
import { copyWorld, type Moment, type PastRequest, WorldHistory } from './world-history.ts';

/** Real milliseconds between two looks at a page. */
const POLL_SCREEN_MS = 40;
const POLL_REQUESTS_MS = 10;
/** Equal looks after which a page that has read nothing, or differs, counts as loaded. */
const MORE_LOOKS = 2;
const MAX_LOAD_MS = 8000;

export const textOf = ({ leaves }: Screen): string => JSON.stringify(leaves);

/** A page at rest, with what is known of its world. */
export interface RestingPage {
  readonly second: SecondPages;
  readonly history: WorldHistory;
  readonly region: Region;
  readonly shown: Screen;
  readonly now: Moment;
}

/** How a second page comes to what the first one shows. */
interface PageView {
  readonly moment: Moment;
  readonly actions: readonly PageAction[];
  /** Places of the actions among the steps of the first page. */
  readonly replay: string;
  readonly lengthens: boolean;
}

export interface Comparison extends PageView {
  readonly differences: readonly ScreenDifference[];
  readonly screen: Screen;
  /** Each dialog, drawer or the like of the first page is on the second one. */
  readonly hasOverlays: boolean;
  /** Requests of the second page. */
  readonly reads: readonly PastRequest[];
  readonly picture: Buffer | undefined;
}

/** Elements that are named after a record have its new name. */
const renameOf = (past: readonly PastRequest[]) => {
  type Named = { readonly id?: string; readonly name?: string; readonly title?: string };
  const names = new Map<string, string>();
  const renamed: (readonly [string, string])[] = [];
  for (const { entry, method } of past) {
    const { items = [], data } = (entry.response.body ?? {}) as { readonly items?: readonly Named[]; readonly data?: Named };
    for (const { id, title, name = title } of [...items, data ?? {}]) {
      if (id === undefined || typeof name !== 'string') continue;
      const old = names.get(id) ?? name;
      if (method !== 'GET' && old !== name) renamed.push([old, name]);
      names.set(id, name);
    }
  }
  return (text: string) => renamed.reduce((now, [old, name]) => now.replaceAll(old, name), text);
};

/** From the likeliest on. */
const pageViews = (tracked: TrackedPage, moments: readonly Moment[]): PageView[] => {
  const both = [false, true];
  const views = both.flatMap((paging) => {
    const replays = both.map((beforeWrites) => tracked.actions(beforeWrites, paging));
    return [[], tracked.actionsSinceWrite, ...replays].map((actions) => {
      return { actions, replay: actions.map((one) => tracked.steps.indexOf(one)).join(), lengthens: !paging };
    });
  });
  const keys = views.map(({ replay, lengthens }) => `${lengthens} ${replay}`);
  return views.flatMap((view, i) => (keys.indexOf(keys[i]!) < i ? [] : moments.map((moment) => ({ moment, ...view }))));
};

/** Looks at a page until some looks in a row are equal, with no request under way. @param more equal looks after one @param waits for requests */
export const readSettled = async (
  { page, open, requests }: TrackedPage,
  region: Parameters<typeof readScreen>[1],
  until: number,
  more = 1,
  waits = true,
): Promise<Screen> => {
  for (let [last, equal] = ['', 0]; ; await wait(POLL_SCREEN_MS)) {
    while (waits && open.size > 0 && realNow() < until) await wait(POLL_REQUESTS_MS);
    const { length } = requests;
    const screen = await readScreen(page, region);
    const text = textOf(screen);
    equal = text === last && open.size === 0 && requests.length === length ? equal + 1 : 0;
    if (equal >= more || realNow() >= until || (!waits && open.size > 0)) return screen;
    last = text;
  }
};

/** Loads a second page and compares it: at its first rest where it agrees, else once it is steady. */
export const comparePages = async (resting: RestingPage, view: PageView, takesPicture = false): Promise<Comparison> => {
  const { second, region, shown, now } = resting;
  const { past } = second.first;
  const copy = copyWorld(view.moment, now);
  const { requests: reads } = new WorldHistory(copy, []);
  try {
    const loaded = await second.load(copy, view.lengthens);
    const until = realNow() + MAX_LOAD_MS;
    const look = (more = 1) => readSettled(loaded, { ...region, scrolls: shown.scrolls }, until, more);
    for (const action of view.actions) {
      await look();
      second.repeats = true;
      // An action that fails is left out.
      await action.repeat(loaded.page, renameOf(past)).catch(() => undefined);
    }
    let screen = await look();
    const compare = () => compareScreens(shown, screen, past, reads);
    if (reads.length === 0 || compare().length > 0) screen = await look(MORE_LOOKS);
    const picture = takesPicture ? await loaded.page.screenshot() : undefined;
    return { ...view, screen, differences: compare(), hasOverlays: hasOverlaysOf(shown, screen), reads, picture };
  } finally {
    second.clear();
    await copy.close();
  }
};

/** @returns the second page that is most like the first; undefined where one agrees */
export const compareViews = async (resting: RestingPage, strict: boolean): Promise<Comparison | undefined> => {
  const { second, history, now } = resting;
  const lastNews = strict ? undefined : second.first.lastTold(history);
  const compared: Comparison[] = [];
  /** Views that no list was lengthened for. */
  const short = new Set<string>();
  for (const view of pageViews(second.first, lastNews && lastNews.changes < now.changes ? [now, lastNews] : [now])) {
    const key = `${view.moment.changes} ${view.replay}`;
    if (!view.lengthens && short.has(key)) continue;
    const one = await comparePages(resting, view);
    if (!second.lengthened) short.add(key);
    if (second.wrote) continue;
    if (one.differences.length === 0 && one.hasOverlays) return undefined;
    compared.push(one);
  }
  const agrees = compared.some(({ differences }) => differences.length === 0);
  const whole = compared.filter(({ hasOverlays }) => hasOverlays);
  // Where the page agrees but for an open dialog or drawer, that alone is judged, by pages that have it as well.
  const judged = agrees
    ? whole.map((one) => ({ ...one, differences: one.differences.filter(({ inOverlay }) => inOverlay) }))
    : whole.length > 0
      ? whole
      : compared;
  const best = judged.sort((one, other) => one.differences.length - other.differences.length)[0];
  return best && best.differences.length > 0 ? best : undefined;
};

/** Whether a page at rest still differs as it did. */
export const staysWrong = ({ shown, second }: RestingPage, { screen, reads, differences }: Comparison): boolean => {
  const now = new Set(compareScreens(shown, screen, second.first.past, reads).map((one) => JSON.stringify(one)));
  return differences.every((one) => now.has(JSON.stringify(one)));
};
