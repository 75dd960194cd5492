// `wm-mock contract` with a stand-in for the suite.
import { describe, expect, test } from 'vitest';
import { LATEST, RELEASE_NAMES } from '../../service/contract/releases.ts';
import { keptIo } from '../../test/command-line.ts';
import { readArgs } from '../command-line/args.ts';
import { runContractCommand, type Suite } from './contract.ts';

const TARGET = ['--base-url', 'http://127.0.0.1:9/v1'];

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
    const status = await runContractCommand(readArgs(['contract', ...words], env), io, async () => suite);
    return { status, said, ...seen };
  };

  test('hands flags on as variables, which win over those of the environment, and the verdict to the shell', async () => {
    const words = [...TARGET, '--key-admin', 'k', '--require-complete', '--max-rpm', '5'];
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
    const { log, stop, documentOf } = options!;
    expect(options).toEqual({ from: 'environment', log, stop, documentOf });
    expect((documentOf as (release: string) => unknown)('1.1')).toMatchObject({ info: { version: '1.1.0' } });
    expect(options!.stop).toBeInstanceOf(AbortSignal);
  });

  test('headers are passed on one a line, whatever they hold, from flags as from the variable', async () => {
    const words = [...TARGET, '--header', 'X-A: 1, 2', '--header', 'X-B: b', '--bail'];
    expect((await running(words)).env).toMatchObject({ WM_HEADERS: 'X-A: 1, 2\nX-B: b', WM_BAIL: '1' });
    const { env } = await running(TARGET, { WM_HEADERS: 'X-A: 1, 2\nX-B: b', WM_KEEP: '0' });
    expect([env!.WM_HEADERS, env!.WM_KEEP]).toEqual(['X-A: 1, 2\nX-B: b', undefined]);
  });

  test('annotates where GitHub runs it', async () => {
    const { said } = await running(TARGET, { GITHUB_ACTIONS: 'true' });
    expect(said.out).toBe('::error::a note\nit is fine\n');
  });

  test('without a target it starts a mock of the demo for the run, of the release that is asked for', async () => {
    let environment: Record<string, string | undefined> = {};
    const optionsFromEnvironment = (env: Readonly<Record<string, string | undefined>>) => {
      environment = { ...env };
      return {};
    };
    let shown: unknown;
    const runContract = async () => {
      const [clock, release] = await Promise.all(
        ['clock', 'release'].map(async (name) => (await fetch(`${environment.WM_CONTROL_URL}/${name}`)).json()),
      );
      shown = [clock.now, clock.mode, release.release, (await fetch(`${environment.WM_BASE_URL}/tasks`)).status];
      return { verdict: 'fine' };
    };
    const { complete } = await running(['--release', '1.1'], {}, { optionsFromEnvironment, runContract });
    expect(shown).toEqual(['2025-01-20T09:00:00.000Z', 'frozen', '1.1', 401]);
    expect([complete, environment.WM_REQUIRE_COMPLETE]).toEqual([false, undefined]);
    await expect(fetch(environment.WM_BASE_URL!)).rejects.toThrow();
    await running([], {}, { optionsFromEnvironment, runContract });
    expect(shown).toEqual(['2025-01-20T09:00:00.000Z', 'frozen', LATEST, 401]);
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
    await expect(running(['--release', '7'])).rejects.toThrow(
      `--release: unknown value, expected one of ${RELEASE_NAMES.join(', ')}, got "7".`,
    );
  });
});
