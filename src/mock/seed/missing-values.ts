// What a seed file leaves out is made: ids, values and names, each a function of the file's random seed.
import type { Choices } from '../../service/contract/choices.ts';
import { hash32, type Kind, newId, Random } from '../../service/world/random.ts';

/** A chance that the world, which starts from the same seed word, never repeats. */
export const randomFor = (randomSeed: number, purpose: string): Random => new Random(hash32(purpose, randomSeed));

export type MakeId = (random: Random, kind: Kind) => string;

/** Makes ids that are not taken. */
export const idMaker =
  (taken: Pick<ReadonlySet<string>, 'has'>, style: Choices['id-style']): MakeId =>
  (random, kind) => {
    for (;;) {
      const id = newId(random, kind, style);
      if (!taken.has(id)) return id;
    }
  };

/** One of a list. */
export const pickOne = <T>(random: Random, stream: string, list: readonly T[]): T =>
  list[Math.floor(random.fraction(stream) * list.length)]!;

/** The next number of each text that was asked for, so that many of one name are numbered in a time that is linear in them. */
const nextNumbers = new WeakMap<Set<string>, Map<string, number>>();

/** The first text that nobody has yet, numbered from 2 on; from then on it is taken. */
export const makeUnique = (taken: Set<string>, write: (suffix: string) => string, space = ''): string => {
  const numbers = nextNumbers.get(taken) ?? new Map<string, number>();
  nextNumbers.set(taken, numbers);
  const bare = write('');
  let text = bare;
  const key = `${bare}\n${space}`;
  let n = numbers.get(key) ?? 2;
  for (; taken.has(text); n++) text = write(`${space}${n}`);
  numbers.set(key, n);
  taken.add(text);
  return text;
};

/** A text as a part of an address: plain letters, digits and dots; empty when it has none. */
export const slug = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '.')
    .replace(/^\.+|\.+$/g, '');

/** `ws_acme_gardens` → `Acme Gardens`. */
export const nameFromId = (id: string): string =>
  id
    .replace(/^[a-z]+_(?=.)/, '')
    .split(/[_-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

/** The host of a workspace's addresses. `.test` is reserved: no mail ever arrives. */
export const hostOf = (workspaceId: string): string =>
  `${slug(nameFromId(workspaceId)).replaceAll('.', '-') || 'workspace'}.test`;

const FIRST = 'Amara Bela Chiara Dmitri Esther Farid Greta Hiro Ilse Jonas Kaya Lucia Marek Nadia'.split(' ');
const LAST = 'Abara Bergström Castillo Duval Eriksen Fontana Gupta Hoffmann Ito Jansen Kowalski Lindqvist'.split(' ');

/** The name of a person of whom the file says none. */
export const personName = (random: Random): string => `${pickOne(random, 'first', FIRST)} ${pickOne(random, 'last', LAST)}`;
