// A run as a process of this machine.
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import process from 'node:process';
import type { Runner } from './names.ts';

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
};

export const thisProcess: Runner = {
  host: createHash('sha256').update(hostname()).digest('hex').slice(0, 6),
  pid: process.pid,
  alive,
};
