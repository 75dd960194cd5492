// The rows of the register as its file has them: short, with what several share written once.
export interface Requirement {
  readonly id: string;
  /** The keys by which the oracle finds it. */
  readonly of?: string | readonly string[];
  readonly part: string;
  readonly level: 'must' | 'open';
  readonly says: string;
  readonly needs?: string;
  readonly unseen?: string;
  /** The release that brought it; absent: the first. */
  readonly since?: string;
  /** The release that no longer has it; absent: it still holds. */
  readonly until?: string;
  /** The words of the specification that state it, or that leave it open; absent: the specification is silent. */
  readonly quote?: string;
  /** The line of the specification, counted from 1, where the quote stands, or the nearest statement. */
  readonly line?: number;
}

type More = Partial<Pick<Requirement, 'of' | 'level' | 'needs' | 'unseen' | 'since' | 'until'>>;

/** The rule, its line, the words of that line, and more; a row for several ends with the words of each. */
type Row = readonly [says: string, line: number, ...rest: (string | More | Readonly<Record<string, string>>)[]];

type Part = Readonly<Record<string, Row>> & { readonly ALL?: More; readonly EACH?: readonly Row[] };

/** The file of the register, parsed. */
export type RegisterFile = Readonly<Record<string, Part>>;

const fill = (text: string, words: string): string =>
  text.replace(/\{(\d?)\}/g, (_, at: string) => (at === '' ? words : (words.split(' ')[Number(at)] ?? '')));

const requirementOf = (id: string, part: string, [says, line, ...rest]: Row, all: More, words = ''): Requirement => {
  const quote = rest.find((one) => typeof one === 'string');
  const { of, ...more }: More = rest.find((one) => typeof one === 'object') ?? {};
  return {
    id,
    part,
    level: 'must',
    says: fill(says, words),
    ...(of === undefined ? {} : { of: typeof of === 'string' ? fill(of, words) : of }),
    ...(more.unseen === undefined ? { needs: 'one key', ...all } : all.since === undefined ? {} : { since: all.since }),
    ...more,
    ...(quote === undefined ? {} : { quote }),
    line,
  };
};

/** All requirements, those of a part in the order of their ids. */
export const requirementsOf = (file: RegisterFile): readonly Requirement[] =>
  Object.entries(file).flatMap(([part, { ALL = {}, EACH = [], ...rows }]) => {
    const own = Object.entries(rows).map(([id, row]) => requirementOf(id, part, row, ALL));
    const spread = EACH.flatMap((row) => {
      const [says, line, ...rest] = row;
      const each = Object.entries(rest.pop() as Readonly<Record<string, string>>);
      return each.map(([id, words]) => requirementOf(id, part, [says, line, ...rest], ALL, words));
    });
    return [...own, ...spread].sort((a, b) => (a.id < b.id ? -1 : 1));
  });
