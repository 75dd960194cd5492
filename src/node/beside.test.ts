// The commands that work with other code, with stand-ins for it: a started command, the contract suite, a process.

import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { keptIo } from '../test/command-line.ts';
import { readArgs } from './args.ts';
import { contract, type Suite } from './contract.ts';
import { exec } from './exec.ts';
import type { Io } from './io.ts';
import { type OwnProcess, processIo } from './process-io.ts';

/** A command that never was: it ends as it is told. */
class Child extends EventEmitter {
  readonly heard: (NodeJS.Signals | number | undefined)[] = [];

  kill(signal?: NodeJS.Signals | number): boolean {
    this.heard.push(signal);
    return true;
  }
}

const TINY = ['--seed', 'fixtures/tiny.yaml'];

const executing = (words: readonly string[], more: Partial<Io> = {}) => {
  const { io, said, stop } = keptIo(more);
  const child = new Child();
  let began: (given: { command: string; words: readonly string[]; options: SpawnOptions }) => void;
  const started = new Promise<Parameters<typeof began>[0]>((done) => (began = done));
  const status = exec(readArgs(['exec', ...TINY, '--', ...words], {}), io, (command, given, options) => {
    began({ command, words: given, options });
    return child as unknown as ChildProcess;
  });
  return { child, started, status, said, stop };
};

describe('exec', () => {
  test('gives the command its words, its folder, its streams and the mock, for as long as it runs', async () => {
    const { child, started, status, said } = executing(['npm', 'test', '--', '-x'], { env: { OTHER: 'kept' }, cwd: '.' });
    const { command, words, options } = await started;
    expect([command, words, options.cwd, options.stdio]).toEqual(['npm', ['test', '--', '-x'], '.', 'inherit']);
    const { WM_BASE_URL: url, WM_API_KEY_READ: key, OTHER } = options.env!;
    expect([OTHER, key, options.env!.WM_API_KEY_REVOKED]).toEqual(['kept', 'wm_tiny_read', undefined]);
    const ask = () => fetch(`${url}/tasks`, { headers: { authorization: `Bearer ${key}` } });
    expect((await ask()).status).toBe(200);
    expect(said).toEqual({ out: '', err: `wm-mock: fixtures/tiny.yaml at ${url} for npm test -- -x\n` });
    expect(process.listeners('exit').length).toBeGreaterThan(0);
    const listening = process.listenerCount('exit');
    child.emit('exit', 3, null);
    expect(await status).toBe(3);
    expect(process.listenerCount('exit')).toBe(listening - 1);
    await expect(ask()).rejects.toThrow();
  });

  test.each([
    [0, null, 0],
    [null, 'SIGKILL', 137],
    [null, 'SIGINT', 130],
    [null, 'SIGHUP', 129],
    [null, 'SIGNONE', 143],
    [null, null, 143],
  ] as const)('a command that ends with %s and %s gives %i', async (code, signal, expected) => {
    const { child, started, status } = executing(['npm']);
    await started;
    child.emit('exit', code, signal);
    expect(await status).toBe(expected);
  });

  test.each([
    [{ code: 'ENOENT' }, 127, 'there is no such command'],
    [{ code: 'EACCES' }, 126, 'it may not be run'],
    [{ code: 'E2BIG', message: 'too many words' }, 126, 'too many words'],
    [{ message: 'out of luck' }, 126, 'out of luck'],
  ])('a command that cannot be started, %j, gives %i and says why', async (error, expected, why) => {
    const { child, started, status, said } = executing(['npm']);
    await started;
    child.emit('error', Object.assign(new Error(), error));
    expect(await status).toBe(expected);
    expect(said.err.split('\n').slice(1)).toEqual([`wm-mock: cannot run npm: ${why}.`, '']);
  });

  test('told to stop before the command began, it begins none', async () => {
    for (const [reason, expected] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const { status } = executing(['npm'], { stop: AbortSignal.abort(reason) });
      expect(await status).toBe(expected);
    }
  });

  test('told to stop, it tells the command; where signals are heard, it passes each on', async () => {
    const stopped = executing(['npm']);
    await stopped.started;
    stopped.stop('SIGTERM');
    expect(stopped.child.heard).toEqual(['SIGTERM']);
    stopped.child.emit('exit', 0, null);
    await stopped.status;

    for (const [terminal, passed] of [
      [true, ['SIGTERM', 'SIGHUP']],
      [false, ['SIGINT', 'SIGTERM', 'SIGHUP']],
      [undefined, ['SIGINT', 'SIGTERM', 'SIGHUP']],
    ] as const) {
      let tell: (signal: NodeJS.Signals) => void = () => {};
      let deaf = 0;
      const onSignal = (heard: typeof tell) => {
        tell = heard;
        return () => void deaf++;
      };
      const heard = executing(['npm'], { onSignal, ...(terminal === undefined ? {} : { terminal }) });
      await heard.started;
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) tell(signal);
      heard.stop('SIGTERM');
      expect([heard.child.heard, deaf]).toEqual([passed, 0]);
      heard.child.emit('exit', 0, null);
      await heard.status;
      expect(deaf).toBe(1);
    }
  });

  test('after the command has ended, a signal reaches nobody; before, the end of this process ends it', async () => {
    const { child, started, status, stop } = executing(['npm']);
    const before = new Set(process.listeners('exit'));
    await started;
    const own = process.listeners('exit').filter((one) => !before.has(one));
    expect(own).toHaveLength(1);
    (own[0] as () => void)();
    expect(child.heard).toEqual(['SIGKILL']);
    child.emit('exit', 0, null);
    await status;
    stop();
    expect(child.heard).toEqual(['SIGKILL']);
  });
});

describe('contract', () => {
  const running = async (words: readonly string[], env: Record<string, string> = {}, more: Partial<Suite> = {}) => {
    const { io, said } = keptIo({ env });
    const seen: { env?: Record<string, string | undefined>; options?: Record<string, unknown>; complete?: boolean } = {};
    const suite: Suite = {
      optionsFromEnvironment: (given) => {
        seen.env = given;
        return { from: 'environment' };
      },
      runContract: async (options) => {
        seen.options = options as Record<string, unknown>;
        (seen.options.log as (line: string) => void)('a line');
        (seen.options.annotate as ((line: string) => void) | undefined)?.('::error::a note');
        return { verdict: 'fine' };
      },
      exitStatus: (_report, complete) => {
        seen.complete = complete;
        return 3;
      },
      terminal: ({ verdict }) => `it is ${verdict}`,
      ...more,
    };
    const status = await contract(readArgs(['contract', ...words], env), io, async () => suite);
    return { status, said, ...seen };
  };

  test('hands flags on as variables, which win over those of the environment, and the verdict to the shell', async () => {
    const words = ['--base-url', 'http://127.0.0.1:9/v1', '--key-admin', 'k', '--require-complete', '--max-rpm', '5'];
    const { status, said, env, options, complete } = await running(words, { WM_MAX_RPM: '9', WM_PROFILE: 'core', OTHER: 'x' });
    expect([status, complete]).toEqual([3, true]);
    expect(said).toEqual({ out: 'it is fine\n', err: 'a line\n' });
    expect(env).toMatchObject({
      WM_BASE_URL: 'http://127.0.0.1:9/v1',
      WM_API_KEY_ADMIN: 'k',
      WM_REQUIRE_COMPLETE: '1',
      WM_MAX_RPM: '5',
      WM_PROFILE: 'core',
      OTHER: 'x',
    });
    expect(env!.WM_CONTROL_URL).toBeUndefined();
    expect(options).toEqual({ from: 'environment', log: options!.log });
  });

  test('annotates where GitHub runs it', async () => {
    const { said } = await running(['--base-url', 'http://127.0.0.1:9/v1'], { GITHUB_ACTIONS: 'true' });
    expect(said.out).toBe('::error::a note\nit is fine\n');
  });

  test('without a target it starts a mock of the demo for the run, of the release that is asked for', async () => {
    let told: Record<string, string | undefined> = {};
    const optionsFromEnvironment = (env: Readonly<Record<string, string | undefined>>) => {
      told = { ...env };
      return {};
    };
    let shown: unknown;
    const runContract = async () => {
      const [clock, release] = await Promise.all(
        ['clock', 'release'].map(async (name) => (await fetch(`${told.WM_CONTROL_URL}/${name}`)).json()),
      );
      shown = [clock.now, clock.mode, release.release, (await fetch(`${told.WM_BASE_URL}/tasks`)).status];
      return { verdict: 'fine' };
    };
    const { complete } = await running(['--release', '1.1'], {}, { optionsFromEnvironment, runContract });
    expect(shown).toEqual(['2025-01-20T09:00:00.000Z', 'frozen', '1.1', 401]);
    expect([complete, told.WM_REQUIRE_COMPLETE]).toEqual([false, undefined]);
    await expect(fetch(told.WM_BASE_URL!)).rejects.toThrow();
    await running([], {}, { optionsFromEnvironment, runContract });
    expect(shown).toEqual(['2025-01-20T09:00:00.000Z', 'frozen', '1.3', 401]);
  });

  test('a run that cannot be made is wrong usage', async () => {
    const runContract = async () => {
      throw new Error('WM_API_KEY_ADMIN: expected a key');
    };
    await expect(running([], {}, { runContract })).rejects.toMatchObject({
      name: 'UsageError',
      message: 'WM_API_KEY_ADMIN: expected a key',
      exitStatus: 2,
    });
    await expect(running(['--release', '7'])).rejects.toThrow('--release: expected one of 1.0, 1.1, 1.2, 1.3, got "7".');
  });
});

describe('the process', () => {
  const own = (more: Partial<OwnProcess> = {}) => {
    const written: string[] = [];
    const stream = (name: string, isTTY?: boolean) => ({
      ...(isTTY === undefined ? {} : { isTTY }),
      write: (text: string) => written.push(`${name} ${text}`),
    });
    const events = new EventEmitter();
    const process: OwnProcess = Object.assign(events, {
      env: {},
      cwd: () => '/here',
      platform: 'linux' as NodeJS.Platform,
      stdout: stream('out', true),
      stderr: stream('err'),
      ...more,
    });
    return { process, written, events };
  };

  test('lends its streams, folder and environment', () => {
    const { process, written } = own();
    const io = processIo(process, true);
    io.out('a');
    io.err('b');
    expect(written).toEqual(['out a', 'err b']);
    expect([io.cwd, io.env, io.colour, io.terminal]).toEqual(['/here', process.env, true, true]);
    expect(processIo(process, false).terminal).toBe(false);
  });

  test('colours a terminal, unless told not to', () => {
    expect(processIo(own({ env: { NO_COLOR: '' } }).process).colour).toBe(false);
    expect(processIo(own({ stdout: { write: () => 0 } }).process).colour).toBe(false);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('stops at the first %s and leaves the second to the system', (signal) => {
    const { process, events } = own();
    const { stop } = processIo(process);
    expect(stop.aborted).toBe(false);
    events.emit(signal, signal);
    expect([stop.aborted, stop.reason]).toEqual([true, signal]);
    expect(events.listenerCount(signal)).toBe(0);
  });

  test.each([
    ['linux', ['SIGINT', 'SIGTERM', 'SIGHUP']],
    ['win32', ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']],
  ] as const)('on %s tells of each of %j, until that is ended', (platform, signals) => {
    const { process, events } = own({ platform });
    const before = events.eventNames().length;
    const { onSignal } = processIo(process);
    const heard: string[] = [];
    const end = onSignal!((signal) => void heard.push(signal));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK', 'SIGUSR1']) events.emit(signal, signal);
    expect(heard).toEqual(signals);
    end();
    for (const signal of signals) events.emit(signal, signal);
    expect([heard.length, before]).toEqual([signals.length, 0]);
  });
});
