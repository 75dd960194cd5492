// Styles of the bar of clock and limits.

export const BAR = `
.clock-time { display: flex; align-items: center; gap: 8px; white-space: nowrap; }
.clock-link { display: inline-flex; color: var(--muted); }
.clock-now { font-weight: 600; font-size: 15px; letter-spacing: -0.005em; }
.mode { display: inline-flex; }
.steps { display: flex; }
.step { display: inline-flex; align-items: center; gap: 5px; min-height: 28px; padding: 2px 9px; border: 1px solid var(--line-strong); background: var(--surface); color: var(--text); font: inherit; font-size: 12.5px; font-weight: 550; white-space: nowrap; cursor: pointer; }
.step:hover { background: var(--hover); }
.step:active { background: var(--accent-soft); }
.step:disabled { color: var(--muted); background: var(--inset); cursor: default; font-weight: 400; }
.step:focus-visible { position: relative; z-index: 1; }
.step .icon { width: 15px; height: 15px; margin-left: -3px; }
.mode .step { border-radius: 8px; }
.steps .step + .step { margin-left: -1px; }
.steps .step:first-of-type { border-radius: 8px 0 0 8px; }
.steps .step:last-of-type { border-radius: 0 8px 8px 0; }
.steps .until { color: var(--muted); font-weight: 400; }
.quotas { display: flex; align-items: center; gap: 14px; min-width: 0; font-size: 12.5px; }
.quota { display: inline-flex; align-items: center; gap: 7px; color: var(--text); text-decoration: none; white-space: nowrap; }
.quota:hover { color: var(--accent); }
.quota-name { max-width: 110px; overflow: hidden; text-overflow: ellipsis; color: var(--muted); }
.quota .gauge { width: 44px; }
.quota-reset { color: var(--muted); }
.gauge { flex: none; height: 6px; border-radius: 3px; overflow: hidden; }
.gauge-track { fill: var(--line); }
.gauge-fill { fill: var(--good); }
.gauge.warn .gauge-fill { fill: var(--warn); }
.gauge.bad .gauge-track { fill: var(--bad); }
@media (max-width: 1240px) { .quota-reset { display: none; } .quota-name { max-width: 84px; } }
@media (max-width: 800px) {
  .clock-bar { padding: 8px 14px; gap: 8px; }
  .clock-time { flex: 1 0 100%; padding-right: 84px; }
  .clock-bar .live-state { position: absolute; right: 14px; top: 13px; }
  .steps { flex: 1 1 0; min-width: 100%; overflow-x: auto; scrollbar-width: none; padding: 2px; margin: -2px; }
  .steps .step { flex: 1 0 auto; justify-content: center; padding: 2px 7px; }
  .quotas { flex: 1 0 100%; overflow: hidden; }
  .quota .gauge { width: 32px; }
}
@media (max-width: 460px) {
  .clock-time .muted, .clock-time .chip, .steps .until { display: none; }
  .steps .step { padding: 2px 5px; font-size: 12px; }
}
`;
