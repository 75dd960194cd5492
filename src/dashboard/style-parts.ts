// Styles of the parts: cards, tables, chips, buttons, fields, code.

export const PARTS = `
.card { min-width: 0; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); box-shadow: var(--shadow); }
.card-head { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; justify-content: space-between; padding: 14px 18px 0; }
.card-head p { font-size: 13px; }
.card-body { padding: 14px 18px 18px; display: flex; flex-direction: column; gap: 14px; min-width: 0; }
.flush > .card-body { padding: 12px 0 0; gap: 0; }
.flush > .card-body:first-child { padding-top: 0; }
.flush > .card-body:first-child thead th { border-top: 0; }
.flush > .card-body:first-child thead th:first-child { border-top-left-radius: var(--radius); }
.flush > .card-body:first-child thead th:last-child { border-top-right-radius: var(--radius); }

.table { position: relative; overflow-x: auto; }
td .mono { white-space: nowrap; }
td .mono > span:first-child { overflow-wrap: normal; }
.table:focus-visible { outline-offset: -2px; }
table { width: 100%; border-collapse: collapse; font-size: 13px; }
th, td { padding: 8px 10px; text-align: left; vertical-align: middle; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { padding-left: 18px; }
th:last-child, td:last-child { padding-right: 18px; }
thead th { padding-top: 6px; padding-bottom: 6px; font-size: 12px; font-weight: 500; color: var(--muted); white-space: nowrap; background: var(--inset); border-top: 1px solid var(--line); }
.card-body > .table:first-child thead th { border-top: 0; }
tbody th { font-weight: 550; }
tbody tr:last-child > * { border-bottom: 0; }
tbody tr:hover { background: light-dark(#fafbfc, #1a1e25); }
th.number, td.number { text-align: right; }
td.nowrap, th.nowrap { white-space: nowrap; }
td.end { text-align: right; white-space: nowrap; }
.sort { color: inherit; text-decoration: none; }
.sort:hover, .sort[aria-current] { color: var(--text); }
tr.open, tr.open:hover { background: var(--inset); }
tr.open > td { padding: 4px 18px 18px; }
.link { color: var(--text); text-decoration: none; font-weight: 550; }
.link:hover { color: var(--accent); text-decoration: underline; }

.chip { display: inline-flex; align-items: center; gap: 5px; padding: 1px 8px; border-radius: 99px; font-size: 12px; line-height: 18px; font-weight: 550; white-space: nowrap; background: var(--hover); color: var(--muted); }
.chip.good { background: var(--good-soft); color: var(--good); }
.chip.warn { background: var(--warn-soft); color: var(--warn); }
.chip.bad { background: var(--bad-soft); color: var(--bad); }
.chip.info { background: var(--accent-soft); color: var(--accent); }

.button { display: inline-flex; align-items: center; justify-content: center; gap: 6px; min-height: 32px; padding: 4px 12px; border: 1px solid var(--line-strong); border-radius: 8px; background: var(--surface); color: var(--text); font: inherit; font-size: 13px; font-weight: 550; line-height: 20px; text-decoration: none; white-space: nowrap; cursor: pointer; }
.button:hover { background: var(--hover); color: var(--text); }
.button:active { translate: 0 1px; }
.button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.button.primary:hover { background: var(--accent-hover); border-color: var(--accent-hover); }
.button.danger { background: var(--bad); border-color: var(--bad); color: light-dark(#fff, #2a0f0d); }
.button.quiet { border-color: transparent; background: none; color: var(--muted); }
.button.quiet:hover { background: var(--hover); color: var(--text); }
.button.quiet-danger { border-color: transparent; background: none; color: var(--bad); list-style: none; }
.button.quiet-danger:hover { background: var(--bad-soft); color: var(--bad); }
.button.quiet-danger::-webkit-details-marker { display: none; }
.button.small { min-height: 26px; padding: 1px 9px; }
.confirm { display: inline-block; }
.confirm[open] > summary { display: none; }
.confirm .inline { padding: 4px 4px 4px 12px; border-radius: 10px; background: var(--bad-soft); white-space: normal; }
.confirm .inline .muted { color: var(--bad); }
form.inline { display: inline-flex; flex-wrap: wrap; gap: 8px; align-items: center; }

.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 210px), 1fr)); gap: 14px 16px; align-items: start; }
.field { display: flex; flex-direction: column; gap: 5px; min-width: 0; }
.field.wide { grid-column: 1 / -1; }
.field > label, .field > legend { font-size: 13px; font-weight: 550; }
input[type="text"], input[type="search"], input[type="password"], input[type="email"], input[type="url"], input[type="number"], input[type="datetime-local"], select, textarea {
  width: 100%; min-height: 34px; padding: 6px 10px; border: 1px solid var(--line-strong); border-radius: 8px; background: light-dark(#fff, #12151b); color: var(--text); font: inherit; font-size: 13px; line-height: 20px;
}
textarea { resize: vertical; }
input[type="datetime-local"] { height: 34px; min-width: 200px; }
input::placeholder, textarea::placeholder { color: var(--muted); opacity: 1; }
input:hover, select:hover, textarea:hover { border-color: var(--muted); }
input:focus-visible, select:focus-visible, textarea:focus-visible { outline-offset: 0; border-radius: 8px; }
[aria-invalid="true"] { border-color: var(--bad) !important; box-shadow: 0 0 0 1px var(--bad); }
.hint { font-size: 12px; color: var(--muted); }
.issue { font-size: 12px; color: var(--bad); font-weight: 550; }
.check { display: flex; align-items: center; gap: 8px; min-height: 26px; }
.check input { width: 16px; height: 16px; margin: 0; accent-color: var(--accent); }
.submit { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; grid-column: 1 / -1; }
.bar { display: flex; flex-wrap: wrap; gap: 10px; align-items: end; }
.bar .field { flex: 0 1 150px; }
.bar .field.wider { flex-basis: 200px; }
.bar .field.grow { flex: 1 1 220px; }
.bar .field:has(> input[type="datetime-local"]) { flex-basis: 230px; }
.js .nojs { display: none; }

.notice { padding: 10px 14px; border-radius: 10px; border: 1px solid transparent; }
.notice.good { background: var(--good-soft); color: var(--good); }
.notice.bad { background: var(--bad-soft); color: var(--bad); }
.notice.warn { background: var(--warn-soft); color: var(--warn); }
.notice.info { background: var(--accent-soft); color: var(--text); }
.notice.once { background: var(--accent-soft); border-color: var(--accent); padding: 14px 16px; display: flex; flex-direction: column; gap: 4px; }
.once-value { display: flex; align-items: center; gap: 8px; font-size: 15px; overflow-wrap: anywhere; }
#note:empty { display: none; }

.copy { display: none; flex: none; align-items: center; justify-content: center; width: 26px; height: 26px; padding: 0; border: 0; border-radius: 6px; background: none; color: var(--muted); cursor: pointer; }
.js .copy { display: inline-flex; }
.copy .icon { width: 16px; height: 16px; }
.copy:hover { background: var(--hover); color: var(--text); }
.copy.done { color: var(--good); }
.mono { display: inline-flex; align-items: center; gap: 4px; max-width: 100%; font-family: var(--mono); font-size: 12.5px; }
.mono > span:first-child { overflow-wrap: anywhere; }
code { font-family: var(--mono); font-size: 0.92em; }
.code { position: relative; border: 1px solid var(--line); border-radius: 8px; background: var(--inset); min-width: 0; text-align: left; }
.code pre { overflow-x: auto; padding: 11px 44px 11px 14px; font-size: 12.5px; line-height: 1.6; white-space: pre; }
.snippets { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 12px; align-items: stretch; }
.code-name { display: block; padding: 7px 14px 0; font-size: 12px; color: var(--muted); }
.code-name + pre { padding-top: 4px; }
.code .copy { position: absolute; top: 7px; right: 7px; background: var(--inset); }
.code .copy:hover { background: var(--hover); }

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(108px, 1fr)); gap: 1px; background: var(--line); border: 1px solid var(--line); border-radius: var(--radius); overflow: hidden; box-shadow: var(--shadow); }
.tile { display: flex; flex-direction: column; padding: 12px 16px; background: var(--surface); color: var(--text); text-decoration: none; }
a.tile:hover { background: var(--hover); color: var(--text); }
.tile-number { font-size: 22px; font-weight: 620; line-height: 1.3; letter-spacing: -0.02em; }
.tile-label { font-size: 12.5px; color: var(--muted); }

.tabs { position: relative; display: flex; gap: 4px; overflow-x: auto; border-bottom: 1px solid var(--line); scrollbar-width: none; }
.tabs a { text-transform: capitalize; display: flex; align-items: center; gap: 7px; padding: 8px 12px; color: var(--muted); text-decoration: none; border-bottom: 2px solid transparent; margin-bottom: -1px; white-space: nowrap; }
.tabs a:hover { color: var(--text); }
.tabs a[aria-current] { color: var(--text); font-weight: 600; border-bottom-color: var(--accent); }
.count { padding: 0 7px; border-radius: 99px; font-size: 12px; font-weight: 500; line-height: 18px; background: var(--hover); color: var(--muted); }
.empty { display: flex; flex-direction: column; gap: 6px; align-items: flex-start; padding: 26px 18px; }
.empty .code { width: 100%; margin-top: 8px; }
.pager { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 10px; padding: 10px 18px; border-top: 1px solid var(--line); font-size: 13px; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 8px 18px; }
.facts dt { color: var(--muted); }
.facts dd { min-width: 0; overflow-wrap: anywhere; }
.list { list-style: none; display: flex; flex-direction: column; }
.list > li { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; justify-content: space-between; padding: 9px 0; border-bottom: 1px solid var(--line); }
.list > li:last-child { border-bottom: 0; }
.wide-first th[scope="row"] { width: 36%; max-width: 0; min-width: 240px; }
.wide-first tr:has(> :nth-child(4):last-child) > th[scope="row"] { width: 52%; }
.wide-first th[scope="row"] > * { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.under { font-weight: 400; font-size: 12px; color: var(--muted); }
.pad { padding: 4px 18px 16px; }
.gone th, .gone td { color: var(--muted); }
.late { color: var(--bad); font-weight: 550; }
.talk, .people { list-style: none; display: flex; flex-direction: column; gap: 12px; max-width: 80ch; }
.people { flex-flow: row wrap; gap: 8px 18px; }
.talk li { overflow-wrap: anywhere; }
.prose { max-width: 80ch; white-space: pre-wrap; overflow-wrap: anywhere; }
select.narrow { width: auto; min-width: 180px; }
.opened > * { border-bottom-color: transparent; background: var(--inset); }
.person { display: inline-flex; align-items: center; gap: 8px; white-space: nowrap; }
.initials { display: inline-grid; place-items: center; width: 22px; height: 22px; border-radius: 50%; background: var(--accent-soft); color: var(--accent); font-size: 10px; font-weight: 650; }
@media (max-width: 800px) {
  .tiles { grid-template-columns: repeat(4, 1fr); }
  .tile { padding: 10px 12px; }
  .tile-number { font-size: 19px; }
  .bar .field, .bar .field.wider { flex: 1 1 140px; }
  tbody th[scope="row"] { min-width: 130px; }
  th:first-child, td:first-child { padding-left: 14px; }
  th:last-child, td:last-child { padding-right: 14px; }
  .card-head, .card-body { padding-left: 14px; padding-right: 14px; }
  .flush > .card-body { padding-left: 0; padding-right: 0; }
  .pad { padding-left: 14px; padding-right: 14px; }
}
`;
