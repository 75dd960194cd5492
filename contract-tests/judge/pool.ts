// Spreads jobs over processes, several at once in each: a run mostly waits. One that does not end is given up.
import { type ChildProcess, fork } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { type Job, judgeJob, type Outcome } from './jobs.ts';

/** Runs at once in one process. */
const AT_ONCE = 8;
/** A worker tells that it is alive this often; a busy machine may let it wait. */
const ALIVE_MS = 10_000;
/** A worker that tells nothing for this long hangs, and so does one that ends no run for that long. */
const SILENCE_MS = 240_000;
const STUCK_MS = 1_800_000;

/** Judges what its parent sends, until the parent is gone. */
export const work = (): void => {
  process.on('message', async (job: Job) => process.send?.(await judgeJob(job)));
  process.on('disconnect', () => process.exit());
  setInterval(() => process.send?.('alive'), ALIVE_MS).unref();
};

const employ = (queue: Job[], script: string, tell: (outcome: Outcome) => void): Promise<void> =>
  new Promise((done) => {
    const open: Job[] = [];
    let child: ChildProcess;
    let timer: NodeJS.Timeout;
    let ended = Date.now();
    const listen = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => child.kill('SIGKILL'), SILENCE_MS);
    };
    const feed = (): void => {
      while (open.length < AT_ONCE && queue.length > 0) {
        const job = queue.shift()!;
        open.push(job);
        child.send(job);
      }
      if (open.length > 0) {
        listen();
        return;
      }
      clearTimeout(timer);
      child.removeAllListeners('exit').disconnect();
      done();
    };
    const begin = (): void => {
      child = fork(script, ['--worker'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      child.on('message', (outcome: Outcome | 'alive') => {
        if (outcome === 'alive') {
          if (open.length > 0 && Date.now() - ended < STUCK_MS) listen();
          return;
        }
        ended = Date.now();
        open.splice(
          open.findIndex(({ kind, id, host }) => kind === outcome.kind && id === outcome.id && host === outcome.host),
          1,
        );
        tell(outcome);
        feed();
      });
      child.on('exit', () => {
        for (const job of open.splice(0)) tell({ ...job, good: false, says: 'the run did not end', failures: [] });
        begin();
      });
      feed();
    };
    begin();
  });

/** Runs jobs to their end; tells each outcome as it comes. */
export const runJobs = async (jobs: readonly Job[], workers: number, tell: (outcome: Outcome) => void): Promise<void> => {
  const queue = [...jobs];
  const script = fileURLToPath(new URL('./run.js', import.meta.url));
  await Promise.all(Array.from({ length: Math.min(workers, queue.length) }, () => employ(queue, script, tell)));
};
