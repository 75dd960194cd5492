// The servers that rows describe: faults.yaml has what is wrong, conforming.yaml what a conforming server may do.
import { readFileSync } from 'node:fs';
import { shipped } from '../engine/register.ts';
import { parse } from '../engine/yaml.ts';
import type { Shape } from './past.ts';
import { patch } from './patch.ts';
import type { Service } from './reference/service/service.ts';
import { STYLE_NAMES, type StyleName } from './reference/styles.ts';

/** Deviations of a conforming server beyond the styles. */
export interface Deviation {
  readonly id: string;
  /** The server's behaviour, as a sentence. */
  readonly says: string;
  /** The style that it is served in. */
  readonly style: StyleName;
  readonly alter: (service: Service) => void;
}

export interface Fault extends Deviation {
  /** Line of the specification. */
  readonly line: number;
  /** The needs of a client, beside keys, to see it. */
  readonly needs?: 'receiver' | 'quota';
}

/** `<a;b>` in a row makes several rows; `<>` repeats the part of the first. */
const spread = (row: readonly unknown[]): unknown[][] => {
  const text = JSON.stringify(row);
  const lists = [...text.matchAll(/<([^<>]*;[^<>]*)>/g)].map(([, parts = '']) => parts.split(';'));
  const length = lists[0]?.length ?? 1;
  if (lists.some((parts) => parts.length !== length)) throw new Error(`lists of different lengths: ${text}`);
  return Array.from({ length }, (_, index) => {
    const literal = (part: string) => (/^(-?\d+|true|false|null)$/.test(part) ? part : JSON.stringify(JSON.parse(`"${part}"`)));
    const whole = text
      .replace(/"<([^<>]*;[^<>]*)>"/g, (_all, parts: string) => literal(parts.split(';')[index] ?? ''))
      .replaceAll('"<>"', literal(lists[0]?.[index] ?? '<>'));
    const one = whole.replace(/<([^<>]*;[^<>]*)>/g, (_all, parts: string) => parts.split(';')[index] ?? '');
    return JSON.parse(one.replaceAll('<>', lists[0]?.[index] ?? '<>')) as unknown[];
  });
};

const NEEDS = {
  quota: /^(isOver|charge|tooMany|counted|bucketOf)\b|status=429/,
  receiver:
    /^(hears|emit|\w+Event|\w+Snapshot|eventId|deliver|envelope|letter|deliveryTime|post|patience|attempt|giveUp|sign|acknowledges|pauseAfter|conclude)\b/,
} as const;

/** A style by the letters of an id, so that a new row moves no other. */
const styleOf = (id: string): StyleName =>
  STYLE_NAMES[[...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7) % STYLE_NAMES.length] ?? 'a';

const deviationOf = ([id, at, does, says, style]: readonly unknown[]): Deviation => ({
  ...{ id: String(id), says: String(says), style: (style as StyleName | undefined) ?? styleOf(String(id)) },
  alter: (service) => patch(service, String(at), does as Shape),
});

const faultOf = ([id, line, at, ...rest]: readonly unknown[]): Fault => {
  const needs = (['quota', 'receiver'] as const).find((one) => NEEDS[one].test(String(at)));
  return { ...deviationOf([id, at, ...rest]), line: Number(line), ...(needs ? { needs } : {}) };
};

/** The rows of a file of this folder, by the section that they are in. */
export const rowsOf = (name: 'faults' | 'conforming'): unknown[][] =>
  Object.values(parse(readFileSync(shipped(`contract-tests/judge/${name}.yaml`) ?? '', 'utf8')) as Record<string, unknown[][]>)
    .flat()
    .flatMap(spread);

export const FAULTS: readonly Fault[] = rowsOf('faults').map(faultOf);
export const DEVIATIONS: readonly Deviation[] = rowsOf('conforming').map(deviationOf);
