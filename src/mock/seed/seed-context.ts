// What completing one seed file needs at hand: its moment, its chance, and what is taken already.
import type { Random } from '../../service/world/random.ts';
import { BLANKS, FIELDS, type Needed, ofEach, type RecordName, type Records } from '../../service/world/records.ts';
import { momentText } from '../../service/world/time.ts';
import { type MakeId, makeUnique, slug } from './missing-values.ts';
import type { SeedTimeReader } from './times.ts';

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
  /** E-mail addresses in use. */
  readonly emails: Set<string>;
  /** Absent where nothing is generated. */
  readonly randomSeed?: number;
}

/** What a file says of a record. */
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

  /** An unused address for a person. */
  const createEmail = (name: string, id: string, host: string): string => {
    const local = slug(name) || slug(id) || 'someone';
    return makeUnique(emails, (suffix) => `${local}${suffix}@${host}`);
  };

  return { now: times.now, start, random, randomSeed, makeId, idOf, fillRecord, createRecord, timesOf, createEmail };
};

export type SeedContext = ReturnType<typeof createSeedContext>;
