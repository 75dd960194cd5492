// Styles of what goes through: methods, statuses, checks, timelines, differences.

export const TRAFFIC = `
.method { font-family: var(--mono); font-size: 12px; font-weight: 650; letter-spacing: 0.01em; color: var(--muted); }
.method.get { color: var(--accent); }
.method.post { color: var(--good); }
.method.patch { color: var(--warn); }
.method.delete { color: var(--bad); }
.path { font-family: var(--mono); font-size: 12.5px; overflow-wrap: anywhere; }
.asked .method { display: inline-block; min-width: 54px; }
.asked .path { font-weight: 500; }
.key { display: inline-flex; gap: 7px; white-space: nowrap; }
.key-name { max-width: 22ch; overflow: hidden; text-overflow: ellipsis; }
.chips { display: flex; flex-wrap: wrap; gap: 4px; }
.request-line { display: inline-flex; flex-wrap: wrap; gap: 4px 10px; align-items: baseline; }
.request-line .method, .request-line .path { font-size: 18px; letter-spacing: -0.02em; }
.lead > .row { gap: 4px 14px; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 20px; align-items: start; }
.headers { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 3px 14px; font-family: var(--mono); font-size: 12px; }
.headers dt { color: var(--muted); overflow-wrap: anywhere; }
.headers dd { min-width: 0; overflow-wrap: anywhere; }
.code.tall pre, .sides .code pre { max-height: 460px; overflow: auto; }
.checks { list-style: none; margin: 0; padding: 0; }
.checks li { position: relative; display: grid; grid-template-columns: 92px minmax(0, 1fr) auto; gap: 2px 14px; padding: 0 0 13px 26px; align-items: baseline; }
.checks li::before { content: ""; position: absolute; left: 5px; top: 18px; bottom: -2px; width: 1px; background: var(--line-strong); }
.checks li:last-child { padding-bottom: 0; }
.checks li:last-child::before { display: none; }
.checks li::after { content: ""; position: absolute; left: 0; top: 5px; width: 11px; height: 11px; border-radius: 50%; background: var(--good); }
.checks li.refused::after { background: var(--bad); border-radius: 3px; }
.check-name { font-weight: 600; }
.check-found { min-width: 0; overflow-wrap: anywhere; }
.checks .refused .check-found { color: var(--bad); }
.check-part { color: var(--muted); font-size: 12.5px; text-align: right; }
.change > .row { margin: 0 18px 10px; }
.change + .change { margin-top: 18px; }
.flush > .card-body > .change { margin-left: 0; margin-right: 0; }
del.diff-before, ins.diff-after { text-decoration: none; padding: 1px 6px; border-radius: 5px; overflow-wrap: anywhere; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
del.diff-before { background: var(--bad-soft); color: var(--bad); }
ins.diff-after { background: var(--good-soft); color: var(--good); }
.checks li.ahead::after { background: var(--surface); border: 2px solid var(--warn); }
.attempts li { grid-template-columns: 132px minmax(0, 1fr) auto; }
.attempts .check-found.row { gap: 4px 10px; }
.attempts .refused .check-found { color: inherit; }
.late { color: var(--warn); flex-basis: 100%; font-size: 12.5px; }
.code.wrap pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.stack.gap { gap: 20px; }
.stack.gap-small { gap: 6px; }
.simulate { padding: 14px 16px; border-radius: 8px; background: var(--inset); gap: 10px; }
.counted { display: inline-flex; gap: 6px; align-items: center; color: var(--text); text-decoration: none; }
.counted:hover { text-decoration: underline; }
.asked .under { display: block; font-weight: 400; font-size: 12px; color: var(--muted); max-width: 34ch; }
.clip { display: block; max-width: 44ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.clip.receiver { max-width: 24ch; }
.chips.in-line { flex-wrap: nowrap; }
.simulate .bar .field { flex: 0 1 300px; }
.row > input.narrow { width: 150px; }
.presets { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 190px), 1fr)); gap: 12px; }
.preset { display: flex; flex-direction: column; gap: 3px; padding: 12px 14px; border: 1px solid var(--line-strong); border-radius: 10px; background: var(--surface); color: var(--text); font: inherit; font-size: 13px; text-align: left; cursor: pointer; }
.preset:hover { border-color: var(--accent); background: var(--accent-soft); }
.preset .strong { font-size: 14px; }
.card-body > form > h3 { margin: 18px 0 8px; }
.card-body > form > h3:first-child { margin-top: 0; }
.choice { display: flex; flex-direction: column; gap: 8px; padding-bottom: 18px; border-bottom: 1px solid var(--line); scroll-margin-top: 110px; }
.choice:last-child { padding-bottom: 0; border-bottom: 0; }
.choice-head { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; justify-content: space-between; }
.choice-head h3 { font-size: 14px; }
.choice-name { margin-top: -6px; font-size: 12.5px; color: var(--muted); }
.options { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 210px), 1fr)); gap: 8px; }
.option { display: flex; flex-direction: column; gap: 1px; padding: 8px 12px; border: 1px solid var(--line-strong); border-radius: 8px; background: var(--surface); color: var(--text); font: inherit; font-size: 13px; text-align: left; cursor: pointer; }
.option:hover { background: var(--hover); }
.option[aria-pressed="true"] { border-color: var(--accent); background: var(--accent-soft); box-shadow: inset 0 0 0 1px var(--accent); }
.option-name { font-family: var(--mono); font-size: 12.5px; font-weight: 600; }
.option[aria-pressed="true"] .option-name { color: var(--accent); }
.option-ours { font-family: system-ui, sans-serif; font-weight: 400; color: var(--muted); }
.option[aria-pressed="true"] .option-ours { color: inherit; }
.option-says { color: var(--muted); font-size: 12.5px; overflow-wrap: anywhere; }
a.chip { text-decoration: none; }
a.chip:hover { text-decoration: underline; }
.row > input[type="search"] { width: 280px; max-width: 100%; }
.message { border: 1px solid var(--line); border-radius: 8px; }
.message summary { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: center; padding: 9px 14px; cursor: pointer; list-style: none; }
.message summary::-webkit-details-marker { display: none; }
.message summary > .icon { color: var(--muted); }
.message[open] summary > .icon { rotate: 90deg; }
.message > .stack { padding: 4px 14px 14px; gap: 12px; }
.card-body > .empty { padding: 6px 0; }
.flush > .card-body > .empty { padding: 14px 0; }
.split { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr)); gap: 18px 32px; padding-top: 4px; }
.split .stack { gap: 8px; }
ul.plain { list-style: none; display: flex; flex-direction: column; gap: 2px; }
@media (max-width: 800px) {
  .clip { max-width: 28ch; }
  .asked .under { max-width: 20ch; }
  .asked:has(.path) { min-width: 200px; }
  .asked .method { display: block; font-size: 11px; }
  .headers { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); }
  .checks li { grid-template-columns: minmax(0, 1fr); }
  .check-part { text-align: left; }
  .request-line .method, .request-line .path { font-size: 15px; }
}
.big-time { font-size: 24px; font-weight: 620; letter-spacing: -0.015em; line-height: 1.3; display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.big-time .muted { font-size: 14px; font-weight: 400; letter-spacing: 0; }
.wide-gauge { width: 26%; min-width: 90px; }
.wide-gauge .gauge { display: block; width: 100%; }
`;
