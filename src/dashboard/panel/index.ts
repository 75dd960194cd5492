// The door of pages that are bundled: importing it puts the panel into the page; calling `panel` says which mock and which world.
import './script.ts';
import type { ShowPanel } from './script.ts';

export type { Panel } from './corner.ts';
export type { PanelOptions } from './where.ts';

export const panel: ShowPanel = (globalThis as unknown as { wmMockPanel: { panel: ShowPanel } }).wmMockPanel.panel;
