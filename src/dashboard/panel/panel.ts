// The panel: a button in the corner of a page, and behind it the world that the page asks. It listens only while it is open.
import { connect, type RemoteMock } from '../../connect/index.ts';
import type { FeedKind } from '../../mock/control/feed.ts';
import { after, wait } from '../../service/world/time.ts';
import { fill, h } from './dom.ts';
import { type Button, PARTS, type Part, timeText } from './parts.ts';
import { STYLE } from './style.ts';
import { locate, type PanelOptions, whyNot } from './where.ts';

export interface Panel {
  open(): void;
  close(): void;
  /** Takes it out of the page, with all that it listens to. */
  remove(): void;
}

/** What happens within so many milliseconds is shown at once. */
const PAUSE_MS = 100;

/** Has parts shown anew when the world says that they have changed. @returns what ends it */
const follow = (
  { controlUrl }: RemoteMock,
  token: string | undefined,
  show: (part: Part) => Promise<unknown>,
  tell: (state: 'live' | 'resting' | 'reconnecting' | 'ended') => void,
): (() => void) => {
  const source = new EventSource(`${controlUrl}/events${token === undefined ? '' : `?token=${encodeURIComponent(token)}`}`);
  const stale = new Set<Part>();
  let reading = false;
  const read = async (kind?: FeedKind) => {
    for (const part of PARTS) if (kind === undefined || part.hears.includes(kind)) stale.add(part);
    if (reading) return;
    reading = true;
    while (stale.size > 0) {
      await wait(PAUSE_MS);
      const parts = [...stale];
      stale.clear();
      await Promise.all(parts.map(show));
    }
    reading = false;
  };
  // The stream of a quiet hosted world ends for a while: what happens meanwhile is told as a change of state.
  let resting = false;
  source.onopen = () => {
    if (resting) return;
    tell('live');
    void read();
  };
  source.onerror = () => tell(source.readyState === EventSource.CLOSED ? 'ended' : resting ? 'resting' : 'reconnecting');
  source.addEventListener('rest', () => {
    resting = true;
  });
  for (const kind of new Set(PARTS.flatMap(({ hears }) => hears)))
    source.addEventListener(kind, () => {
      if (resting) tell('live');
      void read(resting ? undefined : kind);
      resting = false;
    });
  return () => source.close();
};

export class Board implements Panel {
  readonly #options: PanelOptions;
  readonly #where: ReturnType<typeof locate>;
  readonly #gone = new AbortController();
  readonly #host = h('wm-mock-panel');
  readonly #toggle = h('button', {
    type: 'button',
    class: 'toggle',
    click: () => {
      if (!this.#body.hidden) return this.close();
      this.open();
      this.#body.focus();
    },
  });
  readonly #title = h('h2', { id: 'title' }, 'wm-mock');
  readonly #state = h('span', { class: 'state' });
  readonly #says = h('p', { role: 'status' });
  readonly #dashboard = h('a', { target: '_blank', rel: 'noopener noreferrer' }, 'Dashboard');
  readonly #lists = new Map<Part, HTMLElement>();
  readonly #body: HTMLElement;
  #mock: RemoteMock | undefined;
  /** Ends what goes on while the panel is open. */
  #leave = () => {};

  constructor(options: PanelOptions) {
    this.#options = options;
    this.#where = locate(options);
    this.#body = this.#drawn();
    const root = this.#host.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    root.append(h('aside', { 'aria-label': 'wm-mock' }, this.#body, this.#toggle));
    // The shortcuts of the page are not those of the panel.
    this.#host.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Escape' && !this.#body.hidden) this.close();
    });
    const { signal } = this.#gone;
    document.addEventListener('visibilitychange', () => this.#follow(), { signal });
    const observer = new PerformanceObserver((list) => this.#heard(list.getEntries()));
    observer.observe({ type: 'resource', buffered: true });
    signal.addEventListener('abort', () => observer.disconnect());
    this.#toggled(!options.open);
    // Beside the body, which belongs to the page's framework.
    document.documentElement.append(this.#host);
  }

  open(): void {
    this.#toggled(false);
  }

  close(): void {
    const focused = this.#host.shadowRoot?.activeElement;
    this.#toggled(true);
    if (focused) this.#toggle.focus();
  }

  remove(): void {
    this.#toggled(true);
    this.#gone.abort();
    this.#host.remove();
  }

  #toggled(hidden: boolean): void {
    this.#body.hidden = hidden;
    this.#toggle.textContent = hidden ? 'wm' : '×';
    this.#toggle.setAttribute('aria-label', `${hidden ? 'Open' : 'Close'} the wm-mock panel`);
    this.#toggle.setAttribute('aria-expanded', String(!hidden));
    void this.#follow();
  }

  #drawn(): HTMLElement {
    const sections = PARTS.map((part, i) => {
      const list = h('ul', { 'aria-labelledby': `part-${i}`, 'data-empty': part.empty, tabindex: '-1' });
      this.#lists.set(part, list);
      const buttons = Object.entries(part.buttons).map(([says, run]) => this.#button(says, run));
      return h('section', {}, h('h3', { id: `part-${i}` }, part.title), h('div', { class: 'buttons' }, ...buttons), list);
    });
    const back = this.#button('Reset: data, clock, faults, journal', (mock) => mock.reset());
    const reset = h('details', {}, h('summary', {}, 'Reset this world…'), back);
    const head = h('header', {}, this.#title, this.#state, this.#dashboard);
    const own = { class: 'panel', role: 'dialog', 'data-state': '', 'aria-labelledby': 'title', tabindex: '-1' };
    return h('div', own, head, this.#says, ...sections, reset);
  }

  readonly #failed = ({ message }: Error): void => {
    this.#says.textContent = message;
  };

  readonly #button: Button = (says, run, label) => {
    const click = async () => {
      this.#says.textContent = '';
      if (this.#mock) await run(this.#mock).catch(this.#failed);
    };
    return h('button', { type: 'button', click, 'aria-label': label }, says);
  };

  #tell(state: string, says = ''): void {
    this.#body.dataset.state = state;
    this.#state.textContent = state;
    this.#says.textContent = says;
  }

  #heard(entries: readonly PerformanceEntry[]): void {
    const before = this.#where.url();
    this.#where.heard(entries.map(({ name }) => name));
    if (this.#where.url() !== before) void this.#follow();
  }

  /** Listens to the world while somebody looks, and only then: a browser has six connections for a host. */
  async #follow(): Promise<void> {
    this.#leave();
    if (this.#body.hidden || document.hidden) return;
    let left = false;
    this.#leave = () => {
      left = true;
    };
    const url = this.#where.url();
    const { token } = this.#options;
    try {
      const mock = await connect(url, token === undefined ? {} : { token });
      if (!left) this.#enter(mock, token);
    } catch (error) {
      const why = await whyNot(url, error as Error);
      if (left) return;
      this.#tell('', why);
      console.warn(`wm-mock panel: ${why}`);
    }
  }

  #enter(mock: RemoteMock, token: string | undefined): void {
    this.#mock = mock;
    this.#title.textContent = mock.id === 'default' ? 'wm-mock' : `wm-mock: ${mock.id}`;
    this.#dashboard.href = mock.controlUrl.replace(/_mock$/, 'dashboard/requests');
    const show = async (part: Part) => {
      const rows = await part.rows(mock, this.#button);
      if (this.#mock === mock) fill(this.#lists.get(part)!, rows);
    };
    const shown = (part: Part) => show(part).catch((error) => this.#mock === mock && this.#failed(error));
    const end = follow(mock, token, shown, (state) => this.#tell(state));
    const tick = () => {
      for (const time of this.#body.querySelectorAll<HTMLElement>('[data-ahead]'))
        time.textContent = timeText(Number(time.dataset.ahead));
      callOff = after(1000, tick);
    };
    let callOff = after(1000, tick);
    this.#leave = () => {
      this.#mock = undefined;
      callOff();
      end();
    };
  }
}
