// What a page gets before its scripts: it tells of what the user does, knows the fields that were touched, and repeats a gesture.
import type { Page } from '@playwright/test';
import { type PageWords, type Region, readScreenInPage, type Screen } from './read-screen.ts';

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

/** Under this name, pages tell of gestures. */
export const REPORT = '__wmMockGesture';

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
    const same = alike(tag, name);
    const element = same[nth] ?? same[0];
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

const PAGE_WORDS: PageWords = {
  roles: {
    a: 'link',
    article: 'article',
    button: 'button',
    dialog: 'dialog',
    img: 'img',
    li: 'listitem',
    ol: 'list',
    output: 'status',
    progress: 'progressbar',
    section: 'region',
    td: 'cell',
    tr: 'row',
    ul: 'list',
  },
  overlays: '^(alert|alertdialog|dialog|log|menu|progressbar|status|timer|tooltip)$',
  overlayClass: '(^|[\\s_-])(toasts?|toaster|snackbars?|notifications?|notices?|popover|tooltip|modal|backdrop)([\\s_-]|$)',
  busyText: '^(loading|pending|processing|retrying|saving|sending|syncing|updating|working)\\b',
};

export const readScreen = (page: Page, region: Region): Promise<Screen> =>
  page.evaluate(readScreenInPage, { ...region, kit: KIT, ...PAGE_WORDS });
