// Parts of HTML pages.
import { forMarkup } from './escape.ts';

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
  `<div class="wide" role="region" aria-label="${forMarkup(label)}" tabindex="0"><table>${rows}</table></div>`;
