// The corner of a page: a button, and behind it the panel, which is a page of the dashboard in a frame.
import { findPanelProblem, locateMock, type PanelOptions } from './where.ts';

export interface Panel {
  open(): void;
  close(): void;
  /** Takes it out of the page, with all that it listens to. */
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

const element = <K extends keyof HTMLElementTagNameMap>(name: K, attributes: Readonly<Record<string, string>>) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

export class Corner implements Panel {
  readonly #token: string | undefined;
  readonly #where: ReturnType<typeof locateMock>;
  readonly #gone = new AbortController();
  readonly #host = document.createElement('wm-mock-panel');
  readonly #toggle = element('button', { type: 'button' });
  readonly #says = element('p', { role: 'status' });
  readonly #body = element('div', { role: 'dialog', 'aria-label': 'wm-mock' });
  #frame: HTMLIFrameElement | undefined;

  constructor(options: PanelOptions) {
    this.#token = options.token;
    this.#where = locateMock(options);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(PANEL_STYLE);
    const aside = element('aside', { 'aria-label': 'wm-mock' });
    this.#body.append(this.#says);
    aside.append(this.#body, this.#toggle);
    const root = this.#host.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    root.append(aside);
    this.#listen();
    this.#turn(!options.open);
    // Beside the body, which belongs to the page's framework.
    document.documentElement.append(this.#host);
  }

  open(): void {
    this.#turn(false);
  }

  close(): void {
    const focused = this.#host.shadowRoot?.activeElement;
    this.#turn(true);
    if (focused) this.#toggle.focus();
  }

  remove(): void {
    this.#turn(true);
    this.#gone.abort();
    this.#host.remove();
  }

  #listen(): void {
    const { signal } = this.#gone;
    this.#toggle.addEventListener('click', () => (this.#body.hidden ? this.open() : this.close()));
    // The shortcuts of the page are not those of the panel.
    this.#host.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Escape' && !this.#body.hidden) this.close();
    });
    // Keys that are pressed in the frame stay there: its page says when it is to close.
    const told = ({ source, data }: MessageEvent) =>
      source === this.#frame?.contentWindow && data === 'wm-mock: close' && this.close();
    addEventListener('message', told, { signal });
    const observer = new PerformanceObserver((list) => {
      const before = this.#where.url();
      this.#where.heard(list.getEntries().map(({ name }) => name));
      if (this.#where.url() !== before) void this.#show();
    });
    observer.observe({ type: 'resource', buffered: true });
    signal.addEventListener('abort', () => observer.disconnect());
  }

  #turn(hidden: boolean): void {
    this.#body.hidden = hidden;
    this.#toggle.textContent = hidden ? 'wm' : '×';
    this.#toggle.setAttribute('aria-label', `${hidden ? 'Open' : 'Close'} the wm-mock panel`);
    this.#toggle.setAttribute('aria-expanded', String(!hidden));
    void this.#show();
  }

  /** Shows the world that the page calls while the panel is open, and only then: a browser has six connections for a host. */
  async #show(): Promise<void> {
    this.#frame?.remove();
    this.#frame = undefined;
    if (this.#body.hidden) return;
    const url = this.#where.url();
    const why = await findPanelProblem(url, this.#token);
    if (this.#body.hidden || this.#frame || url !== this.#where.url()) return;
    this.#says.textContent = why ?? '';
    if (why !== undefined) return console.warn(`wm-mock panel: ${why}`);
    const query = this.#token === undefined ? '' : `?token=${encodeURIComponent(this.#token)}`;
    this.#frame = element('iframe', { title: 'wm-mock', src: `${url.replace(/_mock$/, 'dashboard/panel')}${query}` });
    this.#body.append(this.#frame);
    this.#frame.focus();
  }
}
