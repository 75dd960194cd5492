// Sentences of generated work: names, titles, descriptions and comments that read like work.
import type { Random } from '../../service/world/random.ts';
import { pickOne } from './missing-values.ts';
import { COMMENTS, DOMAINS, type Domain, ENDINGS, SENTENCES, STEPS } from './words.ts';

export interface ProjectName {
  readonly name: string;
  readonly domain: Domain;
}

const PHRASE_NAMES: readonly ProjectName[] = DOMAINS.flatMap((domain) =>
  domain.subjects.flatMap((subject) => domain.kinds.map((kind) => ({ name: `${subject} ${kind}`, domain }))),
);

export class Phrases {
  readonly #random: Random;
  readonly #firstName: number;

  constructor(random: Random) {
    this.#random = random;
    this.#firstName = random.bits('project name') % PHRASE_NAMES.length;
  }

  /** The name of the nth project: all differ. */
  project(n: number): ProjectName {
    // 77 has no divisor in common with the number of names, so the steps meet each name once.
    const { name, domain } = PHRASE_NAMES[(this.#firstName + n * 77) % PHRASE_NAMES.length]!;
    const round = Math.floor(n / PHRASE_NAMES.length);
    return { name: round === 0 ? name : `${name} ${round + 1}`, domain };
  }

  title({ verbs, objects }: Domain): string {
    const ending = pickOne(this.#random, 'ending', ENDINGS);
    const title = `${pickOne(this.#random, 'verb', verbs)} ${pickOne(this.#random, 'object', objects)}`;
    return ending === '' ? title : `${title} ${ending}`;
  }

  /** Nothing for a third, else from a sentence to a few paragraphs. */
  description(): string | null {
    const size = Math.floor(this.#random.fraction('size') * 9);
    if (size < 3) return null;
    let text = pickOne(this.#random, 'sentence', SENTENCES);
    for (let i = 4; i < size; i++) text += `${i === 6 ? '\n\n' : ' '}${pickOne(this.#random, 'sentence', SENTENCES)}`;
    return size === 8 ? `${text}\n\n${this.#steps()}` : text;
  }

  comment(): string {
    const text = pickOne(this.#random, 'comment', COMMENTS);
    return this.#random.fraction('longer') < 0.3 ? `${text} ${pickOne(this.#random, 'sentence', SENTENCES)}` : text;
  }

  #steps(): string {
    const first = Math.floor(this.#random.fraction('step') * (STEPS.length - 3));
    return STEPS.slice(first, first + 4)
      .map((step) => `- ${step}`)
      .join('\n');
  }
}
