// Elements, and lists that are written anew without losing the focus: what the panel has in place of a framework.

type Given = Readonly<Record<string, string | boolean | ((event: Event) => void) | undefined>>;

/** An element: functions listen to the event of their name, everything else is an attribute. Texts never become HTML. */
export const h = <K extends string>(name: K, given: Given = {}, ...inside: readonly (Node | string | false)[]) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...inside.filter((one) => one !== false));
  return element as K extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[K] : HTMLElement;
};

/** Writes the rows of a list; where the one with the focus is gone, the list has it. Each row has a `data-key`. */
export const fill = (list: HTMLElement, rows: readonly HTMLElement[]): void => {
  const { activeElement } = list.getRootNode() as ShadowRoot;
  const had = list.contains(activeElement) ? activeElement?.closest<HTMLElement>('[data-key]')?.dataset.key : undefined;
  list.replaceChildren(...rows);
  if (had === undefined) return;
  const row = rows.find(({ dataset }) => dataset.key === had);
  (row?.querySelector<HTMLElement>('a, button') ?? list).focus();
};
