// The style of the HTML report.
export const STYLE = `
:root{color-scheme:light dark;--line:#8884;--good:#1a7f37;--bad:#c62828;--warn:#9a6700}
body{font:16px/1.5 system-ui,sans-serif;margin:0}main{max-width:70rem;margin:0 auto;padding:1rem}
header{border-left:.5rem solid var(--warn);padding:.25rem 1rem;margin:1rem 0}header.conformant{border-color:var(--good)}
header.violations,header.error{border-color:var(--bad)}h1{margin:.2rem 0}
.numbers span{display:inline-block;margin-right:1.5rem}.numbers b{font-size:1.4rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dt{opacity:.7}dd{margin:0;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;margin:.5rem 0}td,th{border-bottom:1px solid var(--line);padding:.35rem .5rem;text-align:left;vertical-align:top}
td:first-child{white-space:nowrap}.status{white-space:nowrap}.failed .status,.failed b{color:var(--bad);font-weight:700}
.passed .status,.passed b,.yes{color:var(--good)}.deviation .status,.deviation b,.skipped .status,.blocked .status{color:var(--warn)}
.reason{opacity:.75;font-size:.9rem}.no{opacity:.5}.tally{opacity:.7}summary{cursor:pointer;padding:.3rem 0;font-weight:600}
pre{overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere;background:#8881;padding:.5rem;font-size:.85rem}.grid{font-size:.85rem}
`;
