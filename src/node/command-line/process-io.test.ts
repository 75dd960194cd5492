// The process behind the command line, with a stand-in for it.
import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type OwnProcess, processIo } from './io.ts';

describe('the process', () => {
  const own = (more: Partial<OwnProcess> = {}) => {
    const written: string[] = [];
    const broken: Record<string, (code: string) => void> = {};
    const stream = (name: string, isTTY?: boolean) => ({
      ...(isTTY === undefined ? {} : { isTTY }),
      write: (text: string) => written.push(`${name} ${text}`),
      on: (_: 'error', heard: (error: NodeJS.ErrnoException) => void) => {
        broken[name] = (code) => heard(Object.assign(new Error(`${code}: broken`), { code }));
      },
    });
    const events = new EventEmitter();
    const process: OwnProcess = Object.assign(events, {
      env: {},
      cwd: () => '/here',
      platform: 'linux' as NodeJS.Platform,
      exit: ((status: number) => written.push(`exit ${status}`)) as never,
      stdout: stream('out', true),
      stderr: stream('err'),
      ...more,
    });
    return { process, written, events, broken };
  };

  test('lends its streams, folder and environment', () => {
    const { process, written } = own();
    const io = processIo(process, true);
    io.out('a');
    io.err('b');
    io.raw('\u001b[1mc');
    expect(written).toEqual(['out a', 'err b', 'out \u001b[1mc']);
    expect([io.cwd, io.env, io.colour, io.terminal]).toEqual(['/here', process.env, true, true]);
    expect(processIo(process, false).terminal).toBe(false);
  });

  test('prints nothing that steers a terminal or a CI service, and no secret of its environment or of a URL', () => {
    const { process, written } = own({
      env: { GITHUB_TOKEN: 'ghp_1234567', WM_API_KEY_READ: 'wm_read_key', DB_PASSWORD: 'short', HOME: '/home/ada' },
    });
    const io = processIo(process);
    const text = [
      'a\u001b]0;x\u0007\u202e\u2066\u2028\u0085\t\n ::error::forged\n##[group]x',
      'ghp_1234567 wm_read_key short /home/ada',
      'https://ada:s3cretpw@a.test/v1?limit=5&token=s3cretpw http://b.test/?api_key=s3cretpw#x "http://c.test/?a=1&access_token=s3cretpw"',
    ].join('\n');
    io.out(text);
    io.err(text);
    const shown = [
      'a\\u001b]0;x\\u0007\\u202e\\u2066\\u2028\\u0085\\u0009\n \\::error::forged\n\\##[group]x',
      '[hidden] [hidden] short /home/ada',
      'https://[hidden]@a.test/v1?limit=5&token=[hidden] http://b.test/?api_key=[hidden]#x "http://c.test/?a=1&access_token=[hidden]"',
    ].join('\n');
    expect(written).toEqual([`out ${shown}`, `err ${shown}`]);
  });

  test('each kind of output has one function, and these files alone print as it is', () => {
    const files = (readdirSync('src', { recursive: true }) as string[]).filter((file) =>
      /^(?!test\/).*(?<!\.test|\.generated)\.tsx?$/.test(file),
    );
    const callers = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(join('src', file), 'utf8'))).sort();
    const results = callers(/\bstd(out|err)\.write|console\.\w+\(/);
    expect(results).toEqual(['dashboard/panel/script.ts', 'node/cli.ts', 'node/command-line/io.ts', 'testing/vitest.ts']);
    expect(callers(/\braw\(/)).toEqual(
      ['client', 'completion', 'contract', 'openapi', 'serve']
        .map((name) => `node/commands/${name}.ts`)
        .concat('node/hosted/hosted.ts'),
    );
    expect(callers(/\bescapeControls\(/)).toEqual([
      'client/report-text.ts',
      ...['banner', 'printing', 'request-log'].map((name) => `node/command-line/${name}.ts`),
      'testing/show-lines.ts',
    ]);
    const values = callers(/import \{[^}]*\b(cell|escaped)\b[^}]*\} from/);
    expect(values).toEqual(['client/report-page.ts', 'client/report-text.ts', 'node/proxy/traffic-page.ts', 'testing/page.ts']);
  });

  test('continues when its readers have left, and ends with a line when nothing can be written', () => {
    const { process, written, broken } = own();
    processIo(process);
    for (const code of ['EPIPE', 'ERR_STREAM_DESTROYED']) broken.out!(code);
    broken.err!('ENOSPC');
    expect(written).toEqual([]);
    broken.out!('ENOSPC');
    expect(written).toEqual(['err wm-mock: cannot write to standard output: ENOSPC: broken.\n', 'exit 1']);
  });

  test('says what to do in a folder that is gone', () => {
    const cwd = () => {
      throw new Error('ENOENT: uv_cwd');
    };
    const io = processIo(own({ cwd }).process);
    expect(() => io.cwd).toThrow('the current folder no longer exists. Change to another one.');
  });

  test('colours a terminal, unless told not to', () => {
    expect(processIo(own({ env: { NO_COLOR: '' } }).process).colour).toBe(false);
    expect(processIo(own({ stdout: { write: () => 0, on: () => 0 } }).process).colour).toBe(false);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('stops at the first %s and leaves the second to the system', (signal) => {
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
    const received: string[] = [];
    const end = onSignal!((signal) => void received.push(signal));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK', 'SIGUSR1']) events.emit(signal, signal);
    expect(received).toEqual(signals);
    end();
    for (const signal of signals) events.emit(signal, signal);
    expect([received.length, before]).toEqual([signals.length, 0]);
  });
});
