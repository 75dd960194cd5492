// Parts of the reports of failed tests and of `client`: numbers in words, terminal, JUnit, Markdown, and a self-contained page.

/** `1 flip`, `2 deliveries`. */
export const several = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : `${noun}s`.replace(/ys$/, 'ies')}`;

/** Shows control characters, marks that reorder text, and separators of lines. */
export const escapeControls = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Control characters but the ends of lines, and marks that reorder text: no report holds one. */
const STEERING = /[^\P{Cc}\t\n\r]|[\p{Bidi_Control}\p{Zl}\p{Zp}\ufffe\uffff]/gu;
export const escaped = (text: string): string =>
  text.replace(STEERING, '').replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
/** For a cell of Markdown. */
export const cell = (text = ''): string => text.replace(STEERING, '').replace(/\s+/g, ' ').replace(/[|<&]/g, '\\$&');

interface Case {
  readonly name: string;
  readonly skipped?: boolean;
  readonly failure?: { readonly says: string; readonly text: string } | undefined;
}

export const suiteOf = (suite: string, cases: readonly Case[]): string => {
  const failing = cases.filter(({ failure }) => failure);
  const lines = cases.map(({ name, skipped, failure }) => {
    const failed = failure && `<failure message="${escaped(failure.says)}">${escaped(failure.text)}</failure>`;
    return `<testcase classname="${suite}" name="${escaped(name)}">${failed ?? (skipped ? '<skipped/>' : '')}</testcase>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="${suite}" tests="${cases.length}" failures="${failing.length}">\n${lines.join('\n')}\n</testsuite>\n`;
};

const STYLE = `:root{color-scheme:light dark;--line:light-dark(#e2e5eb,#272c36);--muted:light-dark(#565e6d,#a0a8b6)}body{margin:0;background:light-dark(#f5f6f8,#0f1115);color:light-dark(#171a21,#e9ebf0);font:14px/1.5 system-ui,sans-serif}main{max-width:1080px;margin:auto;padding:26px 20px 64px}h1{font-size:22px}h2{font-size:15px;margin:28px 0 8px}a{color:light-dark(#3a53d0,#93a5ff)}section,main>details,main>pre{border:1px solid var(--line);border-radius:10px;background:light-dark(#fff,#171a20);padding:9px 16px;margin:8px 0}
section p{margin:0 0 8px;font-weight:600}dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:4px 16px;margin:0}dt{color:var(--muted)}dd{margin:0;overflow-wrap:anywhere}
code,pre{font:12.5px/1.6 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}pre>span,pre>b{display:block;padding-left:10ch;text-indent:-10ch}main>div:not(:has(table,section)){padding:2px 0 2px 2em;text-indent:-2em}details details{margin-left:1em}summary{cursor:pointer}div:target{background:light-dark(#ebeefc,#20273f)}
table{border-collapse:collapse;width:100%;font-size:13px}th,td{text-align:left;vertical-align:top;padding:5px 8px;border-bottom:1px solid var(--line)}
th[scope=row]{white-space:nowrap}.breaks{color:light-dark(#b02219,#ff9d95)}.same{color:light-dark(#17693f,#6fd6a2)}.flaky,.known{color:light-dark(#7f5200,#efc06a)}`;

export const code = (text: string | undefined): string | undefined => text && `<code>${escaped(text)}</code>`;

/** Section of a finding. @param rows HTML by name; undefined rows are left out */
export const sectionOf = (says: string, rows: Readonly<Record<string, string | undefined>>): string => {
  const terms = Object.entries(rows).flatMap(([name, html]) => (html ? [`<dt>${name}</dt><dd>${html}</dd>`] : []));
  return `<section><p>${escaped(says)}</p><dl>${terms.join('')}</dl></section>`;
};

/** Self-contained page, without scripts of its own. @param body HTML @param head more of it */
export const pageWith = (title: string, body: string, head = ''): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style>${head}</head>
<body>${body}</body></html>
`;
