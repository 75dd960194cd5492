// The theme of VitePress with the fonts of the system, and examples that run.
import theme from 'vitepress/theme-without-fonts';
import { LiveExample } from './live-example.mjs';

export default { extends: theme, enhanceApp: ({ app }) => app.component('LiveExample', LiveExample) };
