// The style of the HTML report, light and dark, from 390 pixels on.
export const STYLE = `
:root{color-scheme:light dark;--ground:#fbfbfa;--raised:#fff;--ink:#1c1f23;--soft:#5b626b;--line:#d9dce0;--code:#f1f2f4;
--good:#1a6e35;--bad:#b3261e;--fair:#8a5200;--quiet:#4a5a78;--focus:#0b57d0}
@media (prefers-color-scheme:dark){:root{--ground:#15171a;--raised:#1d2024;--ink:#e8eaed;--soft:#a2aab4;--line:#373c43;--code:#26292e;
--good:#6fce8b;--bad:#ff8a80;--fair:#f0b45a;--quiet:#a9bbdd;--focus:#8ab4f8}}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;margin:0;background:var(--ground);color:var(--ink)}
main{max-width:68rem;margin:0 auto;padding:1rem}
h1{font-size:1.7rem;margin:0}h2{margin:2.5rem 0 .5rem;font-size:1.25rem}h3{font-size:1.05rem;margin:0 0 .4rem}h4{margin:0;font-size:.85rem;color:var(--soft)}
p{margin:.3rem 0}a{color:var(--focus)}h2 a{color:inherit;text-decoration:none}h2 a:hover{text-decoration:underline}:target{outline:2px solid var(--focus);outline-offset:.3rem}.soft{color:var(--soft);font-size:.9rem}
code,pre{font-family:ui-monospace,monospace;font-size:.875rem;overflow-wrap:anywhere}
pre{white-space:pre-wrap;background:var(--code);padding:.6rem .7rem;border-radius:.4rem;margin:.3rem 0;max-height:30rem;overflow:auto}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.verdict{background:var(--raised);border:1px solid var(--line);border-left:.5rem solid var(--tone);border-radius:.5rem;padding:1rem 1.2rem;margin:.5rem 0 1rem}
.good{--tone:var(--good)}.fair{--tone:var(--fair)}.bad{--tone:var(--bad)}.verdict h1{color:var(--tone)}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.15rem 1rem;margin:.8rem 0 0}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
.tallies{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;padding:0;margin:1rem 0}
.tallies li{background:var(--raised);border:1px solid var(--line);border-radius:.5rem;padding:.3rem .8rem}
.tallies b{font-size:1.2rem;color:var(--hue,inherit)}
.passed{--hue:var(--good)}.failed{--hue:var(--bad)}.blocked,.skipped{--hue:var(--fair)}.observed{--hue:var(--quiet)}
.card{background:var(--raised);border:1px solid var(--line);border-left:.3rem solid var(--hue);border-radius:.5rem;padding:.8rem 1rem;margin:.8rem 0}
.card .card{margin-left:.2rem}
.badge{display:inline-block;border:1px solid var(--line);border-radius:1rem;padding:0 .6rem;font-size:.85rem;background:var(--code)}
blockquote{margin:.5rem 0;padding:.1rem 0 .1rem .8rem;border-left:3px solid var(--line);overflow-wrap:anywhere}
cite{display:block;font-style:normal;font-size:.85rem;color:var(--soft)}
.sides{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:.8rem;margin:.6rem 0}
.sides>div{background:var(--code);border-radius:.4rem;padding:.5rem .7rem;overflow-wrap:anywhere}
.sides>div+div{border-left:3px solid var(--hue)}
ol{padding-left:1.3rem}summary{cursor:pointer;padding:.3rem 0;font-weight:600}
.part{border-bottom:1px solid var(--line)}
.rows{list-style:none;margin:0;padding:0}
.row{display:grid;grid-template-columns:8rem 1fr max-content;gap:.8rem;padding:.4rem 0;border-top:1px solid var(--line)}
.row[hidden]{display:none}.row .soft{display:block}.status{color:var(--hue);font-weight:600}
.row blockquote{font-size:.9rem;color:var(--soft);margin:.2rem 0}
#filters{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:.8rem 0}#filters[hidden]{display:none}
button,input{font:inherit;color:inherit;background:var(--raised);border:1px solid var(--line);border-radius:.4rem;padding:.35rem .7rem;min-height:2.5rem}
input{flex:1 1 12rem}button{cursor:pointer}button b{color:var(--hue)}button[aria-pressed=true]{border-color:var(--focus);box-shadow:inset 0 0 0 1px var(--focus)}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;margin:.5rem 0;font-size:.9rem}
th,td{border-bottom:1px solid var(--line);padding:.35rem .6rem;text-align:left;vertical-align:top;font-weight:400}
thead th,tr:first-child th[scope=col]{color:var(--soft)}td.passed,td.failed,td.blocked,td.skipped,td.observed{color:var(--hue)}td.none{color:var(--soft);white-space:nowrap}
@media (max-width:40rem){main{padding:.7rem}.sides{grid-template-columns:minmax(0,1fr)}.row{grid-template-columns:minmax(0,1fr) max-content;gap:.1rem .8rem}
.row>div{grid-column:1/-1;grid-row:2}.row>.status{grid-row:1;grid-column:2}ol{padding-left:1rem}dl{grid-template-columns:1fr}dd{margin-bottom:.4rem}}
@media print{#filters{display:none}pre{max-height:none}}
`;
