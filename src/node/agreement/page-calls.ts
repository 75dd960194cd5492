// Hears of what a test does with its pages: Playwright's own methods, wrapped once in a process.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runInThisContext } from 'node:vm';
import type { BrowserContext, Locator, Page } from '@playwright/test';

/** An action that a test took in place of a user. */
export interface PageAction {
  /** URL of the page. */
  readonly href: string;
  /** @param updateName gives elements that are named after a record its new name */
  repeat(second: Page, updateName: (text: string) => string): Promise<unknown>;
}

/** A call that shapes a page or a context. */
export type Setting = readonly [method: string, given: readonly unknown[]];

export interface PageListener {
  /** Decides at once, so that most calls run as they are. */
  isDue(page: Page): boolean;
  check(page: Page): Promise<void>;
  note(page: Page, action: PageAction): void;
}

const namesIn = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const SETTINGS = namesIn(
  'addInitScript emulateMedia exposeBinding exposeFunction grantPermissions setExtraHTTPHeaders setGeolocation',
);
const NAVIGATIONS = namesIn('close goBack goForward goto reload setContent');
const ACTIONS = namesIn(
  'check click dblclick dispatchEvent down dragAndDrop dragTo fill insertText press pressSequentially selectOption setChecked tap type uncheck',
);
/** Parts of an action: the page is not at rest. */
const PARTS = namesIn('hover move up wheel');
const METHODS = [...SETTINGS, ...NAVIGATIONS, ...ACTIONS, ...PARTS];

let listener: PageListener | undefined;
export const setPageListener = (next: PageListener | undefined): void => {
  listener = next;
};

const settings = new WeakMap<object, Setting[]>();
/** The calls that shaped a page or a context, in order. */
export const settingCalls = (target: object): readonly Setting[] => settings.get(target) ?? [];

const contents = new WeakMap<Page, string>();
/** HTML that a test set in place of a URL. */
export const contentOf = (page: Page): string | undefined => contents.get(page);

type Callee = Record<string, (...given: unknown[]) => Promise<unknown>>;
const pages = new WeakMap<object, Page>();
const selectorOf = (target: object) => (target as { readonly _selector?: string })._selector;

/** Finds the same keyboard, mouse, locator or page, of another page. */
const counterpart = (target: object, second: Page, updateName: (text: string) => string): Callee => {
  const device = (['keyboard', 'mouse', 'touchscreen'] as const).find((name) => pages.get(target)?.[name] === target);
  const selector = selectorOf(target);
  return (device ? second[device] : selector === undefined ? second : second.locator(updateName(selector))) as unknown as Callee;
};

/** @returns what has to be awaited first */
const beforeCall = (target: object, method: string, given: readonly unknown[]): Promise<void> | undefined => {
  if (SETTINGS.has(method)) return void settings.set(target, [...settingCalls(target), [method, given]]);
  const page = pages.get(target) ?? (selectorOf(target) === undefined ? undefined : (target as Locator).page());
  const current = listener;
  if (!page || !current) return undefined;
  const href = page.url();
  const repeat: PageAction['repeat'] = (second, updateName) => {
    const again = given.map((one) => (one instanceof Object && selectorOf(one) ? counterpart(one, second, updateName) : one));
    return counterpart(target, second, updateName)[method]!(...again);
  };
  const note = () => {
    if (method === 'setContent') contents.set(page, given[0] as string);
    if (!NAVIGATIONS.has(method)) current.note(page, { href, repeat });
  };
  if (PARTS.has(method) || !current.isDue(page)) return void note();
  const trace: { stack?: string } = {};
  Error.captureStackTrace(trace, beforeCall);
  return current.check(page).then(note, (error: Error) => {
    // Shows where the test called, without the frame of the wrapper.
    error.stack = `${error.name}: ${error.message}\n${trace.stack?.split('\n').slice(2).join('\n')}`;
    throw error;
  });
};

const WRAPPER = `(before, own, name) => Object.defineProperty(function (...given) {
  const first = before(this, name, given);
  return first ? first.then(() => own.apply(this, given)) : own.apply(this, given);
}, 'name', { value: name })`;

/** Wraps in the name of a file of Playwright, which leaves its own frames out of the places of steps. */
const compileWrapper = (): ((hook: typeof beforeCall, own: unknown, name: string) => Callee[string]) => {
  const modules = ['@playwright/test', 'playwright', 'playwright-core'];
  const library = modules.reduce((from, name) => createRequire(from).resolve(name), import.meta.url);
  return runInThisContext(WRAPPER, { filename: join(dirname(library), 'lib/wm-mock.js') });
};

const wrappedTypes = new WeakSet<object>();
let wrapper: ReturnType<typeof compileWrapper> | undefined;

const wrap = (one: object, page?: Page): void => {
  if (page) pages.set(one, page);
  const methods = Object.getPrototypeOf(one) as Callee;
  if (wrappedTypes.has(methods)) return;
  wrappedTypes.add(methods);
  wrapper ??= compileWrapper();
  for (const name of METHODS) if (methods[name]) methods[name] = wrapper(beforeCall, methods[name], name);
};

/** To be called with each context before its pages are opened. */
export const wrapCalls = (context: BrowserContext): void => {
  wrap(context);
  context.on('page', (page) => {
    for (const one of [page, page.keyboard, page.mouse, page.touchscreen]) wrap(one, page);
    wrap(page.locator('html'));
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame() && frame.url() !== 'about:blank') contents.delete(page);
    });
  });
};

/** Leaves the calls of a function out of the report of a test. */
export const hideCalls = <T>(page: Page, call: () => Promise<T>): Promise<T> => {
  const inner = page as { readonly _wrapApiCall?: (call: () => Promise<T>, how: { readonly internal: true }) => Promise<T> };
  return inner._wrapApiCall ? inner._wrapApiCall(call, { internal: true }) : call();
};
