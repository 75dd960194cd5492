// Spreads jobs over processes; one that does not answer is ended, and its job has hung.
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Verdict } from './bench.ts';
import type { Job } from './worker.ts';

/** No run takes longer, milliseconds. */
const PATIENCE = 90_000;

const script = (): string => {
  const compiled = fileURLToPath(new URL('./worker.js', import.meta.url));
  if (!existsSync(compiled)) throw new Error(`${compiled} is missing: build the package first`);
  return compiled;
};

/** Runs jobs to their end, so many at once; tells each verdict as it comes. */
export const runJobs = async (jobs: readonly Job[], workers: number, tell: (verdict: Verdict | Job) => void): Promise<void> => {
  let next = 0;
  const work = async (): Promise<void> => {
    let child: ChildProcess | undefined;
    const open = async (): Promise<ChildProcess> => {
      const fresh = fork(script(), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      await new Promise((done) => fresh.once('message', done));
      return fresh;
    };
    for (;;) {
      const job = jobs[next++];
      if (!job) break;
      child ??= await open();
      const one = child;
      const verdict = await new Promise<Verdict | undefined>((done) => {
        const late = setTimeout(() => done(undefined), PATIENCE);
        const end = (found: Verdict | undefined) => {
          clearTimeout(late);
          one.removeAllListeners('message').removeAllListeners('exit');
          done(found);
        };
        one.once('message', (message) => end(message as Verdict));
        one.once('exit', () => end(undefined));
        one.send(job);
      });
      if (!verdict) {
        one.kill('SIGKILL');
        child = undefined;
      }
      tell(verdict ?? job);
    }
    child?.disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(workers, jobs.length) }, work));
};
