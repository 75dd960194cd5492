// Styles of the frame: sides, bar, main column, and how they fold on narrow screens.

export const LAYOUT = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 72px; }
body {
  margin: 0;
  display: grid;
  grid-template-columns: 224px minmax(0, 1fr);
  min-height: 100vh;
  background: var(--bg);
  color: var(--text);
  font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  font-variant-numeric: tabular-nums;
  -webkit-font-smoothing: antialiased;
}
h1, h2, h3, p, ul, dl, dd, pre, fieldset { margin: 0; padding: 0; border: 0; }
h1 { font-size: 22px; line-height: 1.25; font-weight: 650; letter-spacing: -0.015em; }
h2 { font-size: 15px; line-height: 1.35; font-weight: 620; letter-spacing: -0.005em; }
h2.minor, h3 { font-size: 13px; font-weight: 620; }
a { color: var(--accent); text-underline-offset: 2px; text-decoration-thickness: 1px; }
a:hover { color: var(--accent-hover); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
main:focus { outline: none; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: fixed; left: 12px; top: -60px; z-index: 30; padding: 8px 14px; border-radius: 8px; background: var(--accent); color: var(--on-accent); text-decoration: none; }
.skip:focus { top: 12px; color: var(--on-accent); }
.muted { color: var(--muted); }
.strong { font-weight: 600; }
.number { text-align: right; }
.icon { flex: none; width: 18px; height: 18px; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
::selection { background: light-dark(#cfd7fb, #3a4783); }

.side { position: sticky; top: 0; height: 100vh; overflow-y: auto; display: flex; flex-direction: column; gap: 14px; padding: 16px 12px 14px; border-right: 1px solid var(--line); background: var(--surface); }
.brand { display: flex; align-items: center; gap: 9px; padding: 2px 8px; font-weight: 680; font-size: 15px; letter-spacing: -0.01em; color: var(--text); text-decoration: none; }
.brand:hover { color: var(--text); }
.mark { width: 20px; height: 20px; border-radius: 6px; background: var(--accent) url("/dashboard/assets/icon.svg") center / cover; }
.nav { display: flex; flex-direction: column; gap: 14px; }
.nav-group { display: flex; flex-direction: column; gap: 1px; }
.nav-title { padding: 0 10px 4px; font-size: 12px; color: var(--muted); }
.nav a { display: flex; align-items: center; gap: 10px; padding: 6px 10px; border-radius: 8px; color: var(--text); text-decoration: none; }
.nav a .icon { color: var(--muted); }
.nav a:hover { background: var(--hover); }
.nav a[aria-current] { background: var(--accent-soft); color: var(--accent); font-weight: 600; }
.nav a[aria-current] .icon { color: inherit; }
.nav .out { color: var(--muted); }
.side-foot { margin-top: auto; display: flex; flex-direction: column; gap: 8px; }
.theme fieldset { display: flex; padding: 2px; border-radius: 8px; background: var(--inset); border: 1px solid var(--line); }
.theme button { flex: 1; padding: 3px 6px; border: 0; border-radius: 6px; background: none; color: var(--muted); font: inherit; font-size: 12px; cursor: pointer; text-transform: capitalize; }
.theme button:hover { color: var(--text); }
.theme button[aria-pressed="true"] { background: var(--surface); color: var(--text); font-weight: 600; box-shadow: var(--shadow); }

.menu { position: relative; }
.menu summary { list-style: none; display: flex; align-items: center; gap: 8px; padding: 6px 10px; border: 1px solid var(--line); border-radius: 8px; cursor: pointer; }
.menu summary::-webkit-details-marker { display: none; }
.menu summary:hover { border-color: var(--line-strong); }
.menu-name { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.menu ul { position: absolute; z-index: 20; left: 0; right: 0; top: calc(100% + 4px); list-style: none; padding: 4px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); box-shadow: var(--lift); }
.menu li a { display: block; padding: 6px 10px; border-radius: 6px; color: var(--text); text-decoration: none; overflow: hidden; text-overflow: ellipsis; }
.menu li a:hover { background: var(--hover); }
.menu li a[aria-current] { color: var(--accent); font-weight: 600; }
.menu .rule { margin-top: 4px; padding-top: 4px; border-top: 1px solid var(--line); }

.page { min-width: 0; display: flex; flex-direction: column; }
.clock-bar { position: sticky; top: 0; z-index: 10; display: flex; flex-wrap: wrap; align-items: center; gap: 8px 10px; min-height: 52px; padding: 9px 28px; border-bottom: 1px solid var(--line); background: var(--surface); }
.live-state { margin-left: auto; font-size: 12px; color: var(--muted); display: flex; align-items: center; gap: 6px; }
.live-state:not(:empty)::before { content: ""; width: 7px; height: 7px; border-radius: 50%; background: var(--muted); }
.live-state[data-live-state="live"]::before { background: var(--good); }
.live-state[data-live-state="reconnecting"]::before { background: var(--warn); }
main { width: 100%; max-width: 1180px; padding: 26px 28px 64px; display: flex; flex-direction: column; gap: 20px; }
.page-head { display: flex; flex-wrap: wrap; gap: 12px 24px; align-items: flex-end; justify-content: space-between; }
.page-head > div:first-child { flex: 1 1 300px; min-width: 0; }
.lead { margin-top: 4px; color: var(--muted); max-width: 70ch; }
.actions { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 380px), 1fr)); gap: 20px; align-items: start; }
.stack { display: flex; flex-direction: column; gap: 16px; min-width: 0; }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; }

.alone { display: grid; grid-template-columns: minmax(0, 1fr); place-items: center; }
.alone main { max-width: 440px; gap: 14px; padding: 28px; margin: 24px; border: 1px solid var(--line); border-radius: 14px; background: var(--surface); box-shadow: var(--lift); width: calc(100% - 48px); }
.alone .brand { padding: 0; }
.alone form { display: flex; flex-direction: column; gap: 14px; }

@media (max-width: 800px) {
  body { grid-template-columns: minmax(0, 1fr); grid-template-rows: auto 1fr; }
  .side { position: static; height: auto; overflow: visible; padding: 10px 14px 0; gap: 8px; border-right: 0; flex-flow: row wrap; align-items: center; }
  .side .brand { padding: 0; }
  .worlds { flex: 1; min-width: 0; max-width: 240px; margin-left: auto; }
  .worlds summary { padding: 4px 8px; }
  .worlds .muted { display: none; }
  .nav { order: 3; flex: 1 0 100%; min-width: 0; flex-direction: row; gap: 0; overflow-x: auto; margin: 0 -14px; padding: 2px 10px 0; scrollbar-width: none; border-bottom: 1px solid var(--line); }
  .nav-group { flex-direction: row; gap: 0; }
  .nav-title, .nav .icon { display: none; }
  .nav a { padding: 9px 8px; border-radius: 0; white-space: nowrap; border-bottom: 2px solid transparent; }
  .nav a:hover { background: none; }
  .nav a[aria-current] { background: none; border-bottom-color: var(--accent); }
  .side-foot { margin: 0; flex-direction: row; }
  .side .theme button { padding: 4px 6px; }
  main { padding: 18px 14px 48px; gap: 16px; }
  h1 { font-size: 20px; }
}
@media (max-width: 440px) {
  .side .brand-name { display: none; }
}
@media (prefers-reduced-motion: no-preference) {
  .fresh { animation: fresh 1.6s ease-out; }
  @keyframes fresh { from { background: var(--accent-soft); } }
}
`;
