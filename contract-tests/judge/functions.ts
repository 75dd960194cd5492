// Changes that a row of faults may make to a value: small functions by name, `| name argument argument` in an expression.

type Change = (value: unknown, ...args: unknown[]) => unknown;

const DAY = 86_400_000;
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const fields = (value: unknown): Record<string, unknown> => Object(value) as Record<string, unknown>;
const onText =
  (change: (text: string, ...args: string[]) => unknown): Change =>
  (value, ...args) =>
    typeof value === 'string' ? change(value, ...args.map(String)) : value;
const onNumber =
  (change: (number: number, ...args: number[]) => unknown): Change =>
  (value, ...args) =>
    value === undefined || value === null ? value : change(Number(value), ...args.map(Number));
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
const turned = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? 1 : -1))) : value;
const bytes = (text: string): number => Buffer.byteLength(text);
const wallClock = (at: number): Date => new Date(at);

const TEXTS: Readonly<Record<string, Change>> = {
  lower: onText((text) => text.toLowerCase()),
  upper: onText((text) => text.toUpperCase()),
  capital: onText((text) => text.charAt(0).toUpperCase() + text.slice(1)),
  trim: onText((text) => text.trim()),
  replace: onText((text, pattern = '', by = '') => text.replace(new RegExp(pattern, 'gsu'), by)),
  escape: onText(escaped),
  unescape: onText((text) => text.replaceAll('&lt;', '<').replaceAll('&amp;', '&')),
  ascii: onText((text) => text.replace(/[^ -~]/g, '?')),
  latin1: onText((text) => Buffer.from(text).toString('latin1')),
  astral: onText((text, by = '?') => text.replace(/[\u{10000}-\u{10ffff}]/gu, by)),
  normal: onText((text, form = 'NFC') => text.normalize(form)),
  cut: onText((text, most = '0') => [...text].slice(0, Number(most)).join('')),
  bytes: onText(bytes),
  split: onText((text, by = '', at = '0') => text.split(by)[Number(at)]),
  prefix: onText((text, before = '') => before + text),
  suffix: onText((text, behind = '') => text + behind),
  json: (value) => JSON.stringify(value),
  pretty: (value) => JSON.stringify(value, null, 2),
  backwards: onText((text) => JSON.stringify(JSON.parse(text), (_name, value) => turned(value), 2)),
  parse: onText((text) => JSON.parse(text) as unknown),
  unbase64: onText((text) => Buffer.from(text, 'base64').toString()),
  noTags: onText((text) => text.replace(/<[^>]*>/g, '')),
  noScripts: onText((text) => text.replace(/<script.*?<\/script>/gs, '')),
  match: onText((text, pattern = '') => new RegExp(pattern, 'u').exec(text)?.[1]),
  pad: onText((text, length, by) => text.padEnd(Number(length), by)),
  compare: onText((text, other) => text.localeCompare(other, 'en', { numeric: true, sensitivity: 'base' })),
  isIn: onText((text, list = '') => list.split(',').includes(text)),
  href: onText((text) => new URL(text).href),
  hash: onText((text) => [...text].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 99_991, 7)),
  escapes: onText((text) => text.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)),
  breaks: onText((text) => text.replace(/\n/g, '<br>')),
  textOnly: (value) => (typeof value === 'string' || value === null ? value : undefined),
  empty: (value) => value ?? '',
  base64: onText((text) => Buffer.from(text).toString('base64')),
  camel: onText(camel),
};

const NUMBERS: Readonly<Record<string, Change>> = {
  plus: onNumber((number, more = 0) => number + more),
  minus: onNumber((number, less = 0) => number - less),
  times: onNumber((number, by = 1) => number * by),
  over: onNumber((number, by = 1) => number / by),
  floor: onNumber((number, step = 1) => Math.floor(number / step) * step),
  ceil: onNumber((number, step = 1) => Math.ceil(number / step) * step),
  mod: onNumber((number, by = 1) => number % by),
  least: onNumber((number, least = 0) => Math.max(number, least)),
  most: onNumber((number, most = 0) => Math.min(number, most)),
  fixed: onNumber((number, digits = 0) => number.toFixed(digits)),
  power2: onNumber((number) => 2 ** number),
  double: onNumber((left, quota = 0) => Math.max(0, quota - 2 * (quota - left))),
  negate: onNumber((left, quota = 0) => quota - left),
  int32: onNumber((number) => (Math.trunc(number / 1000) | 0) * 1000),
};

const TIMES: Readonly<Record<string, Change>> = {
  iso: onNumber((at) => wallClock(at).toISOString()),
  http: onNumber((at) => wallClock(at).toUTCString()),
  zone: onNumber((at, hours = 0) => {
    const sign = hours < 0 ? '-' : '+';
    return wallClock(at + hours * 3_600_000)
      .toISOString()
      .replace('Z', `${sign}${String(Math.abs(hours)).padStart(2, '0')}:00`);
  }),
  unzoned: onText((text) => text.replace(/(Z|[+-]\d\d:\d\d)$/, '')),
  midnight: onNumber((at) => Math.floor(at / DAY) * DAY),
  date: onNumber((at) => wallClock(at).getUTCDate()),
  time: (value) => {
    const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    return Number.isNaN(at) ? undefined : at;
  },
  weekYear: onNumber((at) => (wallClock(at).getUTCMonth() === 11 && wallClock(at).getUTCDate() > 28 ? at + 365 * DAY : at)),
  skipLeap: onNumber((at) => (wallClock(at).toISOString().slice(5, 10) === '02-29' ? undefined : at)),
  // Moves the times on the 31st, of an evening, of noon, of midnight.
  move31: onNumber((at, by = 0) => at + (wallClock(at).getUTCDate() === 31 ? by : 0)),
  moveEvening: onNumber((at, by = 0) => at + (wallClock(at).getUTCHours() >= 19 ? by : 0)),
  moveNoon: onNumber((at, by = 0) => at + (wallClock(at).getUTCHours() === 12 ? by : 0)),
  moveMidnight: onNumber((at, by = 0) => at + (at % DAY === 0 ? by : 0)),
  summer: onNumber((at) => at + (wallClock(at).getUTCMonth() > 2 && wallClock(at).getUTCMonth() < 9 ? 3_600_000 : 0)),
  yearless: onNumber((at) => Number(wallClock(at).toISOString().slice(5, 10).replace('-', ''))),
};

const LISTS: Readonly<Record<string, Change>> = {
  list: (value) => [value],
  first: (value) => list(value)[0],
  last: (value) => list(value).at(-1),
  slice: (value, from, to) => (value as string | undefined)?.slice(Number(from), to === undefined ? undefined : Number(to)),
  reverse: (value) => [...list(value)].reverse(),
  flat: (value) => list(value).flat(),
  each: (value, name) => list(value).map((row) => fields(row)[String(name)]),
  byKey: (value, key, of) =>
    Object.fromEntries(list(value).map((row) => [fields(row)[String(key)], of === undefined ? row : fields(row)[String(of)]])),
  join: (value, by) => list(value).join(String(by)),
  total: (value) => list(value).length,
  texts: (value) => list(value).filter((each) => typeof each === 'string'),
  where: (value, name, wanted) => list(value).filter((row) => fields(row)[String(name)] === wanted),
  unlike: (value, name, unwanted) => list(value).filter((row) => fields(row)[String(name)] !== unwanted),
  pick: (value, ...names) => list(value).map((row) => Object.fromEntries(names.map((name) => [name, fields(row)[String(name)]]))),
  occurrences: (value, one) => list(value).filter((each) => each === one).length,
  includes: (value, one) => list(value).includes(one),
};

const OBJECTS: Readonly<Record<string, Change>> = {
  in: (value, name) => ({ [String(name)]: value }),
  at: (value, name) => fields(value)[String(name)],
  only: (value, ...names) => Object.fromEntries(Object.entries(fields(value)).filter(([name]) => names.flat().includes(name))),
  without: (value, ...names) =>
    Object.fromEntries(Object.entries(fields(value)).filter(([name]) => !names.flat().includes(name))),
  merge: (value, more) => ({ ...fields(value), ...fields(more) }),
  entries: (value, from, to) =>
    Object.fromEntries(Object.entries(fields(value)).slice(Number(from), to === undefined ? undefined : Number(to))),
  names: (value, change, arg) =>
    Object.fromEntries(
      Object.entries(fields(value)).map(([name, each]) => [
        change === 'camel' ? camel(name) : name.replace(String(change), String(arg ?? '')),
        each,
      ]),
    ),
  filled: (value) => Object.fromEntries(Object.entries(fields(value)).filter(([, each]) => each !== null)),
  values: (value) => Object.values(fields(value))[0],
};

const ANY: Readonly<Record<string, Change>> = {
  text: (value) => (value === undefined || value === null ? value : String(value)),
  number: (value) => (value === undefined || value === null ? value : Number(value)),
  or: (value, other) => value ?? other,
  orNot: (value, other) => value || other,
  is: (value, other, yes, no) => (value === other ? yes : (no ?? value)),
  not: (value) => !value,
};

export const FUNCTIONS: Readonly<Record<string, Change>> = { ...TEXTS, ...NUMBERS, ...TIMES, ...LISTS, ...OBJECTS, ...ANY };
