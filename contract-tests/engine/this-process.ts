// A run as a process of this machine.
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
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

/** Containers share host names, boots and process numbers; the boot and the namespace of process numbers together are one of each. */
const place = (): string | undefined => {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')}${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
};

const here = place();

export const thisProcess: Runner = {
  host: here === undefined ? undefined : createHash('sha256').update(here).digest('hex').slice(0, 6),
  pid: process.pid,
  alive,
};
