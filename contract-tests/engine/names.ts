// Names of everything that a run creates, so that a later run knows what was left behind and may be removed.
import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import process from 'node:process';

const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 6);
const NAME = /^wmct-([0-9a-f]{6})-(\d+)-(\d{10})-[0-9a-f]{6}/i;
const HOUR = 3600;

export const runName = (now = Date.now()): string =>
  `wmct-${host}-${process.pid}-${Math.floor(now / 1000)}-${randomBytes(3).toString('hex')}`;

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** True for the name of a thing whose run is over: it ran here and its process is gone, or it began more than an hour ago. */
export const isLeftover = (name: unknown, now = Date.now()): boolean => {
  const found = typeof name === 'string' ? NAME.exec(name) : null;
  if (!found) return false;
  const [, from, pid, began] = found;
  if (now / 1000 - Number(began) > HOUR) return true;
  return from?.toLowerCase() === host && !alive(Number(pid));
};
