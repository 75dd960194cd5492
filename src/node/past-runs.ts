// How runs of the matrix ended, in a file: what was stopped is taken up there.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Ended } from '../matrix/search.ts';

type Done = readonly [flips: string, ended: Ended];

export class PastRuns {
  readonly #file: string;
  readonly #of: string;
  readonly #done: Done[] = [];
  readonly #past = new Map<string, Ended[]>();

  /** @param of what was run: the runs of something else are forgotten */
  constructor(file: string, of: string) {
    this.#file = file;
    this.#of = of;
  }

  async read(): Promise<void> {
    const text = await readFile(this.#file, 'utf8').catch(() => '{}');
    const { of, runs = [] } = JSON.parse(text) as { readonly of?: string; readonly runs?: readonly Done[] };
    if (of !== this.#of) return;
    for (const [flips, ended] of runs) this.#past.set(flips, [...(this.#past.get(flips) ?? []), ended]);
  }

  /** How such a run ended the last time, or ends now. */
  async ended(flips: string, run: () => Promise<Ended>): Promise<Ended> {
    const { passed, tests } = this.#past.get(flips)?.shift() ?? (await run());
    this.#done.push([flips, { passed, tests }]);
    await mkdir(dirname(this.#file), { recursive: true });
    await writeFile(this.#file, JSON.stringify({ of: this.#of, runs: this.#done }));
    return { passed, tests };
  }
}
