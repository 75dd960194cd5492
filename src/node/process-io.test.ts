// The process behind the command line, with a stand-in for it.
import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { type OwnProcess, processIo } from './process-io.ts';

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
