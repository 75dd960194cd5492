// What completing one seed file needs at hand: its moment, its chance, and what is taken already.
import { choose } from '../../service/contract/choices.ts';
import type { Random } from '../../service/world/random.ts';
import { BLANKS, FIELDS, type Needed, ofEach, type RecordName, type Records } from '../../service/world/records.ts';
import { momentText } from '../../service/world/time.ts';
import type { SeedFile } from './format.ts';
import { IdMaker, makeUnique, randomFor, slug } from './missing-values.ts';
import type { SeedTimeReader } from './times.ts';

/** The fields of each kind, and whether they hold times, alone or in a list. */
const FILLED = ofEach((name) =>
  FIELDS[name].map(({ name: field, schema }) => {
    const { format } = (schema.items ?? schema) as { readonly format?: string };
    return { field, isTime: format === 'date-time' };
  }),
);

/** Where what a file leaves out comes from. */
export interface SeedSources {
  readonly random: Random;
  readonly ids: IdMaker;
  /** E-mail addresses in use. */
  readonly emails: Set<string>;
  /** Absent where nothing is generated. */
  readonly randomSeed?: number;
}

/** The sources of a file that stands for itself. */
export const createSources = (file: SeedFile, randomSeed: number): SeedSources => ({
  random: randomFor(randomSeed, 'seed'),
  ids: new IdMaker(idsIn(file), choose(file.choices)['id-style']),
  emails: new Set(file.workspaces.flatMap(({ users = [] }) => users.flatMap(({ email }) => email ?? []))),
  randomSeed,
});

/** What a file says of a record. */
type RecordFile<N extends RecordName> = { readonly [F in keyof Records[N]]?: unknown };

export class SeedContext {
  readonly now: number;
  readonly start: string;
  readonly randomSeed: number;
  readonly random: Random;
  readonly ids: IdMaker;
  readonly emails: Set<string>;
  readonly #times: SeedTimeReader;

  constructor(times: SeedTimeReader, { random, ids, emails, randomSeed = 1 }: SeedSources) {
    this.#times = times;
    this.now = times.now;
    this.start = momentText(times.now);
    this.randomSeed = randomSeed;
    this.random = random;
    this.ids = ids;
    this.emails = emails;
  }

  /** A time of the file as a world keeps it; undefined where it has none. */
  time(text: string): string;
  time(text: string | undefined): string | undefined;
  time(text: string | undefined): string | undefined {
    return text === undefined ? undefined : this.#times.read(text);
  }

  /** The id that a record of the file has, or one that nobody has yet. */
  id(name: RecordName, file: { readonly id?: string }): string {
    return file.id ?? this.ids.make(this.random, name);
  }

  /** A new record that a file says something of. @param own what is made where the file says nothing */
  record<N extends RecordName>(
    name: N,
    file: RecordFile<N> & { readonly id?: string; readonly created_at?: string },
    own: Omit<Needed<N>, 'id' | 'created_at'> & Partial<Records[N]>,
  ): Records[N] {
    const [id, created_at] = [this.id(name, file), this.time(file.created_at) ?? this.start];
    return this.filled(name, file, { ...BLANKS[name], id, created_at, ...own } as unknown as Records[N]);
  }

  /** Puts into a new record what the file says of its fields. */
  filled<N extends RecordName>(name: N, file: RecordFile<N>, record: Records[N]): Records[N] {
    const into = record as Record<string, unknown>;
    for (const { field, isTime } of FILLED[name]) {
      const given = (file as Readonly<Record<string, unknown>>)[field];
      if (given === undefined) continue;
      into[field] = Array.isArray(given)
        ? [...new Set(given.map((one) => this.#value(one, isTime)))]
        : this.#value(given, isTime);
    }
    return record;
  }

  #value(given: unknown, isTime: boolean): unknown {
    return isTime && typeof given === 'string' ? this.time(given) : given;
  }

  /** An unused address for a person. */
  email(name: string, id: string, host: string): string {
    const local = slug(name) || slug(id) || 'someone';
    return makeUnique(this.emails, (suffix) => `${local}${suffix}@${host}`);
  }
}

const idsIn = (file: SeedFile): ReadonlySet<string> => {
  const ids = new Set<string>();
  const add = (records: readonly { readonly id?: string }[] = []) => {
    for (const { id } of records) if (id !== undefined) ids.add(id);
  };
  for (const { users, api_keys, projects, tasks, comments, teams, webhooks } of file.workspaces) {
    for (const records of [users, api_keys, projects, tasks, comments, teams, webhooks]) add(records);
    for (const project of projects ?? []) {
      add(project.tasks);
      for (const task of project.tasks ?? []) add(task.comments);
    }
    for (const task of tasks ?? []) add(task.comments);
  }
  return ids;
};
