// Texts as HTML.

/** Keeps a text from being read as markup. */
export const escaped = (text: unknown): string =>
  String(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** JSON on lines of its own; any other text as it is. */
export const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** A table that is scrolled where it is too wide. */
export const wide = (label: string, rows: string): string =>
  `<div class="wide" role="region" aria-label="${escaped(label)}" tabindex="0"><table>${rows}</table></div>`;
