// Notes how a target settles what the specification leaves open, wherever a response shows it.
import { type Exchange, errorOf } from '../engine/exchange.ts';

/** What a response shows of open points. */
export interface Shown {
  /** Of a requirement: what was seen. */
  readonly notes: readonly (readonly [requirement: string, value: string])[];
  /** Of an open point of the document: the choice. */
  readonly choices: readonly (readonly [point: string, choice: string | undefined])[];
}

const challenge = (x: Exchange): Shown | undefined => {
  const bare = !Object.keys(x.requestHeaders).some((name) => name.toLowerCase() === 'authorization');
  if (x.as !== 'nobody' || x.status !== 401 || !bare || !('code' in errorOf(x))) return undefined;
  const header = x.headers.has('www-authenticate') ? 'present' : 'absent';
  const limit = x.headers.get('x-ratelimit-limit');
  const plan = limit === '300' ? 'pro' : limit === '60' ? 'free' : (limit ?? undefined);
  return {
    notes: [['WM-AUTH-014', header]],
    choices: [
      ['www-authenticate', header],
      ['anonymous-limit', plan],
    ],
  };
};

const SIGHTS: readonly ((x: Exchange) => Shown | undefined)[] = [challenge];

interface Listener {
  readonly note: (requirement: string, value: string, x: Exchange) => void;
  readonly observe: (point: string, choice: string | undefined) => void;
}

/** Tells what responses show; the same is told once. */
export class OpenPoints {
  readonly #listener: Listener;
  readonly #told = new Map<string, string>();

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  notice(x: Exchange): void {
    if (x.world !== undefined) return;
    for (const sight of SIGHTS) {
      const seen = sight(x);
      for (const [requirement, value] of seen?.notes ?? []) {
        if (this.#told.get(requirement) === value) continue;
        this.#told.set(requirement, value);
        this.#listener.note(requirement, value, x);
      }
      for (const [point, choice] of seen?.choices ?? []) this.#listener.observe(point, choice);
    }
  }
}
