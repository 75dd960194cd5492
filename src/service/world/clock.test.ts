// Time, and what is done when, without webhooks: jobs are letters, and a diary tells what happened.
import { describe, expect, test } from 'vitest';
import { useFakeTime } from '../../test/fake-time.ts';
import { Clock } from './clock.ts';
import { after as afterReal, LAST_MOMENT, realNow, wait } from './time.ts';

const letters = (clock: Clock, took: Readonly<Record<string, number>> = {}) => {
  const diary: string[] = [];
  clock.run(async ({ id }) => {
    diary.push(`${id} starts at ${clock.now()}`);
    if (took[id]) await wait(took[id]);
    return () => diary.push(`${id} ends`);
  });
  return diary;
};
const job = (id: string) => ({ kind: 'letter', id });
const later = () => wait(20);

describe('step by step', () => {
  const time = useFakeTime();

  test('a running clock starts at the real time, a frozen one where it was told to, and each says what is next', () => {
    expect([new Clock(null).mode, new Clock(null).now()]).toEqual(['running', Date.now()]);
    const clock = new Clock(0);
    expect([clock.mode, clock.now(), clock.next]).toEqual(['frozen', 0, null]);
    clock.at(0, job('a'));
    expect(clock.next).toBe(0);
  });

  test('due work waits for the next turn on a frozen clock, and starts at once when told to', async () => {
    const clock = new Clock(10);
    const diary = letters(clock);
    expect(time.pending).toEqual([]);
    clock.at(11, job('later'));
    expect(time.pending).toEqual([]);
    clock.at(10, job('a'));
    expect([time.pending, diary]).toEqual([[0], []]);
    await time.pass(0);
    expect([time.pending, diary]).toEqual([[], ['a starts at 10', 'a ends']]);
    clock.at(10, job('b'));
    clock.startDue();
    expect([time.pending, diary.slice(2)]).toEqual([[], ['b starts at 10']]);
    await time.pass(0);
    expect(diary.slice(3)).toEqual(['b ends']);
  });

  test('a clock without a runner, or stopped, waits for nothing', async () => {
    const clock = new Clock(0);
    clock.at(0, job('a'));
    expect(time.pending).toEqual([]);
    const diary = letters(clock);
    expect(time.pending).toEqual([0]);
    clock.stop();
    expect(time.pending).toEqual([]);
    clock.startDue();
    await time.pass(0);
    expect(diary).toEqual([]);
  });

  test('an advance that finds the clock set meanwhile leaves it as it was set', async () => {
    const clock = new Clock(0);
    const diary = letters(clock, { a: 3 });
    clock.at(10, job('a'));
    clock.at(20, job('b'));
    let ended = false;
    void clock.advance(30).then(() => {
      ended = true;
    });
    await time.pass(0);
    clock.set(15);
    await time.pass(3);
    expect([clock.now(), diary, ended]).toEqual([15, ['a starts at 10', 'a ends'], true]);
  });
});

describe('real time', () => {
  const time = useFakeTime();

  test('is read and waited for', async () => {
    const began = realNow();
    let done = false;
    void wait(50).then(() => {
      done = true;
    });
    await time.pass(49);
    expect([realNow() - began, done]).toEqual([49, false]);
    await time.pass(1);
    expect(done).toBe(true);
  });

  test('calls back unless it is called off, and keeps no process alive for it', async () => {
    const calls: string[] = [];
    afterReal(10, () => calls.push('a'));
    const callOff = afterReal(10, () => calls.push('b'));
    expect(time.unreferenced).toHaveBeenCalledTimes(2);
    callOff();
    await time.pass(10);
    expect(calls).toEqual(['a']);
  });

  test('is waited for no longer at a time than a timer can hold', () => {
    afterReal(2 ** 31 - 1, () => {});
    afterReal(2 ** 31, () => {});
    afterReal(2 ** 40, () => {});
    expect(time.waits).toEqual([2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1]);
  });

  test('a running clock stops at the end of the year 9999', () => {
    const clock = new Clock(null);
    clock.set(LAST_MOMENT);
    expect(clock.now()).toBe(LAST_MOMENT);
    void time.pass(1000);
    expect(clock.now()).toBe(LAST_MOMENT);
  });

  test('a clock waits for its first job alone, and for none without a runner or when it is frozen', async () => {
    const clock = new Clock(null);
    const start = clock.now();
    clock.at(start + 50, job('a'));
    expect(time.pending).toEqual([]);
    letters(clock);
    expect(time.pending).toEqual([50]);
    const sooner = clock.at(start + 20, job('b'));
    clock.at(start + 90, job('c'));
    expect(time.pending).toEqual([20]);
    clock.cancel(sooner);
    expect(time.pending).toEqual([50]);
    clock.set(start + 60);
    await time.pass(0);
    expect(time.pending).toEqual([30]);
    clock.set(start + 60, 'frozen');
    expect(time.pending).toEqual([]);
    clock.at(start + 60, job('d'));
    expect(time.pending).toEqual([0]);
    clock.at(start, job('e'));
    expect(time.pending).toEqual([0]);
    clock.stop();
    expect(time.pending).toEqual([]);
  });
});

describe('a frozen clock', () => {
  test('goes through due moments in order, those of one moment together', async () => {
    const clock = new Clock(0);
    const diary = letters(clock, { b: 20 });
    for (const [id, due] of [
      ['d', 30],
      ['b', 10],
      ['c', 10],
      ['z', 101],
    ] as const)
      clock.at(due, job(id));
    await clock.advance(100);
    expect(diary).toEqual(['b starts at 10', 'c starts at 10', 'b ends', 'c ends', 'd starts at 30', 'd ends']);
    expect(clock.now()).toBe(100);
  });

  test('runs jobs that jobs put into the span, and refuses to run for ever', async () => {
    const clock = new Clock(0);
    let runs = 0;
    clock.run(async () => () => {
      runs += 1;
      clock.at(clock.now() + 10, job('again'));
    });
    clock.at(0, job('again'));
    await clock.advance(100);
    expect(runs).toBe(11);
    let endless = true;
    clock.run(async () => () => void (endless && clock.at(clock.now(), job('again'))));
    const failed = clock.advance(10).catch((problem) => {
      endless = false;
      return problem;
    });
    const next = clock.advance(50);
    expect(await failed).toEqual(new RangeError('advance: no end after 100000 moments'));
    await next;
    expect(clock.now()).toBe(160);
    clock.stop();
  });

  test('advances one after another', async () => {
    const clock = new Clock(0);
    const diary = letters(clock, { a: 20 });
    clock.at(10, job('a'));
    clock.at(20, job('b'));
    await Promise.all([clock.advance(15), clock.advance(15), clock.advanceToNext()]);
    expect([diary, clock.now()]).toEqual([['a starts at 10', 'a ends', 'b starts at 20', 'b ends'], 30]);
  });

  test('set forward starts what is due then; what was due before starts at its own time', async () => {
    const clock = new Clock(0);
    const diary = letters(clock);
    clock.at(0, job('a'));
    clock.at(10, job('b'));
    clock.set(100);
    await clock.settled();
    expect(diary).toEqual(['a starts at 0', 'b starts at 100', 'a ends', 'b ends']);
  });
});

describe('a running clock', () => {
  const time = useFakeTime();

  test('goes with the real time and starts jobs by itself; a slow one holds up none', async () => {
    const clock = new Clock(null);
    const started = Date.now();
    const ends: string[] = [];
    let release = () => {};
    const slow = new Promise<void>((done) => {
      release = done;
    });
    clock.run(async ({ id }) => {
      if (id === 'slow') await slow;
      return () => ends.push(id);
    });
    clock.at(clock.now(), job('slow'));
    clock.at(clock.now() + 40, job('quick'));
    expect(clock.now()).toBe(started);
    await time.pass(39);
    expect([clock.now(), ends]).toEqual([started + 39, []]);
    await time.pass(1);
    expect(ends).toEqual(['quick']);
    release();
    await clock.settled();
    expect(ends).toEqual(['quick', 'slow']);
  });

  test('advanced shifts, and runs what is due at its moment', async () => {
    const clock = new Clock(null);
    const start = clock.now();
    const diary = letters(clock);
    clock.at(start + 3_600_000, job('a'));
    clock.at(start + 7_200_001, job('b'));
    await clock.advance(7_200_000);
    expect(diary).toEqual([`a starts at ${start + 3_600_000}`, 'a ends']);
    expect([clock.now(), clock.mode]).toEqual([start + 7_200_000, 'running']);
    await time.pass(1);
    expect(diary.slice(2)).toEqual([`b starts at ${start + 7_200_001}`, 'b ends']);
  });

  test('waits for what is further away than a timer can hold', async () => {
    const clock = new Clock(null);
    const diary = letters(clock);
    clock.at(clock.now() + 90 * 86_400_000, job('a'));
    await time.pass(90 * 86_400_000 - 1);
    expect(diary).toEqual([]);
    await time.pass(1);
    expect(diary).toHaveLength(2);
  });

  test('frozen stands where it was and runs on from there', async () => {
    const clock = new Clock(null);
    clock.set(1000, 'frozen');
    await time.pass(20);
    expect(clock.now()).toBe(1000);
    clock.set(1000, 'running');
    await time.pass(20);
    expect(clock.now()).toBe(1020);
  });
});

describe('a clock', () => {
  test('lists what is ahead of it, in order, with its total', () => {
    const clock = new Clock(0);
    expect([clock.next, clock.ahead(2)]).toEqual([null, { entries: [], total: 0 }]);
    const entries = [30, 10, 20].map((due) => clock.at(due, job(`${due}`)));
    expect(clock.next).toBe(10);
    expect(clock.ahead(2)).toEqual({ entries: [entries[1], entries[2]], total: 3 });
  });

  test('gives a copy its jobs, those under way too, which run when it has a runner', async () => {
    const clock = new Clock(7);
    const own = letters(clock, { a: 5 });
    clock.at(7, job('a'));
    clock.startDue();
    clock.at(9, job('b'));
    const cancelled = clock.at(9, job('c'));
    const saved = structuredClone(clock.save());
    const entries = [
      { due: 7, sequence: 1, job: job('a') },
      { due: 9, sequence: 2, job: job('b') },
      { due: 9, sequence: 3, job: job('c') },
    ];
    expect(saved).toEqual({ mode: 'frozen', value: 7, agenda: { entries, sequence: 3 } });
    for (const copy of [Clock.from(saved), clock.fork()]) {
      expect([copy.mode, copy.now(), copy.ahead(9).entries]).toEqual(['frozen', 7, entries]);
      expect([copy.cancel(cancelled), copy.cancel(cancelled)]).toEqual([true, false]);
      expect(copy.at(20, job('d')).sequence).toBe(4);
      await copy.advance(1);
      const diary = letters(copy);
      await copy.advance(1);
      expect(diary).toEqual(['a starts at 8', 'a ends', 'b starts at 9', 'b ends']);
    }
    const running = new Clock(null);
    expect([Clock.from(running.save()).mode, running.fork().mode]).toEqual(['running', 'running']);
    await clock.advance(100);
    expect(own.filter((line) => line.includes('starts'))).toEqual(['a starts at 7', 'b starts at 9', 'c starts at 9']);
  });

  test('in words that an advance makes no sense', () => {
    for (const ms of [-1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => new Clock(0).advance(ms)).toThrow(new RangeError(`advance: expected milliseconds of 0 or more, got ${ms}`));
  });
});

describe('an advance', () => {
  test('by one moment runs what is due already without going back to it, and has none without a runner', async () => {
    const clock = new Clock(100);
    clock.at(50, job('a'));
    expect(await clock.advanceToNext()).toBe(false);
    await clock.advance(10);
    expect([clock.now(), clock.next]).toEqual([110, 50]);
    const diary = letters(clock);
    clock.at(120, job('b'));
    expect([await clock.advanceToNext(), clock.now()]).toEqual([true, 120]);
    expect(diary).toEqual(['a starts at 110', 'a ends', 'b starts at 120', 'b ends']);
    expect([await clock.advanceToNext(), clock.now()]).toEqual([false, 120]);
  });

  test('includes what is due at its end, and no more', async () => {
    const clock = new Clock(0);
    const diary = letters(clock);
    for (const due of [9, 10, 11]) clock.at(due, job(`${due}`));
    await clock.advance(10);
    expect(diary).toEqual(['9 starts at 9', '9 ends', '10 starts at 10', '10 ends']);
  });
});

test('a stopped clock starts nothing, and what is under way is not written down', async () => {
  const clock = new Clock(0);
  const diary = letters(clock, { a: 20 });
  clock.at(0, job('a'));
  clock.startDue();
  clock.at(0, job('b'));
  clock.stop();
  await clock.settled();
  await clock.advance(100);
  await later();
  expect(diary).toEqual(['a starts at 0']);
});

describe('the time to wait', () => {
  const runner = (ended: Promise<void>) => async () => {
    await ended;
    return () => {};
  };

  test('is the time until the next job; nothing on a frozen clock unless a job is due; no time while one runs', async () => {
    let end = () => {};
    const ended = new Promise<void>((done) => {
      end = done;
    });
    const clock = new Clock(null);
    clock.time = { now: () => 1000, after: () => () => {} };
    expect(clock.left).toBeNull();
    clock.at(1300, job('a'));
    expect(clock.left).toBe(300);
    clock.set(1500);
    expect(clock.left).toBe(0);
    clock.set(1100, 'frozen');
    expect(clock.left).toBeNull();
    clock.set(1300);
    expect(clock.left).toBe(0);
    clock.run(runner(ended));
    clock.startDue();
    expect([clock.left, clock.next]).toEqual([0, null]);
    end();
    await clock.settled();
    expect(clock.left).toBeNull();
  });

  test('is waited for by whatever wakes it', () => {
    const waits: number[] = [];
    const clock = new Clock(null);
    clock.time = { now: () => 1000, after: () => expect.unreachable() };
    clock.wake = (ms) => {
      waits.push(ms);
      return () => {};
    };
    clock.run(runner(Promise.resolve()));
    clock.at(61_000, job('a'));
    expect(waits).toEqual([60_000]);
  });
});
