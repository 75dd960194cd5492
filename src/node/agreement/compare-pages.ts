// Compares a tested page with pages loaded anew on copies of its world, until one agrees or the screen is known to be wrong.
import type { Mock } from '../../mock/api/mock.ts';
import { realNow, wait } from '../../service/world/time.ts';
import { type Change, NAMES, type RecordName } from '../../service/world/world.ts';
import { compareScreens, type ScreenDifference } from './compare-screens.ts';
import { describeDisagreement } from './disagreement-text.ts';
import { type Gesture, readScreen } from './page-kit.ts';
import type { Region, Screen } from './read-screen.ts';
import { type FreshRead, type PageView, SecondPage } from './second-page.ts';
import { collectTexts, countsAsData, textsOf } from './service-texts.ts';
import type { TrackedPage } from './tracked-page.ts';
import { copyWorld, recordIdOf, type WorldHistory } from './world-history.ts';

/** Real milliseconds between two looks at a page. */
export const POLL_SCREEN_MS = 40;
/** Looks after which a page that loads counts as loaded. */
const STEADY_LOOKS = 3;
const MAX_LOAD_MS = 8000;
/** How long a screen has to stay as wrong as it is, milliseconds. */
const SETTLE_MS = 1200;
const REMAINING = 'x-ratelimit-remaining';
/** Responses come in any order. */
const MAX_QUOTA_READS = 8;

/** A page at rest, with what is known of its world. */
export interface RestingPage {
  readonly tracked: TrackedPage;
  readonly history: WorldHistory;
  readonly region: Region;
  readonly shown: Screen;
}

export interface Disagreement {
  readonly says: string;
  readonly pictures: Readonly<Record<string, Buffer>>;
}

interface Comparison {
  readonly differences: readonly ScreenDifference[];
  readonly second: SecondPage;
  readonly screen: Screen;
  readonly view: PageView;
}

export const textOf = ({ root }: Screen): string => JSON.stringify(root);

/** The kind of record that a path reads: `tasks` of `/projects/proj_1/tasks?limit=5`. */
const collectionOf = (path: string): string | undefined => {
  const names = path.split('?', 1)[0]!.split('/').reverse();
  return names.includes('members') ? 'users' : names.find((name) => NAMES.includes(name as RecordName));
};

/** Changes by others that the page has had no way to know. */
const unknownChanges = ({ requests, open: { listens } }: TrackedPage, { changes, announced }: WorldHistory): Change[] => {
  const own = new Set(requests.map(({ past }) => past));
  const reads = requests.flatMap(({ method, past }) => (method === 'GET' && past ? [past] : []));
  const ownRecords = new Map(
    changes.flatMap((one) => (one.request && own.has(one.request) ? [[recordIdOf(one.change), one.n]] : [])),
  );
  return changes
    .filter(({ n, change, request }) => {
      const id = recordIdOf(change);
      if ((request && own.has(request)) || (listens && announced.has(id)) || (ownRecords.get(id) ?? 0) > n) return false;
      return !reads.some(({ after, path }) => after >= n && collectionOf(path) === change.name);
    })
    .map(({ change }) => change);
};

const findDifferences = (
  { shown, history, tracked }: RestingPage,
  { root }: Screen,
  reads: readonly FreshRead[],
): readonly ScreenDifference[] => {
  const all = shown.root && root ? compareScreens(shown.root, root) : [];
  if (all.length === 0) return all;
  const texts = textsOf(history.mock.world, history);
  const sorted = collectTexts(reads.filter(({ url }) => /[?&]sort=/.test(url)).map(({ body }) => body));
  const remaining = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => headers[REMAINING] ?? [];
  const own = tracked.requests.flatMap(({ past }) => (past ? [past] : [])).slice(-MAX_QUOTA_READS);
  const quota = new Set([...own.flatMap((one) => remaining(one.entry().response)), ...reads.flatMap(remaining)]);
  return all.filter((one) => countsAsData(one, { texts, sorted, quota }));
};

/** Opens a second page and compares it, as soon as it is loaded. @param loaded gets the page, which the caller closes */
const comparePages = async (resting: RestingPage, copy: Mock, view: PageView, loaded: SecondPage[]): Promise<Comparison> => {
  const { tracked, history, region, shown } = resting;
  const second = new SecondPage(tracked, history, copy, region, view);
  loaded.push(second);
  await second.load();
  const pending = [...view.gestures];
  const until = realNow() + MAX_LOAD_MS;
  let [last, steady, screen] = ['', 0, undefined as Screen | undefined];
  while (realNow() < until) {
    await wait(POLL_SCREEN_MS);
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
      const differences = findDifferences(resting, screen, second.reads);
      if (differences.length === 0 || steady >= STEADY_LOOKS) return { differences, second, screen, view };
    }
  }
  screen ??= await second.read();
  return { differences: findDifferences(resting, screen, second.reads), second, screen, view };
};

/** Elements that are named after a record have its new name. */
const withNewNames = (gesture: Gesture, { changes }: WorldHistory): Gesture => {
  let { name } = gesture;
  for (const { before, after } of changes.map(({ change }) => change)) {
    for (const [field, old] of Object.entries(before ?? {})) {
      const now = (after as Readonly<Record<string, unknown>> | undefined)?.[field];
      if (typeof old === 'string' && typeof now === 'string' && old.length > 2 && old !== now) name = name.replace(old, now);
    }
  }
  return { ...gesture, name };
};

/** From the likeliest on. */
const viewsOf = (tracked: TrackedPage, history: WorldHistory): readonly PageView[] => {
  const done = [tracked.gesturesOfView(false), tracked.gesturesOfView(true)].filter((gestures) => gestures.length > 0);
  const views = done.filter((one, i) => i === 0 || JSON.stringify(one) !== JSON.stringify(done[0]));
  return [
    { gestures: [], lists: 'as changed' },
    { gestures: [], lists: 'as read' },
    ...views.map((gestures) => ({ gestures: gestures.map((one) => withNewNames(one, history)), lists: 'as asked' as const })),
  ];
};

/** What differs between two loads is no news of the service. */
const withoutUnsteady = async (
  resting: RestingPage,
  { differences, screen, view }: Comparison,
  copy: Mock,
  loaded: SecondPage[],
): Promise<readonly ScreenDifference[]> => {
  const third = await comparePages({ ...resting, shown: screen }, copy, view, loaded);
  const unsteady = new Set(
    third.screen.root && screen.root ? compareScreens(screen.root, third.screen.root).map(({ path }) => path.join()) : [],
  );
  return differences.filter(({ path }) => !unsteady.has(path.join()));
};

/** Whether the screen stays as wrong as it is, without a request. @param end at which it is looked at once more */
const staysWrong = async (
  end: number,
  resting: RestingPage,
  { screen, second, differences }: Comparison,
  requests: number,
): Promise<boolean> => {
  const { page, requests: made } = resting.tracked;
  for (;;) {
    const now = findDifferences({ ...resting, shown: await readScreen(page, resting.region) }, screen, second.reads);
    if (made.length !== requests || JSON.stringify(now) !== JSON.stringify(differences)) return false;
    if (realNow() >= end) return true;
    await wait(POLL_SCREEN_MS);
  }
};

/**
 * @param strict others' changes count, whether the page could know of them or not
 * @returns `changed` where the page moved meanwhile, undefined where it agrees
 */
export const findDisagreement = async (resting: RestingPage, strict: boolean): Promise<Disagreement | 'changed' | undefined> => {
  const { tracked, history } = resting;
  const { world } = history.mock;
  const unknown = strict ? [] : unknownChanges(tracked, history);
  const without = unknown.length > 0 ? [unknown, []] : [[]];
  const requests = tracked.requests.length;
  const opened: Comparison[] = [];
  const loaded: SecondPage[] = [];
  let settled = 0;
  try {
    for (const view of viewsOf(tracked, history)) {
      // Without a list that it has in part, the two views are one.
      if (view.lists === 'as read' && !opened[0]!.second.hasPartLists) continue;
      for (const taken of without) {
        const one = await comparePages(resting, copyWorld(world, taken), view, loaded);
        opened.push(one);
        if (one.differences.length === 0) return undefined;
        settled ||= realNow() + SETTLE_MS;
        if (opened.length === 1 && !(await staysWrong(realNow() + SETTLE_MS / 4, resting, one, requests))) return 'changed';
      }
    }
    if (!(await staysWrong(settled, resting, opened[0]!, requests))) return 'changed';
    const best = opened.reduce((least, one) => (one.differences.length < least.differences.length ? one : least));
    const differences = await withoutUnsteady(resting, best, copyWorld(world, unknown), loaded);
    if (differences.length === 0) return undefined;
    const pictures = {
      'wm-mock: the screen': await tracked.page.screenshot(),
      'wm-mock: after a reload': await best.second.picture(),
    };
    return { says: describeDisagreement(differences, tracked, history, best.second.reads), pictures };
  } finally {
    await Promise.all(loaded.map((second) => second.close()));
  }
};
