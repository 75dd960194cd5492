// The texts that a person reads on a page, with what they are in. Functions named InPage run in the page.
import type { Page } from '@playwright/test';
import { parseJson } from '../../service/validation/json-text.ts';

/** A list, row, region or the like. */
export interface Container {
  /** Index of the one around it; -1 for none. */
  readonly parent: number;
  /** Empty for a plain element. */
  readonly role: string;
  readonly label: string;
  /** Repeated: a row, a card. */
  readonly isRow: boolean;
}

export interface Leaf {
  readonly text: string;
  /** Index of the innermost container; -1 for none. */
  readonly inside: number;
  readonly isHeading: boolean;
  /** Part of a button or a link: an action, rather than a state. */
  readonly isAction: boolean;
  readonly isTime: boolean;
  /** Role and label of the dialog, toast or the like around it. */
  readonly overlay?: string | undefined;
  /** Name of the field whose value it is. */
  readonly field?: string | undefined;
}

interface Scroll {
  /** Selector of the element. */
  readonly path: string;
  readonly top: number;
  readonly left: number;
}

export interface Screen {
  /** Undefined: the page has no such element. */
  readonly leaves: readonly Leaf[] | undefined;
  readonly containers: readonly Container[];
  /** Fields whose value is the user's alone. */
  readonly touched: readonly string[];
  /** Says that something is on its way. */
  readonly busy: boolean;
  readonly scrolls: readonly Scroll[];
}

export interface Region {
  readonly within: string;
  readonly ignore: readonly string[];
}

/** State and functions of the check in a page. */
interface PageKit {
  /** Fields that the user touched; undefined where that is not known. */
  readonly fields: WeakSet<EventTarget> | undefined;
  last: EventTarget | null;
  describe(element: Element): {
    readonly role: string;
    readonly label: string;
    readonly value: string | undefined;
    readonly isRow: boolean;
    readonly isOverlay: boolean;
  };
}

/** Runs in each page before its scripts. @param isLate the page has run already */
export const installKitInPage = (isLate = false): void => {
  if (Reflect.has(window, '__wmMock')) return;
  const ROLES: Record<string, string> = { a: 'link', details: 'group', fieldset: 'group', li: 'listitem', ol: 'list' };
  Object.assign(ROLES, { output: 'status', progress: 'progressbar', section: 'region', tr: 'row', ul: 'list' });
  const ROWS = /^(article|listitem|row|option|treeitem)$/;
  const NO_ROWS = /^(td|th|span|b|i|link|button|dt|dd|label|p|input|select)$/;
  const OVERLAYS = /^(alert|alertdialog|dialog|log|menu|progressbar|status|timer|tooltip)$/;
  const OVERLAY_CLASS =
    /(^|[\s_-])(toasts?|toaster|snackbars?|notifications?|notices?|popover|tooltip|modal|backdrop)([\s_-]|$)/i;
  const kindOf = (element: Element) => `${element.localName}.${element.classList[0] ?? ''}`;
  const isRepeated = (element: Element) =>
    element.childElementCount > 0 &&
    [...(element.parentElement?.children ?? [])].some((one) => one !== element && kindOf(one) === kindOf(element));
  const valueOfField = (element: Element): string | undefined => {
    if (element instanceof HTMLTextAreaElement) return element.value;
    if (element instanceof HTMLSelectElement) return [...element.selectedOptions].map(({ text }) => text).join();
    if (!(element instanceof HTMLInputElement) || /^(password|hidden|file|submit|button)$/.test(element.type)) return undefined;
    return /^(checkbox|radio)$/.test(element.type) ? String(element.checked) : element.value;
  };
  const kit: PageKit = {
    fields: isLate ? undefined : new WeakSet(),
    last: null,
    describe: (element) => {
      const role = element.getAttribute('role') ?? ROLES[element.localName] ?? element.localName;
      const classes = element.getAttribute('class') ?? '';
      const isLive = element.matches('[popover], [aria-live]:not([aria-live=off])');
      return {
        role,
        label: (element.getAttribute('aria-label') ?? element.getAttribute('alt') ?? '').trim(),
        value: valueOfField(element),
        isRow: ROWS.test(role) || (!NO_ROWS.test(role) && isRepeated(element)),
        isOverlay: isLive || OVERLAYS.test(role) || OVERLAY_CLASS.test(classes) || getComputedStyle(element).position === 'fixed',
      };
    },
  };
  Reflect.set(window, '__wmMock', kit);
  const note = ({ type, target }: Event) => {
    if (type === 'input' && target) kit.fields?.add(target);
    kit.last = target;
  };
  for (const type of ['click', 'input']) addEventListener(type, note, true);
};

/** Runs in the page: a choice that was sent at once counts as what the page shows. */
export const releaseInPage = (): void => {
  const { fields, last } = (Reflect.get(window, '__wmMock') ?? {}) as Partial<PageKit>;
  const isChoice =
    last instanceof HTMLSelectElement || (last instanceof HTMLInputElement && /^(checkbox|radio)$/.test(last.type));
  if (isChoice) fields?.delete(last);
};

/** Runs in the page: it may use nothing from outside but its argument. @param scrolls to be made first */
const readScreenInPage = ({ within, ignore, scrolls = [] }: Region & { scrolls?: readonly Scroll[] }): string => {
  const left = [...ignore, '[data-wm-own]', 'script,style,noscript,template,head,iframe,object'].join();
  const BUSY = /^(loading|pending|processing|retrying|saving|sending|syncing|updating|working)\b/i;
  const { fields, describe } = Reflect.get(window, '__wmMock') as PageKit;
  const screen = { containers: [] as Container[], leaves: [] as Leaf[], touched: [] as string[], busy: false };

  type Place = Omit<Leaf, 'text' | 'field'>;
  const say = (said: string | null | undefined, place: Place, field?: string) => {
    const text = (said ?? '').replace(/\s+/g, ' ').trim();
    if (text !== '') screen.leaves.push({ ...place, text, field });
  };
  const read = (element: Element, around: Place): void => {
    if (element.matches(left)) return;
    const isListed = /^(option|optgroup)$/.test(element.localName) || getComputedStyle(element).display === 'contents';
    if (!isListed && !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return;
    const { role, label, value, isRow, isOverlay } = describe(element);
    const isStatus = /^(status|img|progressbar)$/.test(role);
    screen.busy ||= element.ariaBusy === 'true' || (isStatus && BUSY.test(label || (element.textContent ?? '').trim()));
    const here = {
      inside: around.inside,
      isHeading: around.isHeading || /^(h\d|caption|legend|summary|heading)$/.test(role),
      isAction: around.isAction || /^(button|link|menuitem|tab|option)$/.test(role),
      isTime: around.isTime || role === 'time',
      overlay: around.overlay ?? (isOverlay ? `${role} ${label}` : undefined),
    };
    const isNamed = label !== '' && !here.isAction && element.childElementCount > 0;
    if (isRow || isNamed || /^(region|group|list|table|tabpanel)$/.test(role))
      here.inside = screen.containers.push({ parent: around.inside, role: role.replace(/^div$/, ''), label, isRow }) - 1;
    say(label, here);
    if (value !== undefined) {
      const { labels, name } = element as HTMLInputElement;
      const field = label || name || element.id || labels?.[0]?.textContent || role;
      if (!fields || fields.has(element)) screen.touched.push(field);
      say(value, here, field);
    }
    let text = '';
    for (const child of role === 'textarea' ? [] : [...(element.shadowRoot?.childNodes ?? []), ...element.childNodes]) {
      if (child instanceof Text) text += child.data;
      if (!(child instanceof Element)) continue;
      say(text, here);
      text = '';
      read(child, here);
    }
    say(text, here);
  };

  for (const { path, ...to } of scrolls) document.querySelector(path)?.scrollTo({ ...to, behavior: 'instant' });
  const root = document.querySelector(within);
  if (root) read(root, { inside: -1, isHeading: false, isAction: false, isTime: false });
  const pathOf = (one: Element): string =>
    one.parentElement
      ? `${pathOf(one.parentElement)} > :nth-child(${[...one.parentElement.children].indexOf(one) + 1})`
      : ':root';
  const scrolled = [...document.querySelectorAll('*')].filter((one) => one.scrollTop > 0 || one.scrollLeft > 0);
  const places = scrolled.map((one) => ({ path: pathOf(one), top: one.scrollTop, left: one.scrollLeft }));
  return JSON.stringify({ ...screen, leaves: root ? screen.leaves : undefined, scrolls: places } satisfies Screen);
};

/** @param region may say where the page is to be scrolled first */
export const readScreen = async (page: Page, region: Region & { readonly scrolls?: Screen['scrolls'] }): Promise<Screen> =>
  parseJson(await page.evaluate(readScreenInPage, region)) as Screen;
