// The sidebar: headings, labels and links of docs/README.md in its order. A folder that it names is there with all its pages.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = join(import.meta.dirname, '..');
const LINK = /\[([^\]]+)\]\(([^):]+)\)|`docs\/([\w./-]+)`/g;

const textOf = (page) => readFileSync(join(DOCS, page), 'utf8');
const format = (text) => (text[0].toUpperCase() + text.slice(1)).replaceAll('`', '');
const titleOf = (page) => format(/^# (.+)$/m.exec(textOf(page))[1]);

const itemsIn = (line) =>
  [...line.matchAll(LINK)].map(([, text, link, path]) => {
    if (link) return { text: format(text), link: `/${link}` };
    if (path.endsWith('.md')) return { text: titleOf(path), link: `/${path}` };
    const pages = readdirSync(join(DOCS, path)).map((name) => `${path}/${name}`);
    return { text: format(path), collapsed: true, items: pages.map((page) => ({ text: titleOf(page), link: `/${page}` })) };
  });

/** A line with a label, such as `- Test runners: …`, is a group of its own. */
const groupsIn = (line) => {
  const label = /^- ([^:[`]+): /.exec(line)?.[1];
  return label ? [{ text: format(label), items: itemsIn(line) }] : itemsIn(line);
};

const sections = textOf('README.md').split(/^## /m).slice(1);
export const sidebar = sections.map((section) => {
  const [heading, ...lines] = section.split('\n');
  return { text: heading, items: lines.flatMap(groupsIn) };
});
