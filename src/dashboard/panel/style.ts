// The look of the panel, in the colours of the dashboard. Its host gives way to nothing that the page says.

export const STYLE = `
:host { all: initial !important; position: fixed !important; z-index: 2147483647 !important; right: 16px !important; bottom: 16px !important; }
@media print { :host { display: none !important; } }
* { box-sizing: border-box; margin: 0; padding: 0; font: inherit; }
aside { color-scheme: light dark;
  --bg: light-dark(#fff, #171a20); --inset: light-dark(#f3f4f7, #20242c); --line: light-dark(#e2e5eb, #333945); --text: light-dark(#171a21, #e9ebf0);
  --muted: light-dark(#565e6d, #a0a8b6); --accent: light-dark(#3a53d0, #93a5ff); --on: light-dark(#fff, #10142a);
  --good: light-dark(#17693f, #6fd6a2); --warn: light-dark(#7f5200, #efc06a); --bad: light-dark(#b02219, #ff9d95);
  display: flex; flex-direction: column; align-items: flex-end; gap: 10px; color: var(--text); font: 13px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; font-variant-numeric: tabular-nums; }
[hidden], .panel[data-state=""] :is(section, details, header a) { display: none !important; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.panel { width: min(430px, calc(100vw - 32px)); max-height: calc(100dvh - 90px); overflow-y: auto; overscroll-behavior: contain; display: flex; flex-direction: column; gap: 14px; padding: 14px 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--bg); box-shadow: 0 8px 28px light-dark(rgb(20 24 40 / 18%), rgb(0 0 0 / 60%)); }
header, li, .buttons { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px; }
h2 { font-size: 15px; font-weight: 650; overflow-wrap: anywhere; }
h3 { font-weight: 620; }
header a { margin-left: auto; }
a { color: var(--accent); text-underline-offset: 2px; }
.state, small { color: var(--muted); font-size: 12px; }
.state:not(:empty)::before { content: ""; display: inline-block; width: 7px; height: 7px; margin-right: 6px; border-radius: 50%; background: var(--warn); }
[data-state="live"] .state::before { background: var(--good); }
[role="status"] { padding: 8px 10px; border-radius: 8px; background: var(--inset); color: var(--bad); overflow-wrap: anywhere; user-select: text; }
[role="status"]:empty { display: none; }
section { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 10px; }
.buttons { margin-left: auto; gap: 6px; }
ul { flex: 1 0 100%; list-style: none; max-height: 232px; overflow-y: auto; border-radius: 8px; background: var(--inset); }
ul:empty::before { content: attr(data-empty); display: block; padding: 8px 10px; color: var(--muted); }
li { padding: 6px 10px; row-gap: 1px; }
li + li { border-top: 1px solid var(--line); }
li > :first-child { flex: 1 1 0; min-width: 60%; overflow-wrap: anywhere; }
li > a { color: inherit; text-decoration: none; }
li > a:hover { color: var(--accent); text-decoration: underline; }
b { font-weight: 650; }
small { flex: 1 0 100%; overflow-wrap: anywhere; }
.chip { font-weight: 620; }
.good { color: var(--good); } .warn, .warning { color: var(--warn); } .bad { color: var(--bad); }
button, summary { cursor: pointer; }
button { padding: 3px 9px; border: 1px solid var(--line); border-radius: 7px; background: var(--bg); color: var(--text); font-size: 12px; }
button:hover { border-color: var(--accent); color: var(--accent); }
details button { margin-top: 6px; }
summary { width: fit-content; color: var(--muted); }
.toggle { width: 44px; height: 44px; padding: 0; border: 0; border-radius: 50%; background: var(--accent); color: var(--on); font-size: 15px; font-weight: 700; box-shadow: 0 2px 10px rgb(0 0 0 / 30%); }
.toggle:hover { color: var(--on); filter: brightness(1.1); }
.toggle[aria-expanded="true"] { font-size: 24px; line-height: 1; }
`;
