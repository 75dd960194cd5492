// The door of pages that are bundled: importing it puts the panel into the page; calling `panel` says which mock and which world.
import './script.ts';
import type { ShowPanel } from './script.ts';

export type { Panel } from './script.ts';
export type { PanelOptions } from './where.ts';

const { wmMockPanel } = globalThis as unknown as { wmMockPanel: { panel: ShowPanel } };
export const { panel } = wmMockPanel;
