// What a layer learns from the answers of the target: the resources that there are, how they were before their last update, and which are gone.
import type { Answer, Loose } from './answer.ts';
import type { Call } from './call.ts';
import { family, keyOf } from './call.ts';

type Family = ReturnType<typeof family>;

export interface Known {
  readonly family: Family;
  /** True in the second workspace. */
  readonly foreign: boolean;
  row: Loose;
  /** As it was before its last update. */
  before?: Loose;
}

export class Memory {
  readonly alive = new Map<string, Known>();
  readonly gone = new Map<string, Known>();
  readonly #other: string;

  constructor(other: string) {
    this.#other = other;
  }

  learn(call: Call, answer: Answer): void {
    const { op, id } = call;
    if (!op || !answer.ok) return;
    const foreign = keyOf(call) === this.#other;
    if (op.answers === 'nothing') {
      if (id !== undefined) this.#bury(id);
      return;
    }
    const known = id === undefined ? undefined : this.alive.get(id);
    if (op.method === 'PATCH' && known) known.before = known.row;
    if (op.shape === 'webhook') return;
    for (const row of answer.rows) {
      if (typeof row.id !== 'string' || (op.method === 'GET' && this.gone.has(row.id))) continue;
      const old = this.alive.get(row.id);
      const fresh = { ...old?.row, ...row };
      if (old) old.row = fresh;
      else this.alive.set(row.id, { family: family(op.shape), foreign, row: fresh });
    }
  }

  #bury(id: string): void {
    for (const [key, known] of this.alive) {
      if (key !== id && !(known.family === 'task' && known.row.project_id === id)) continue;
      this.alive.delete(key);
      this.gone.set(key, known);
    }
  }

  /** The resources of a family in one workspace, oldest knowledge first. */
  all(kind: Family, foreign = false): Known[] {
    return [...this.alive.values()].filter((known) => known.family === kind && known.foreign === foreign);
  }

  /** What an id means to a caller. */
  fate(id: string | undefined, call: Call): 'own' | 'foreign' | 'deleted' | 'unknown' {
    if (id === undefined) return 'own';
    const known = this.alive.get(id);
    if (known) return known.foreign === (keyOf(call) === this.#other) ? 'own' : 'foreign';
    return this.gone.has(id) ? 'deleted' : 'unknown';
  }
}
