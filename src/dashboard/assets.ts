// What the pages load beside themselves, at fixed addresses. Style and script are written as style.css and script.js.
import { SCRIPT, STYLE } from './assets.generated.ts';

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><rect width="20" height="20" rx="5" fill="#3a53d0"/><path d="M5 7l2.5 6L10 8.5 12.5 13 15 7" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** Text and type of each asset, by its path. */
export const ASSETS: Readonly<Record<string, readonly [text: string, type: string]>> = {
  '/dashboard/assets/style.css': [STYLE, 'text/css; charset=utf-8'],
  '/dashboard/assets/script.js': [SCRIPT, 'text/javascript; charset=utf-8'],
  '/dashboard/assets/icon.svg': [ICON, 'image/svg+xml'],
};
