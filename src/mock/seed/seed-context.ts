// The context in which a seed file is completed: its moment, its chance, taken names, and the making of omitted values.
import type { Choices } from '../../service/contract/choices.ts';
import { getOrMake } from '../../service/contract/keyed.ts';
import { type Kind, newId } from '../../service/world/ids.ts';
import { hash32, Random } from '../../service/world/random.ts';
import { BLANKS, FIELDS, type Needed, ofEach, type RecordName, type Records } from '../../service/world/records.ts';
import { momentText } from '../../service/world/time.ts';
import type { SeedTimeReader } from './times.ts';

/** A chance that the world, which starts from the same seed word, never repeats. */
export const randomFor = (randomSeed: number, purpose: string): Random => new Random(hash32(purpose, randomSeed));

export type MakeId = (random: Random, kind: Kind) => string;

export const idMaker =
  (taken: Pick<ReadonlySet<string>, 'has'>, style: Choices['id-style']): MakeId =>
  (random, kind) => {
    for (;;) {
      const id = newId(random, kind, style);
      if (!taken.has(id)) return id;
    }
  };

export const pickOne = <T>(random: Random, stream: string, list: readonly T[]): T =>
  list[Math.floor(random.fraction(stream) * list.length)]!;

/** The next number of each text that was asked for, so that many of one name are numbered in a time that is linear in them. */
const nextNumbers = new WeakMap<Set<string>, Map<string, number>>();

/** The first text not yet taken, numbered from 2 on; from then on it is taken. */
export const makeUnique = (taken: Set<string>, write: (suffix: string) => string, space = ''): string => {
  const numbers = getOrMake(nextNumbers, taken, () => new Map());
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

export const personName = (random: Random): string => `${pickOne(random, 'first', FIRST)} ${pickOne(random, 'last', LAST)}`;

/** The fields of each kind, and whether they hold times, alone or in a list. */
const FILLED = ofEach((name) =>
  FIELDS[name].map(({ name: field, schema }) => {
    const { format } = (schema.items ?? schema) as { readonly format?: string };
    return { field, isTime: format === 'date-time' };
  }),
);

/** Where what a file leaves out comes from. */
interface SeedSources {
  readonly random: Random;
  readonly makeId: MakeId;
  readonly emails: Set<string>;
  /** Absent where nothing is generated. */
  readonly randomSeed?: number;
}

type RecordFile<N extends RecordName> = { readonly [F in keyof Records[N]]?: unknown } & {
  readonly id?: string;
  readonly created_at?: string;
};

const min = (a: string, b: string | undefined): string => (b !== undefined && b < a ? b : a);

export const createSeedContext = (times: SeedTimeReader, { random, makeId, emails, randomSeed = 1 }: SeedSources) => {
  const start = momentText(times.now);
  const readValue = (given: unknown, isTime: boolean) => (isTime && typeof given === 'string' ? times.read(given) : given);

  /** The id that a record of the file has, or one that is not taken. */
  const idOf = (name: RecordName, file: { readonly id?: string }): string => file.id ?? makeId(random, name);

  /** Puts into a new record what the file says of its fields. */
  const fillRecord = <N extends RecordName>(name: N, file: RecordFile<N>, own: Records[N]): Records[N] => {
    const record = own as Record<string, unknown>;
    for (const { field, isTime } of FILLED[name]) {
      const given = (file as Readonly<Record<string, unknown>>)[field];
      if (given === undefined) continue;
      record[field] = Array.isArray(given) ? [...new Set(given.map((one) => readValue(one, isTime)))] : readValue(given, isTime);
    }
    return own;
  };

  /** A new record that a file says something of. @param own what is made where the file says nothing */
  const createRecord = <N extends RecordName>(
    name: N,
    file: RecordFile<N>,
    own: Omit<Needed<N>, 'id' | 'created_at'> & Partial<Records[N]>,
  ): Records[N] => {
    const id = own.id ?? idOf(name, file);
    return fillRecord(name, file, { ...BLANKS[name], created_at: start, ...own, id } as unknown as Records[N]);
  };

  /** When a record began and was changed last. @param first the latest at which it can have begun */
  const timesOf = (file: { readonly created_at?: string; readonly updated_at?: string }, first = start) => {
    const updated = file.updated_at === undefined ? undefined : times.read(file.updated_at);
    const created_at = (file.created_at === undefined ? undefined : times.read(file.created_at)) ?? min(first, updated);
    return { created_at, updated_at: updated ?? created_at };
  };

  const createEmail = (name: string, id: string, host: string): string => {
    const local = slug(name) || slug(id) || 'someone';
    return makeUnique(emails, (suffix) => `${local}${suffix}@${host}`);
  };

  return { now: times.now, start, random, randomSeed, makeId, idOf, fillRecord, createRecord, timesOf, createEmail };
};

export type SeedContext = ReturnType<typeof createSeedContext>;
