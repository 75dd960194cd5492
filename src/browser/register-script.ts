// The file `wm-mock-register.js`, which a page loads by itself: its worker lies beside it, in whatever folder that is.
import { type RegisteredMock, type RegisterOptions, register as registerAt } from './register.ts';

export const register = (options: RegisterOptions = {}): Promise<RegisteredMock> =>
  registerAt({ url: new URL('wm-mock-worker.js', import.meta.url).href, ...options });
