// Names of everything that a run creates, so that no two runs meet and a later one knows what was left behind and may be removed.
import { randomHex } from './random-hex.ts';

/** Who runs, as it is in names. */
export interface Runner {
  /** Six hexadecimal digits for where process numbers mean the same: one boot of one machine, one container of it. Undefined: unknown. */
  readonly host: string | undefined;
  readonly pid: number;
  /** Whether the run of this number, made here, may still continue. */
  alive(pid: number): boolean;
}

const NAME = /wmct-([0-9a-f]{6})-(\d+)-(\d{10})-[0-9a-f]{6}/i;
/** A record that has not been touched for so long belongs to no run that continues. */
export const ABANDONED_MS = 3_600_000;
/** Where it runs cannot be told. */
const NOWHERE = '000000';

/** The start of every name, in every path and title of a run. */
export const runName = ({ host, pid }: Runner, now = Date.now()): string =>
  `wmct-${host ?? NOWHERE}-${pid}-${Math.floor(now / 1000)}-${randomHex(3)}`;

/** The run that a name names, if it names one. */
export const runOf = (name: unknown): string | undefined =>
  typeof name === 'string' ? NAME.exec(name)?.[0].toLowerCase() : undefined;

/** Whether a run is known to be over: it ran here and its process is gone. */
export const isDead = (run: string, runner: Runner): boolean => {
  const [, from, pid] = NAME.exec(run) ?? [];
  return from !== undefined && from !== NOWHERE && from === runner.host && !runner.alive(Number(pid));
};

/** Whether a run began so long ago that it may be over. */
export const isOld = (run: string, now = Date.now()): boolean => {
  const began = NAME.exec(run)?.[3];
  return began !== undefined && now - Number(began) * 1000 > ABANDONED_MS;
};
