// The names, titles, descriptions and comments of generated work, made of the words in phrases.yaml.
import type { Random } from '../../service/world/random.ts';
import { WORDS } from './phrases.generated.ts';
import { pickOne } from './seed-context.ts';

type Domain = (typeof WORDS.domains)[number];

const PHRASE_NAMES: readonly { readonly name: string; readonly domain: Domain }[] = WORDS.domains.flatMap((domain) =>
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
  project(n: number): (typeof PHRASE_NAMES)[number] {
    // 77 has no divisor in common with the number of names, so the steps meet each name once.
    const { name, domain } = PHRASE_NAMES[(this.#firstName + n * 77) % PHRASE_NAMES.length]!;
    const round = Math.floor(n / PHRASE_NAMES.length);
    return { name: round === 0 ? name : `${name} ${round + 1}`, domain };
  }

  title({ verbs, objects }: Domain): string {
    const ending = pickOne(this.#random, 'ending', WORDS.endings);
    const title = `${pickOne(this.#random, 'verb', verbs)} ${pickOne(this.#random, 'object', objects)}`;
    return ending === '' ? title : `${title} ${ending}`;
  }

  /** Nothing for a third, else from a sentence to a few paragraphs. */
  description(): string | null {
    const size = Math.floor(this.#random.fraction('size') * 9);
    if (size < 3) return null;
    let text = pickOne(this.#random, 'sentence', WORDS.sentences);
    for (let i = 4; i < size; i++) text += `${i === 6 ? '\n\n' : ' '}${pickOne(this.#random, 'sentence', WORDS.sentences)}`;
    return size === 8 ? `${text}\n\n${this.#steps()}` : text;
  }

  comment(): string {
    const text = pickOne(this.#random, 'comment', WORDS.comments);
    return this.#random.fraction('longer') < 0.3 ? `${text} ${pickOne(this.#random, 'sentence', WORDS.sentences)}` : text;
  }

  #steps(): string {
    const first = Math.floor(this.#random.fraction('step') * (WORDS.steps.length - 3));
    return WORDS.steps
      .slice(first, first + 4)
      .map((step) => `- ${step}`)
      .join('\n');
  }
}
