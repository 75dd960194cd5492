// Names of everything that a run creates, so that a later run knows what was left behind and may be removed.
import { randomHex } from './random-hex.ts';

/** Who runs, as it stands in names. */
export interface Runner {
  /** Six hexadecimal digits that say where. */
  readonly host: string;
  readonly pid: number;
  /** Whether the run of this number, made here, may still go on. */
  alive(pid: number): boolean;
}

const NAME = /^wmct-([0-9a-f]{6})-(\d+)-(\d{10})-[0-9a-f]{6}/i;
const HOUR = 3600;

export const runName = ({ host, pid }: Runner, now = Date.now()): string =>
  `wmct-${host}-${pid}-${Math.floor(now / 1000)}-${randomHex(3)}`;

/** True for the name of a thing whose run is over: it ran here and its process is gone, or it began more than an hour ago. */
export const isLeftover = (name: unknown, runner: Runner, now = Date.now()): boolean => {
  const found = typeof name === 'string' ? NAME.exec(name) : null;
  if (!found) return false;
  const [, from, pid, began] = found;
  if (now / 1000 - Number(began) > HOUR) return true;
  return from?.toLowerCase() === runner.host && !runner.alive(Number(pid));
};
