// Reads tables.yaml, which the generator has made a module: its areas, and the rows of one.
import type { Need } from '../engine/check.ts';
import type { Json } from '../engine/exchange.ts';
import { clausesIn } from '../engine/spelling.ts';
import { type Area, type Row, row, type Step, type Tier } from './row.ts';
import { TABLES } from './tables.generated.ts';

type Cell = string | readonly [call: string, body: Json | null, more?: { raw?: string; headers?: Record<string, string> }];

interface Table {
  readonly says: string;
  readonly covers?: string;
  readonly needs?: string;
  readonly otherwise?: string;
  readonly rows: Readonly<Record<string, readonly [tier: Tier | string, ...cells: readonly Cell[]]>>;
}

const stepOf = (cell: Cell): Step => {
  if (typeof cell === 'string') return cell;
  const [call, body, { headers, ...more } = {}] = cell;
  return [call, body ?? undefined, { ...more, ...(headers ? { headers: () => headers } : {}) }];
};

const tableOf = (area: string): Table => (TABLES as unknown as Readonly<Record<string, Table>>)[area]!;

const rowsIn = (area: string): readonly Row[] =>
  Object.entries(tableOf(area).rows).map(([id, [tier, ...cells]]) => {
    const [number, ...flags] = String(tier).split(' ');
    return { ...row(id, Number(number) as Tier, ...cells.map(stepOf)), ...Object.fromEntries(flags.map((flag) => [flag, true])) };
  });

/** An area of the file. @param more rows that are made of the rules of the document */
export const areaOf = (id: string, more: Area['rows'] = () => []): Area => {
  const { says, covers = 'GEN 1', needs = 'write', otherwise } = tableOf(id);
  return {
    id,
    says,
    covers: clausesIn(covers),
    ...(needs === 'nothing' ? {} : { needs: needs.split(' ') as Need[] }),
    ...(otherwise === undefined ? {} : { otherwise }),
    rows: (t) => [...rowsIn(id), ...more(t)],
  };
};
