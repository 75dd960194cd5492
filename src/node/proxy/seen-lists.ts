// The totals of lists before the traffic, and the records that they count and no page showed.
import { isObject } from '../../service/contract/schema.ts';
import { BLANKS, FIELDS, type RecordName, textOrder } from '../../service/world/records.ts';
import { IssuedCursors } from './issued-cursors.ts';
import { type LooseRecord, type ReadExchange, recordFrom } from './read-exchange.ts';

/** Fields by which lists filter, or that name the record in their path. */
export type FieldValues = Readonly<Record<string, unknown>>;

interface SeenList {
  readonly kind: RecordName;
  readonly values: FieldValues;
  /** Records before the traffic. */
  readonly total: number;
  /** By order: the least and the most value of its field that pages showed. */
  readonly shown: Map<string, readonly [least: string, most: string]>;
}

/** @property left records that the seed lacks */
type OpenList = Pick<SeenList, 'values'> & { left: number };

const MAX_LISTS = 1000;

export const hasValues = (values: FieldValues, record: FieldValues): boolean =>
  Object.entries(values).every(([name, value]) => record[name] === value);

export class SeenLists {
  readonly #lists = new Map<string, SeenList>();
  readonly #cursors = new IssuedCursors();

  /** @param changeIn how many more records the traffic made of those with certain values */
  note(kind: RecordName, read: ReadExchange, changeIn: (values: FieldValues) => number): void {
    const { row, variable, got } = read;
    const query = this.#cursors.listOf(read);
    this.#cursors.note(read);
    if (!query || !isObject(got.meta) || typeof got.meta.total !== 'number') return;
    const parent = variable === undefined ? {} : { [row?.finds === 'projects' ? 'project_id' : 'task_id']: variable };
    const values = { ...query.filters, ...parent };
    const name = JSON.stringify([kind, values]);
    const known = this.#lists.get(name);
    if (!known && this.#lists.size >= MAX_LISTS) return;
    const list = known ?? { kind, values, total: got.meta.total - changeIn(values), shown: new Map() };
    this.#lists.set(name, list);
    const records = read.records.flatMap((one) => (one.kind === kind ? recordFrom(kind, one.record, undefined) : []));
    const order = query.sort ?? '';
    const field = order.replace(/^-/, '') || 'created_at';
    if (!/^(title|due_date|created_at|updated_at)$/.test(field)) return;
    const shown = [...(list.shown.get(order) ?? []), ...records.map((one) => one[field])];
    const sorted = shown.filter((one) => typeof one === 'string').sort(textOrder);
    if (sorted.length > 0 || field === 'due_date') list.shown.set(order, [sorted[0] ?? '', sorted.at(-1) ?? '']);
  }

  /** Values of a record's sort fields with which it is on no page that was seen; a title is the last that was shown. */
  placeOf(kind: RecordName, record: FieldValues, defaultOrder: string): FieldValues {
    const ends = new Map<string, string>();
    for (const list of this.#lists.values())
      for (const [asked, [least, most]] of list.kind === kind && hasValues(list.values, record) ? list.shown : []) {
        const order = asked || defaultOrder;
        const [end, before] = [order.startsWith('-') ? least : most, ends.get(order)];
        if (!before || (end !== '' && end < before === order.startsWith('-'))) ends.set(order, end);
      }
    // A list in descending order comes first, so that the other one of the same field wins.
    const places = [...ends]
      .sort(([a], [b]) => textOrder(a, b))
      .flatMap(([order, end]) => {
        const [step, name] = order.startsWith('-') ? [-1, order.slice(1)] : [1, order];
        if (name === 'title') return step === 1 ? [[name, end]] : [];
        return [[name, new Date(Date.parse(end || '2100-01-01') + step).toISOString()]];
      });
    return Object.fromEntries(places);
  }

  /** Values of records that the lists of a kind lack, each with their number. @param parents ids by the field that names one */
  missing(
    kind: RecordName,
    records: readonly LooseRecord[],
    parents: Readonly<Record<string, readonly unknown[]>>,
  ): readonly (readonly [values: FieldValues, count: number])[] {
    const all = records.map((one) => ({ ...BLANKS[kind], ...one }));
    const open: OpenList[] = [...this.#lists.values()]
      .filter((list) => list.kind === kind)
      .map(({ values, total }) => ({ values, left: total - all.filter((one) => hasValues(values, one)).length }));
    const valuesOf = (name: string): readonly unknown[] => {
      const schema = FIELDS[kind].find((one) => one.name === name)?.schema as Readonly<Record<string, readonly unknown[]>>;
      return schema?.['x-extensible-enum'] ?? schema?.enum ?? parents[name] ?? [undefined];
    };
    const missing: [FieldValues, number][] = [];
    for (;;) {
      const [first] = open.filter(({ left }) => left > 0).sort((a, b) => sizeOf(b) - sizeOf(a) || b.left - a.left);
      if (!first) return missing;
      const values = completeValues(first.values, open, valuesOf);
      // Totals that contradict each other stay as far apart as they are.
      const met = values ? open.filter((list) => hasValues(list.values, values)) : [first];
      const count = values ? Math.min(...met.map(({ left }) => left)) : first.left;
      if (values) missing.push([values, count]);
      for (const list of met) list.left -= count;
    }
  }
}

const sizeOf = ({ values }: OpenList): number => Object.keys(values).length;

/** A value for each field by which lists filter, so that no list gets a record too many. */
const completeValues = (
  values: FieldValues,
  lists: readonly OpenList[],
  valuesOf: (name: string) => readonly unknown[],
): FieldValues | undefined => {
  const open = lists.filter(({ left }) => left > 0).sort((a, b) => b.left - a.left);
  const closed = lists.filter(({ left }) => left <= 0);
  const names = [...new Set(lists.flatMap((list) => Object.keys(list.values)))].filter((name) => !(name in values));
  const choose = (chosen: FieldValues, [name, ...rest]: readonly string[]): FieldValues | undefined => {
    if (closed.some((list) => hasValues(list.values, chosen))) return undefined;
    if (name === undefined) return chosen;
    const namedBy = (some: readonly OpenList[]) => some.flatMap((list) => (name in list.values ? [list.values[name]] : []));
    const named = namedBy(lists);
    const other = valuesOf(name).filter((value) => !named.includes(value));
    for (const value of new Set([...namedBy(open), ...other.slice(0, 1), ...named])) {
      const found = choose({ ...chosen, [name]: value }, rest);
      if (found) return found;
    }
    return undefined;
  };
  return choose(values, names);
};
