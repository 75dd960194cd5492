// A fact that one part of a run finds and another one uses, known by its name in the code and not by a text.
import type { Parts } from './requests.ts';

export class Kept<T> {
  readonly #facts = new WeakMap<Parts, T>();

  of({ parts }: { readonly parts: Parts }): T | undefined {
    return this.#facts.get(parts);
  }

  keep({ parts }: { readonly parts: Parts }, fact: T): T {
    this.#facts.set(parts, fact);
    return fact;
  }
}
