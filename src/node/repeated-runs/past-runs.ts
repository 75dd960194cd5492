// How runs ended, in a file: what was stopped is taken up there.
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeWhole } from '../files/files.ts';

type FinishedRun<E> = readonly [run: string, ended: E];

export class PastRuns<E> {
  readonly #file: string;
  readonly #of: string;
  readonly #done: FinishedRun<E>[] = [];
  #written = Promise.resolve();
  readonly #past = new Map<string, E[]>();

  /** @param of identifies the command; results of others are ignored */
  constructor(file: string, of: string) {
    this.#file = file;
    this.#of = of;
  }

  async read(): Promise<void> {
    const text = await readFile(this.#file, 'utf8').catch(() => '{}');
    const { of, runs = [] } = JSON.parse(text) as { readonly of?: string; readonly runs?: readonly FinishedRun<E>[] };
    if (of !== this.#of) return;
    for (const [run, ended] of runs) this.#past.set(run, [...(this.#past.get(run) ?? []), ended]);
  }

  /** @param name of the run */
  async ended(name: string, run: () => Promise<E>): Promise<E> {
    const ended = this.#past.get(name)?.shift() ?? (await run());
    this.#done.push([name, ended]);
    // Writes are sequential; a failure shows when the report is written.
    this.#written = this.#written.then(() => this.#write()).catch(() => {});
    return ended;
  }

  async #write(): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true });
    await writeWhole(this.#file, JSON.stringify({ of: this.#of, runs: this.#done }));
  }
}
