// Other processes: those that one has started, with those that they have started, and signals to them.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** @param pid a negative one is a group */
export const sendSignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended.
  }
};

const childrenOf = (pid: number): readonly string[] => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').match(/\d+/g) ?? []);
  } catch {
    return String(spawnSync('pgrep', ['-P', String(pid)]).stdout ?? '').match(/\d+/g) ?? [];
  }
};

export const processesBelow = (pid: number): readonly number[] =>
  childrenOf(pid).flatMap((child) => [Number(child), ...processesBelow(Number(child))]);
