// `--open`: shows an address in the user's browser.
import { spawn } from 'node:child_process';
import type { Io } from '../command-line/io.ts';

export const browserCommand = (platform: NodeJS.Platform, url: string, browser?: string): readonly [string, ...string[]] => {
  if (browser) return [browser, url];
  if (platform === 'darwin') return ['open', url];
  // `start` is a shell command, which would interpret &.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  return ['xdg-open', url];
};

export const openBrowser = (url: string, { env, err }: Pick<Io, 'env' | 'err'>, start: typeof spawn = spawn): void => {
  const [command, ...args] = browserCommand(process.platform, url, env.BROWSER);
  const child = start(command, args, { stdio: 'ignore', detached: true });
  child.once('error', () => err(`wm-mock: --open: cannot run ${command}. Open ${url} yourself, or name a browser in BROWSER.\n`));
  child.unref();
};
