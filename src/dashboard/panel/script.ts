// The panel in a corner of a page: a button that opens a page of the dashboard in a frame. Its one global is `wmMockPanel`.
import { findPanelProblem, locateMock, type PanelOptions, tokenQuery } from './where.ts';

export interface Panel {
  open(): void;
  close(): void;
  remove(): void;
}

const PANEL_STYLE = `
:host { all: initial !important; position: fixed !important; z-index: 2147483647 !important; right: 16px !important; bottom: 16px !important; }
@media print { :host { display: none !important; } }
aside { color-scheme: light dark; display: flex; flex-direction: column; align-items: flex-end; gap: 10px; font: 13px/1.45 system-ui, sans-serif; }
[hidden], p:empty { display: none !important; }
[role="dialog"] { width: min(430px, calc(100vw - 32px)); overflow: hidden; border: 1px solid light-dark(#e2e5eb, #333945); border-radius: 12px; background: light-dark(#fff, #171a20); box-shadow: 0 8px 28px rgb(0 0 0 / 30%); }
iframe { display: block; width: 100%; height: min(720px, calc(100dvh - 90px)); border: 0; }
p { margin: 0; padding: 14px 16px; color: light-dark(#b02219, #ff9d95); overflow-wrap: anywhere; user-select: text; }
button { width: 44px; height: 44px; padding: 0; border: 0; border-radius: 50%; background: light-dark(#3a53d0, #93a5ff); color: light-dark(#fff, #10142a); font: 700 15px system-ui, sans-serif; cursor: pointer; box-shadow: 0 2px 10px rgb(0 0 0 / 30%); }
:focus-visible { outline: 2px solid light-dark(#3a53d0, #93a5ff); outline-offset: 2px; }
`;

const makeElement = <K extends keyof HTMLElementTagNameMap>(name: K, attributes: Readonly<Record<string, string>> = {}) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

const buildCorner = () => {
  const host = document.createElement('wm-mock-panel');
  const [aside, toggle] = [makeElement('aside', { 'aria-label': 'wm-mock' }), makeElement('button', { type: 'button' })];
  const dialog = makeElement('div', { role: 'dialog', 'aria-label': 'wm-mock' });
  const status = makeElement('p', { role: 'status' });
  dialog.append(status);
  aside.append(dialog, toggle);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(PANEL_STYLE);
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [sheet];
  root.append(aside);
  return { host, root, toggle, dialog, status };
};

const mountPanel = ({ token, open: isOpen, ...address }: PanelOptions): Panel => {
  const { host, root, toggle, dialog, status } = buildCorner();
  const mock = locateMock(address);
  let frame: HTMLIFrameElement | undefined;
  /** Loads the frame only while the panel is open: a browser has six connections for a host. */
  const show = async () => {
    frame?.remove();
    frame = undefined;
    if (dialog.hidden) return;
    const url = mock.url();
    const problem = await findPanelProblem(url, token);
    if (dialog.hidden || frame || url !== mock.url()) return;
    status.textContent = problem ?? '';
    if (problem !== undefined) return console.warn(`wm-mock panel: ${problem}`);
    frame = makeElement('iframe', { title: 'wm-mock', src: url.replace(/_mock$/, 'dashboard/panel') + tokenQuery(token) });
    dialog.append(frame);
    frame.focus();
  };
  const turn = (hidden: boolean) => {
    dialog.hidden = hidden;
    toggle.textContent = hidden ? 'wm' : '×';
    toggle.setAttribute('aria-label', `${hidden ? 'Open' : 'Close'} the wm-mock panel`);
    toggle.setAttribute('aria-expanded', String(!hidden));
    void show();
  };
  const close = () => {
    const { activeElement } = root;
    turn(true);
    if (activeElement) toggle.focus();
  };
  toggle.addEventListener('click', () => (dialog.hidden ? turn(false) : close()));
  // The shortcuts of the page are not those of the panel.
  host.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape' && !dialog.hidden) close();
  });
  // Keys pressed in the frame stay there: its page asks to be closed.
  const listen = ({ source, data }: MessageEvent) => source === frame?.contentWindow && data === 'wm-mock: close' && close();
  addEventListener('message', listen);
  const observer = new PerformanceObserver((list) => {
    if (mock.follow(list.getEntries().map(({ name }) => name))) void show();
  });
  observer.observe({ type: 'resource', buffered: true });
  const remove = () => {
    turn(true);
    removeEventListener('message', listen);
    observer.disconnect();
    host.remove();
  };
  turn(!isOpen);
  // Beside the body, which belongs to the page's framework.
  document.documentElement.append(host);
  return { open: () => turn(false), close, remove };
};

const PANEL_SCRIPT = /(?<=\/_mock)\/panel\.js(?:[?#].*)?$/;

/** Options of the script tag: a module is not told which one is its own. */
const readTagOptions = (): PanelOptions => {
  const scripts = [document.currentScript as HTMLScriptElement | null, ...document.scripts];
  const script = scripts.find((one) => PANEL_SCRIPT.test(one?.src ?? ''));
  if (!script) return {};
  const { world, token, open } = script.dataset as { world?: string; token?: string; open?: string };
  return { controlUrl: script.src.replace(PANEL_SCRIPT, ''), world, token, open: open !== undefined };
};

/** Puts the panel into the page, in place of one that is there. On a server, where there is no page, it does nothing. */
export type ShowPanel = (options?: PanelOptions) => Panel;

const page = globalThis as { wmMockPanel?: Panel & { readonly panel: ShowPanel } };
const isServer = typeof document === 'undefined';
const NO_PANEL: Panel = { open: () => {}, close: () => {}, remove: () => {} };

const showPanel: ShowPanel = (options = {}) => {
  page.wmMockPanel?.remove();
  const mounted = isServer ? NO_PANEL : mountPanel(options);
  const remove = () => {
    mounted.remove();
    if (page.wmMockPanel === shown) delete page.wmMockPanel;
  };
  const shown = { ...mounted, remove, panel: showPanel };
  page.wmMockPanel = shown;
  return shown;
};
showPanel(isServer ? {} : readTagOptions());
