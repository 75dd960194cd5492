// Calls something before each step that a test takes on a page: Playwright's own methods, wrapped once in a process.
import type { Page } from '@playwright/test';

const LOCATOR_STEPS =
  'check clear click dblclick dispatchEvent dragTo fill press pressSequentially selectOption setChecked setInputFiles tap type uncheck'.split(
    ' ',
  );
const PAGE_STEPS = [
  ...LOCATOR_STEPS.filter((name) => name !== 'clear' && name !== 'dragTo' && name !== 'pressSequentially'),
  ...['close', 'dragAndDrop', 'goBack', 'goForward', 'goto', 'reload', 'setContent'],
];

export interface StepHook {
  /** Decides at once, so that most steps run as they are. */
  isDue(page: Page): boolean;
  run(page: Page): Promise<void>;
}

let hook: StepHook | undefined;
export const setStepHook = (next: StepHook | undefined): void => {
  hook = next;
};

const pages = new WeakMap<object, Page>();
const wrapped = new WeakSet<object>();

type Methods = Record<string, ((...given: unknown[]) => Promise<unknown>) | undefined>;

/** Shows where the test called, in place of this file. */
const withTrace = (error: unknown, trace: { readonly stack?: string }): unknown => {
  if (error instanceof Error) error.stack = `${error.name}: ${error.message}\n${trace.stack?.split('\n').slice(1).join('\n')}`;
  return error;
};

const wrap = (prototype: object, names: readonly string[], pageOf: (target: object) => Page | undefined): void => {
  if (wrapped.has(prototype)) return;
  wrapped.add(prototype);
  const methods = prototype as Methods;
  for (const name of names) {
    const own = methods[name];
    if (own === undefined) continue;
    methods[name] = function step(this: object, ...given: unknown[]) {
      const page = pageOf(this);
      const due = page && hook?.isDue(page) ? hook : undefined;
      if (!due) return own.apply(this, given);
      const trace: { stack?: string } = {};
      Error.captureStackTrace(trace, step);
      const run = async () => {
        await due.run(page!);
        return own.apply(this, given);
      };
      return run().catch((error) => Promise.reject(withTrace(error, trace)));
    };
  }
};

export const wrapSteps = (page: Page): void => {
  for (const device of [page.keyboard, page.mouse, page.touchscreen]) pages.set(device, page);
  const pageOfDevice = (device: object) => pages.get(device);
  const locator = page.locator('html');
  wrap(Object.getPrototypeOf(locator), LOCATOR_STEPS, (one) => (one as typeof locator).page());
  wrap(Object.getPrototypeOf(page), PAGE_STEPS, (one) => one as Page);
  wrap(Object.getPrototypeOf(page.keyboard), ['press', 'type', 'insertText'], pageOfDevice);
  wrap(Object.getPrototypeOf(page.mouse), ['click', 'dblclick', 'down'], pageOfDevice);
  wrap(Object.getPrototypeOf(page.touchscreen), ['tap'], pageOfDevice);
};
