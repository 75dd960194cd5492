// The panel as a classic script that is a module as well. Its one global is `wmMockPanel`.
import { Corner, type Panel } from './corner.ts';
import type { PanelOptions } from './where.ts';

const SCRIPT = /(?<=\/_mock)\/panel\.js(?:[?#].*)?$/;

/** What the script tag says: a module is not told which one is its own. */
const optionsOfScript = (): PanelOptions => {
  if (typeof document === 'undefined') return {};
  const scripts = [document.currentScript as HTMLScriptElement | null, ...document.scripts];
  const script = scripts.find((one) => SCRIPT.test(one?.src ?? ''));
  if (!script) return {};
  const { world, token, open } = script.dataset as { world?: string; token?: string; open?: string };
  return { controlUrl: script.src.replace(SCRIPT, ''), world, token, open: open !== undefined };
};

/** Puts the panel into the page, in place of one that is there. On a server, where there is no page, it does nothing. */
export type ShowPanel = (options?: PanelOptions) => Panel;

const page = globalThis as { wmMockPanel?: Panel & { readonly panel: ShowPanel } };

const panel: ShowPanel = (options = {}) => {
  page.wmMockPanel?.remove();
  const corner = typeof document === 'undefined' ? undefined : new Corner(options);
  const shown = {
    panel,
    open: () => corner?.open(),
    close: () => corner?.close(),
    remove: () => {
      corner?.remove();
      if (page.wmMockPanel === shown) delete page.wmMockPanel;
    },
  };
  page.wmMockPanel = shown;
  return shown;
};
panel(optionsOfScript());
