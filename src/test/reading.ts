// Pages as a reader sees them: their words line by line, a row of a table in one line, with targets of links and values of fields.

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/<svg[\s\S]*?<\/svg>|<button[^>]*data-copy[^>]*><\/button>/g, ''],
  [/<(?:span|select) class="chip (good|warn|bad|info|refused)"[^>]*>/g, '[$1] '],
  [/<a [^>]*?href="([^"]*)"[^>]*>/g, '($1) '],
  [/<input [^>]*?name="([^"]*)"[^>]*?value="([^"]*)"[^>]*>/g, ' $1=$2 '],
  [/<select [^>]*?name="([^"]*)"/g, ' $1: <select'],
  [/<option value="[^"]*" selected="">([^<]*)/g, ' *$1'],
  [/<option value="[^"]*">([^<]*)/g, ' $1'],
  [/<button [^>]*?name="do" value="([^"]*)"[^>]*>/g, '{$1} '],
];
const ENTITIES: Readonly<Record<string, string>> = { '&quot;': '"', '&#39;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' };
/** The character of an entity. */
export const entityOf = (entity: string): string => ENTITIES[entity] ?? entity;

const plain = (html: string): string =>
  WORDS.reduce((text, [pattern, words]) => text.replace(pattern, words), html)
    .replace(/<[^>]*>/g, ' ')
    .replace(/&\w+;|&#39;/g, entityOf)
    .replace(/\s+/g, ' ')
    .trim();

/** The main part of a page: what is its own. */
export const mainOf = (html: string): string => html.slice(html.indexOf('<main'), html.indexOf('</main>'));

/** A part of a page by its id: a section, up to the next that has one. */
export const partOf = (html: string, id: string): string => {
  const at = html.indexOf(` id="${id}"`);
  const end = html.indexOf('<section class="card', at);
  return at < 0 ? '' : html.slice(html.lastIndexOf('<', at), end < 0 ? undefined : end);
};

/** The lines of a page or of a part of it. */
export const linesOf = (html: string): string[] =>
  html
    .replace(
      /<tr[\s\S]*?<\/tr>/g,
      (row) => `<p>${row.replace(/<\/(td|th)>(?!<\/tr>)/g, ' | ').replace(/<(p|div|li|h\d)\b/g, ' <b')}</p>`,
    )
    .split(/(?=<(?:p|li|h\d|dt|label|form|div|section|summary|nav|ol|ul|tr)\b)/)
    .map(plain)
    .filter((line) => line !== '');

/** The rows of the tables of a page by their ids, without what is open below them. */
export const rowsOf = (html: string): string[] =>
  [...html.matchAll(/<tr data-row="([^"]*)"/g)].map(([, id]) => id!).filter((id) => !id.endsWith(' open'));
