// The site of these pages, by VitePress: `npm run site` builds it; `-- --base /path/` is for another place than the top of a host.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { copyLinked, markdown } from './markdown.mjs';
import { addMock } from './mock.mjs';
import { sidebar } from './sidebar.mjs';

const tools = createRequire(join(import.meta.dirname, '../../.ci/tools/package.json'));

export default {
  title: 'wm-mock',
  description: 'The Work-Management API on your own machine: a stateful mock server, a contract suite and a test fake',
  lang: 'en',
  cacheDir: '../node_modules/.cache/vitepress',
  rewrites: { 'README.md': 'index.md' },
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown,
  themeConfig: {
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [{ text: 'API reference', link: '/reference.html', target: '_self' }],
  },
  vite: {
    resolve: { alias: { 'vitepress/theme-without-fonts': tools.resolve('vitepress/theme-without-fonts') } },
    // The mock, which loads when an example imports it.
    build: { chunkSizeWarningLimit: 2000 },
  },
  buildEnd: async ({ outDir }) => {
    copyLinked(outDir);
    await addMock(outDir);
  },
};
