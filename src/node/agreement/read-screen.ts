// What a person reads on a page, as a tree of texts with tags, roles and labels. The function runs in the page.

/** An element that shows something, or a text. */
export interface ScreenNode {
  /** In lower case; `#text` for a text. */
  readonly tag: string;
  readonly role?: string | undefined;
  readonly label?: string | undefined;
  readonly text?: string | undefined;
  /** Value of a field that the user has not touched. */
  readonly value?: string | undefined;
  /** Id and classes: they tell elements of one tag apart. */
  readonly names?: readonly string[];
  /** Lies over the page or comes and goes, such as a dialog or a toast. */
  readonly overlay?: true;
  readonly kids: readonly ScreenNode[];
}

export interface Scroll {
  /** Indexes of children from the root; empty for the window. */
  readonly path: readonly number[];
  readonly top: number;
  readonly left: number;
}

export interface Screen {
  /** Undefined: the page has no such element. */
  readonly root: ScreenNode | undefined;
  /** Says that something is on its way. */
  readonly busy: boolean;
  readonly scrolls: readonly Scroll[];
}

export interface Region {
  readonly within: string;
  readonly ignore: readonly string[];
}

/** What elements mean: given to the page, where the function stands alone. */
export interface PageWords {
  /** Roles of tags. */
  readonly roles: Readonly<Record<string, string>>;
  readonly overlays: string;
  readonly overlayClass: string;
  readonly busyText: string;
}

/** Runs in the page: it may use nothing from outside but its argument. */
export const readScreenInPage = ({
  within,
  ignore,
  kit,
  roles,
  overlays,
  overlayClass,
  busyText,
}: Region & PageWords & { kit: string }): Screen => {
  const left = [...ignore, '[data-wm-own]', 'script,style,noscript,template,head,iframe,object'].join();
  const { touched } = (Reflect.get(window, kit) ?? {}) as { touched?: WeakSet<Element> };
  const scrolls: { path: number[]; top: number; left: number }[] = [];
  let busy = false;

  const plain = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim();
  const isShown = (element: Element, style: CSSStyleDeclaration) =>
    style.display === 'contents' || element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const fieldValue = (element: Element): string | undefined => {
    if (!touched || touched.has(element)) return undefined;
    if (element instanceof HTMLTextAreaElement) return element.value;
    if (element instanceof HTMLSelectElement) return plain([...element.selectedOptions].map(({ text }) => text).join());
    if (!(element instanceof HTMLInputElement) || /^(password|hidden|file)$/.test(element.type)) return undefined;
    return /^(checkbox|radio)$/.test(element.type) ? String(element.checked) : element.value;
  };
  const labelOf = (element: Element) => plain(element.getAttribute('aria-label') ?? element.getAttribute('alt'));

  const read = (node: Node, path: readonly number[]): ScreenNode | undefined => {
    if (node instanceof Text) {
      const text = plain(node.data);
      return text === '' ? undefined : { tag: '#text', text, kids: [] };
    }
    if (!(node instanceof Element) || node.matches(left)) return undefined;
    const tag = node.localName;
    const role = node.getAttribute('role') ?? roles[tag];
    const style = getComputedStyle(node);
    if (tag !== 'option' && tag !== 'optgroup' && !isShown(node, style)) return undefined;
    if (node.scrollTop > 0 || node.scrollLeft > 0) scrolls.push({ path: [...path], top: node.scrollTop, left: node.scrollLeft });
    const kids: ScreenNode[] = [];
    let index = 0;
    for (const child of [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes]) {
      const kid = tag === 'textarea' ? undefined : read(child, [...path, index]);
      if (child instanceof Element) index += 1;
      if (kid) kids.push(kid);
    }
    const [label, value] = [labelOf(node), fieldValue(node)];
    const isSaying = /^(status|img|progressbar)$/.test(role ?? '');
    const isBusy = isSaying && new RegExp(busyText, 'i').test(label || plain(node.textContent).slice(0, 40));
    busy ||= isBusy || node.getAttribute('aria-busy') === 'true';
    if (kids.length === 0 && label === '' && value === undefined) return undefined;
    const classes = node.getAttribute('class') ?? '';
    const isOverlay =
      new RegExp(overlays).test(role ?? '') ||
      node.matches('[popover], [aria-live]:not([aria-live=off])') ||
      style.position === 'fixed' ||
      new RegExp(overlayClass, 'i').test(classes);
    const names = [node.id, ...classes.split(/\s+/)].filter((one) => one !== '');
    return {
      tag,
      ...(role && { role }),
      ...(label && { label }),
      ...(value !== undefined && { value }),
      ...(names.length > 0 && { names }),
      ...(isOverlay && { overlay: true as const }),
      kids,
    };
  };

  const element = document.querySelector(within);
  const root = element ? read(element, []) : undefined;
  const page = document.scrollingElement;
  if (page && (page.scrollTop > 0 || page.scrollLeft > 0)) scrolls.push({ path: [], top: page.scrollTop, left: page.scrollLeft });
  return { root: element ? (root ?? { tag: element.localName, kids: [] }) : undefined, busy, scrolls };
};

/** Runs in the page. */
export const scrollInPage = ({ within, scrolls }: { within: string; scrolls: readonly Scroll[] }): void => {
  for (const { path, top, left } of scrolls) {
    let element: Element | undefined | null = path.length === 0 ? document.scrollingElement : document.querySelector(within);
    for (const index of path) element = element?.children[index];
    element?.scrollTo({ top, left, behavior: 'instant' });
  }
};
