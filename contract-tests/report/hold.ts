// Holds claims against what a script has received. It is written into the script, so it names nothing outside of itself but Node.
import type { Claim } from '../engine/claims.ts';

export interface Received {
  /** Responses by the number of the request in the run, with the status of the run. */
  readonly calls: Readonly<
    Record<number, { status: number; was: number; headers: Readonly<Record<string, string>>; body: unknown; text: string }>
  >;
  readonly deliveries: readonly { to: string; headers: Readonly<Record<string, string>>; body: unknown; method: string }[];
  /** A name of the run, and the one here; names are parts of texts. */
  readonly renamed: readonly (readonly [before: string, now: string, part?: boolean])[];
}

/** Exit status of a script, and what it says: 0 each claim holds, 1 one does not, 2 it cannot be told. */
export const hold = (claims: readonly Claim[], received: Received): { code: 0 | 1 | 2; lines: readonly string[] } => {
  type Json = Record<string, unknown>;
  const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
  const local = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(local);
    if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, local(inner)]));
    if (typeof value !== 'string') return value;
    const whole = received.renamed.find(([before, , part]) => !part && before === value);
    if (whole) return whole[1];
    return received.renamed.reduce((text, [before, now, part]) => (part ? text.replaceAll(before, now) : text), value);
  };
  const valuesAt = (from: unknown, path: readonly unknown[]): unknown[] => {
    const [step, ...rest] = path;
    if (step === undefined) return from === undefined ? [] : [from];
    const items = Array.isArray(from) ? from : [];
    if (step === '*') return items.flatMap((item) => valuesAt(item, rest));
    if (isObject(step))
      return items.filter((item) => isObject(item) && item.id === step.id).flatMap((item) => valuesAt(item, rest));
    if (Array.isArray(from)) return valuesAt(from[Number(step)], rest);
    return isObject(from) ? valuesAt(from[String(step)], rest) : [];
  };
  const time = (value: unknown): number =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  const number = (value: unknown): number =>
    Number.isNaN(time(value)) ? (typeof value === 'boolean' || value === null ? Number.NaN : Number(value)) : time(value);
  /** A time in ISO 8601, of a Date header, or in seconds since 1970. */
  const moment = (value: unknown): number =>
    /^\d{9,11}$/.test(String(value)) ? Number(value) * 1000 : Date.parse(String(value));
  const text = (value: unknown): string =>
    JSON.stringify(value, (_, inner) =>
      isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
    ) ?? 'missing';
  const same = (a: unknown, b: unknown): boolean => {
    if (typeof a === 'string' && typeof b === 'string' && time(a) === time(b)) return true;
    return text(a ?? null).normalize() === text(b ?? null).normalize();
  };
  /** Titles of one pattern, numbers and times are in an order on which all collations agree. */
  const pattern = (value: unknown): string | undefined => {
    if (typeof value !== 'string') return undefined;
    if (!Number.isNaN(time(value))) return 'time';
    return /^[a-z0-9 ]+$/.test(value) ? value.replace(/[a-z]/g, 'a').replace(/\d/g, '0') : undefined;
  };
  const inOrder = (values: readonly unknown[], sign: 1 | -1): boolean =>
    [...new Set(values.map(pattern))].every((like) => {
      const alike = values.filter((value) => like !== undefined && pattern(value) === like);
      const place = (value: unknown) => (like === 'time' ? time(value) : String(value));
      return alike.every((value, i) => {
        if (i === 0) return true;
        const [a, b] = [place(alike[i - 1]), place(value)];
        return a === b || a < b === (sign === 1);
      });
    });
  const typeOf = (value: unknown): string => {
    if (value === null) return 'null';
    if (Array.isArray(value)) return 'list';
    if (typeof value === 'string') return value === '' ? 'empty' : 'text';
    return Number.isInteger(value) ? 'integer' : typeof value;
  };
  const cut = (value: string): string => (value.length > 120 ? `${value.slice(0, 117)}…` : value);
  const nameOf = ({ call, deliveries, at }: Pick<Claim, 'call' | 'deliveries' | 'at'>): string => {
    const of = deliveries
      ? `delivery ${[deliveries.event, deliveries.about].filter(Boolean).map(String).join(' about ')}`
      : `call ${[call].flat().join(' and ')}`;
    return `${of.trim()}: ${at.map((step) => (typeof step === 'object' ? `[${step.id}]` : String(step))).join('.')}`;
  };
  const numbersOf = (call: Claim['call']): number[] => (call === undefined ? [] : ([call].flat() as number[]));
  const responses = (call: Claim['call']) => numbersOf(call).map((at) => received.calls[at]);
  const sources = (claim: Pick<Claim, 'call' | 'deliveries'>): unknown[] => {
    const which = local(claim.deliveries) as Claim['deliveries'];
    if (!which)
      return responses(claim.call).map(
        (one) => one && { status: one.status, header: one.headers, body: one.body, text: one.text },
      );
    const fits = received.deliveries.filter(({ to, body }) => {
      const { event, data } = (isObject(body) ? body : {}) as Json;
      const record = isObject(data) ? Object.values(data)[0] : undefined;
      const about = isObject(record) ? record.id : undefined;
      return (
        (which.event === undefined || event === which.event) &&
        (which.about === undefined || about === which.about || (isObject(data) && data.id === which.about)) &&
        (which.to === undefined || to === which.to)
      );
    });
    const chosen = which.nth === undefined ? fits : fits.slice(which.nth, which.nth + 1);
    return chosen.map(({ headers, body, method }) => ({ header: headers, body, method }));
  };
  const judge = (claim: Claim): readonly [code: 0 | 1 | 2, line: string] => {
    const name = nameOf(claim);
    const from = sources(claim);
    if (from.includes(undefined)) {
      return [2, `cannot tell: ${name}: the call was not made`];
    }
    const shown = responses(claim.call).filter((one) => one !== undefined);
    if (shown.length > 0 && shown.every(({ status }) => claim.unless?.includes(status))) {
      return [0, `holds: ${name}: the response is ${shown.map(({ status }) => status).join(', ')}`];
    }
    const other = shown.find(({ status, was }) =>
      claim.at[0] === 'status' ? status === 429 && was !== 429 : Math.floor(status / 100) !== Math.floor(was / 100),
    );
    if (other && !(claim.at[0] === 'status' && claim.op === 'in' && (claim.value as number[]).includes(other.status))) {
      return [2, `cannot tell: ${name}: the response is ${other.status}, and was ${other.was} in the run`];
    }
    const path = local(claim.at) as Claim['at'];
    const values = from.flatMap((one) => valuesAt(one, path));
    const [value] = values;
    const there = claim.than && sources(claim.than).flatMap((one) => valuesAt(one, local(claim.than!.at) as Claim['at']));
    const wanted = there ? (claim.than!.count ? there.length : there[0]) : local(claim.value);
    const each = (test: (one: unknown) => boolean) => values.length > 0 && values.every(test);
    if (claim.deliveries && from.length === 0 && !['count', 'least', 'most', 'lacks'].includes(claim.op)) {
      return [2, `cannot tell: ${name}: no such delivery has come`];
    }
    const row = path.findIndex((step) => typeof step === 'object');
    if (row >= 0 && path[1] === 'items' && from.every((one) => valuesAt(one, path.slice(0, row + 1)).length === 0)) {
      return [2, `cannot tell: ${name}: the record is not on this page`];
    }
    const results: Record<Claim['op'], () => boolean> = {
      equals: () => (values.length === 0 ? (wanted ?? null) === null : each((one) => same(one, wanted))),
      differs: () => !values.some((one) => same(one, wanted)),
      in: () => each((one) => (wanted as unknown[]).some((option) => same(one, option))),
      type: () =>
        values.length === 0
          ? (wanted as string[]).includes('missing')
          : values.every((one) => (wanted as string[]).includes(typeOf(one))),
      matches: () => each((one) => new RegExp(String(wanted)).test(typeof one === 'string' ? one : text(one))),
      some: () => values.some((one) => new RegExp(String(wanted)).test(String(one))),
      absent: () => values.length === 0,
      present: () => values.length > 0 && (!claim.deliveries || values.length === from.length),
      has: () => values.some((one) => same(one, wanted)),
      lacks: () => !values.some((one) => same(one, wanted)),
      unique: () => new Set(values.map(text)).size === values.length,
      ascending: () => inOrder(values, 1),
      descending: () => inOrder(values, -1),
      count: () => values.length === wanted,
      least: () => (claim.deliveries ? from.length : number(value)) >= number(wanted),
      most: () => (claim.deliveries ? from.length : number(value)) <= number(wanted),
      more: () => number(value) > number(wanted),
      less: () => number(value) < number(wanted),
      near: () => Math.abs(moment(value) - (wanted === undefined || wanted === null ? Date.now() : moment(wanted))) < 120_000,
    };
    const seen =
      claim.deliveries && ['least', 'most'].includes(claim.op) ? `${from.length} deliveries` : values.map(text).join(', ');
    const finding = `${name} is ${cut(seen || 'missing')}`;
    if (results[claim.op]()) return [0, `holds: ${finding}`];
    return [1, `BROKEN: ${finding}, expected: ${claim.op} ${wanted === undefined ? '' : cut(text(wanted))}`];
  };
  if (claims.length === 0) return { code: 2, lines: ['cannot tell: compare what came with what is expected'] };
  const results = claims.map((claim) => {
    const found = judge(claim);
    const other = claim.or && found[0] !== 0 ? judge(claim.or) : found;
    return other[0] === 0 ? other : found;
  });
  const codes = results.map(([code]) => code);
  const code = codes.includes(1) ? 1 : codes.includes(2) ? 2 : 0;
  return { code, lines: results.map(([, line]) => line) };
};
