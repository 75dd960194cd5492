// docs/performance.md from bench/results.json: what stands between its markers, and its plots. `node bench/page.mjs`
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PLOTS } from './plots.mjs';
import { SECTIONS } from './tables.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
export const RESULTS = at('results.json');
const PAGE = at('../docs/performance.md');
const FOLDER = at('../docs/performance');

/** Puts each part between `<!-- bench:name -->` and `<!-- /bench -->`; the prose around stays. @throws Error for a marker that nothing fills. */
export function fill(text, result) {
  return text.replace(/(<!-- bench:(\w+) -->\n)[\s\S]*?(<!-- \/bench -->)/g, (_, open, name, close) => {
    const section = SECTIONS[name];
    if (!section) throw new Error(`the page has a marker bench:${name}; there are ${Object.keys(SECTIONS).join(', ')}`);
    return `${open}\n${section(result)}\n\n${close}`;
  });
}

/** Every file that a result makes, by path. */
const filesOf = (result) => ({
  [PAGE]: fill(readFileSync(PAGE, 'utf8'), result),
  ...Object.fromEntries(Object.entries(PLOTS).map(([name, plot]) => [`${FOLDER}/${name}.svg`, plot(result)])),
});

export function writePage(result) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [file, text] of Object.entries(filesOf(result))) writeFileSync(file, text);
}

/** The files that a result would change. */
export const staleFiles = (result) =>
  Object.entries(filesOf(result))
    .filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text)
    .map(([file]) => file);

if (import.meta.url === pathToFileURL(process.argv[1]).href) writePage(JSON.parse(readFileSync(RESULTS, 'utf8')));
