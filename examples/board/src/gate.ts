// The pause that a 429 asks for: every request waits at the gate until it opens again, and the page shows when.
import { createStore } from './store';

interface Gate {
  /** When requests are sent again, milliseconds of this page's clock; undefined while the gate is open. */
  readonly until?: number | undefined;
  readonly limit?: number;
  readonly remaining?: number;
}

export const gate = createStore<Gate>({});

const waiting = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends what waits, whatever the time. */
export const open = (): void => {
  clearTimeout(timer);
  gate.set({ ...gate.get(), until: undefined });
  for (const go of waiting) go();
  waiting.clear();
};

const close = (ms: number): void => {
  const until = Date.now() + ms;
  if (until <= (gate.get().until ?? 0)) return;
  clearTimeout(timer);
  timer = setTimeout(open, ms);
  gate.set({ ...gate.get(), until });
};

const opened = (signal: AbortSignal): Promise<void> | undefined => {
  if (gate.get().until === undefined) return undefined;
  return new Promise((go, stop) => {
    waiting.add(go);
    signal.addEventListener('abort', () => waiting.delete(go) && stop(signal.reason), { once: true });
  });
};

/** How long a refused client shall wait, by the service's own clock: this page's may differ. Backs off where nothing is said. */
const waitOf = ({ headers }: Response, refusals: number): number => {
  const said = Number(headers.get('retry-after') ?? Number.NaN);
  const reset = Number(headers.get('x-ratelimit-reset')) - Date.parse(headers.get('date') ?? '') / 1000;
  const seconds = [said, reset].find((one) => one > 0) ?? 2 ** Math.min(refusals, 6) * (0.5 + Math.random());
  return seconds * 1000;
};

const note = ({ headers }: Response): void => {
  const [limit, remaining] = [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')];
  if (limit && remaining) gate.set({ ...gate.get(), limit: Number(limit), remaining: Number(remaining) });
};

/** A fetch to which a 429 is no answer: it waits, and asks again. */
export const patientFetch = async (request: Request): Promise<Response> => {
  for (let refusals = 0; ; refusals++) {
    await opened(request.signal);
    const response = await fetch(request.clone());
    note(response);
    if (response.status !== 429) return response;
    close(waitOf(response, refusals));
  }
};
