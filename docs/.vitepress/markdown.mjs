// What the site adds to the pages: examples that run, names of files, and files of the repository that a page links.
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { callIn, kindOf } from './rules.mjs';

const ROOT = join(import.meta.dirname, '../..');
/** Files outside of docs that pages link, by their paths in the site. A page among them is there as a text. */
const linked = new Map();

const showExamples = ({ renderer: { rules } }) => {
  const { fence, code_inline: code } = rules;
  rules.fence = (tokens, i, ...rest) => {
    const { info, content } = tokens[i];
    const [, language, file] = /^(\w*)(?: file=(\S+))?/.exec(info);
    const html = fence(tokens, i, ...rest).replace(/(?<=<span class="lang">)[^<]*/, (name) => file ?? name);
    const kind = kindOf(language, content);
    return kind ? `<LiveExample kind="${kind}">${html}</LiveExample>\n` : html;
  };
  rules.code_inline = (tokens, i, ...rest) => {
    const html = code(tokens, i, ...rest);
    return callIn(tokens[i].content) ? `<LiveExample kind="call">${html}</LiveExample>` : html;
  };
};

const leadToCopies = ({ renderer: { rules } }) => {
  const { link_open: open } = rules;
  rules.link_open = (tokens, i, options, env, self) => {
    const href = tokens[i].attrGet('href');
    const file = relative(ROOT, join(dirname(env.path), href));
    if (/^\.{1,2}\//.test(href) && !file.startsWith('docs')) {
      const copy = file.replace(/\.md$/, '.txt');
      linked.set(copy, file);
      tokens[i].attrSet('href', `/${copy}`);
    }
    return open(tokens, i, options, env, self);
  };
};

/** Names of headings as GitHub makes them: the links of the pages hold there too. */
const slugify = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

export const markdown = {
  theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  anchor: { slugify },
  config: (renderer) => {
    showExamples(renderer);
    leadToCopies(renderer);
  },
};

export const copyLinked = (folder) => {
  for (const [copy, file] of linked) {
    mkdirSync(dirname(join(folder, copy)), { recursive: true });
    copyFileSync(join(ROOT, file), join(folder, copy));
  }
};
