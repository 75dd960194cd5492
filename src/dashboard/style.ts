// The look of the pages: one accent, system fonts, light and dark from one list of colours.

import { BAR } from './style-bar.ts';
import { LAYOUT } from './style-layout.ts';
import { PARTS } from './style-parts.ts';
import { TRAFFIC } from './style-traffic.ts';

const TOKENS = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#f5f6f8, #0f1115);
  --surface: light-dark(#ffffff, #171a20);
  --inset: light-dark(#f3f4f7, #111419);
  --hover: light-dark(#f0f2f6, #1e222a);
  --line: light-dark(#e2e5eb, #272c36);
  --line-strong: light-dark(#c5cad4, #3b4250);
  --text: light-dark(#171a21, #e9ebf0);
  --muted: light-dark(#565e6d, #a0a8b6);
  --accent: light-dark(#3a53d0, #93a5ff);
  --accent-hover: light-dark(#2d43b3, #aab8ff);
  --accent-soft: light-dark(#ebeefc, #20273f);
  --on-accent: light-dark(#ffffff, #10142a);
  --good: light-dark(#17693f, #6fd6a2);
  --good-soft: light-dark(#e3f4ea, #14301f);
  --warn: light-dark(#7f5200, #efc06a);
  --warn-soft: light-dark(#fcf1d9, #33270f);
  --bad: light-dark(#b02219, #ff9d95);
  --bad-soft: light-dark(#fdebe9, #3a1917);
  --shadow: 0 1px 2px light-dark(rgb(20 24 40 / 5%), rgb(0 0 0 / 30%));
  --lift: 0 8px 28px light-dark(rgb(20 24 40 / 14%), rgb(0 0 0 / 55%));
  --radius: 10px;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
`;

/** The one style sheet. */
export const STYLE = `${TOKENS}${LAYOUT}${PARTS}${BAR}${TRAFFIC}`;
