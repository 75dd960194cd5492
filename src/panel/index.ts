// The door of pages that are bundled: importing it puts the panel into the page; calling `panel` says which mock and which world.
import { panelUnlessShown } from './panel.ts';

export { type Panel, panel } from './panel.ts';
export type { PanelOptions } from './where.ts';

panelUnlessShown();
