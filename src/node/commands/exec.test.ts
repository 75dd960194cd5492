// `wm-mock exec` with a stand-in for the command: what it is given, what it hears, and the status that its end gives.
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { keptIo } from '../../test/command-line.ts';
import { within } from '../../test/within.ts';
import { readArgs } from '../command-line/args.ts';
import type { Io } from '../command-line/io.ts';
import { runExec } from './exec.ts';

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
  const status = runExec(readArgs(['exec', ...TINY, '--', ...words], {}), io, (command, given, options) => {
    began({ command, words: given, options });
    return child as unknown as ChildProcess;
  });
  const waited = { started: within(started), status: within(status) };
  // Most tests look at one of them.
  for (const promise of Object.values(waited)) promise.catch(() => undefined);
  return { child, ...waited, said, stop };
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

  test.each([
    [true, ['SIGTERM', 'SIGHUP']],
    [false, ['SIGINT', 'SIGTERM', 'SIGHUP']],
  ])('it passes signals on until the command ends; in a terminal (%s) but SIGINT', async (terminal, passed) => {
    let tell: (signal: NodeJS.Signals) => void = () => {};
    let deaf = 0;
    const onSignal = (heard: typeof tell) => {
      tell = heard;
      return () => void deaf++;
    };
    const { child, started, status, stop } = executing(['npm'], { onSignal, terminal });
    await started;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) tell(signal);
    stop('SIGTERM');
    expect([child.heard, deaf]).toEqual([passed, 0]);
    child.emit('exit', 0, null);
    await status;
    expect(deaf).toBe(1);
  });

  test('the end of this process ends the command', async () => {
    const { child, started, status } = executing(['npm']);
    const before = new Set(process.listeners('exit'));
    await started;
    const own = process.listeners('exit').filter((one) => !before.has(one));
    expect(own).toHaveLength(1);
    (own[0] as () => void)();
    expect(child.heard).toEqual(['SIGKILL']);
    child.emit('exit', 0, null);
    await status;
  });
});
