// The panel as a classic script that is a module as well. Its one global is `wmMockPanel`.
import { Board, type Panel } from './panel.ts';
import { optionsOfScript, type PanelOptions } from './where.ts';

/** Puts the panel into the page, in place of one that is there. On a server, where there is no page, it does nothing. */
export type ShowPanel = (options?: PanelOptions) => Panel;

const page = globalThis as { wmMockPanel?: Panel & { readonly panel: ShowPanel } };

const panel: ShowPanel = (options = {}) => {
  page.wmMockPanel?.remove();
  const board = typeof document === 'undefined' ? undefined : new Board(options);
  const shown = {
    panel,
    open: () => board?.open(),
    close: () => board?.close(),
    remove: () => {
      board?.remove();
      if (page.wmMockPanel === shown) delete page.wmMockPanel;
    },
  };
  page.wmMockPanel = shown;
  return shown;
};
panel(optionsOfScript());
