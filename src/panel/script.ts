// The panel as the script that the mock serves at /_mock/panel.js. Its one global is `wmMockPanel`.
import { type Panel, panel } from './panel.ts';
import { optionsOfScript } from './where.ts';

const page = globalThis as { wmMockPanel?: Panel };
page.wmMockPanel?.remove();
const board = panel(optionsOfScript());
page.wmMockPanel = {
  open: () => board.open(),
  close: () => board.close(),
  remove: () => {
    board.remove();
    delete page.wmMockPanel;
  },
};
