// `wm-mock contract`: hands flags to the suite, which knows nothing of this package, and its verdict to the shell.
import type { Release } from '../../service/contract/releases.ts';
import { type CommandLine, readRelease } from '../command-line/args.ts';
import { COMMANDS, type Flag } from '../command-line/flags.ts';
import { type Io, UsageError } from '../command-line/io.ts';
import { createNodeMock } from '../create-mock.ts';

export interface Report {
  readonly verdict: string;
}

export interface Suite {
  runContract(options: object): Promise<Report>;
  optionsFromEnvironment(env: Readonly<Record<string, string | undefined>>): object;
  exitStatus(report: Report, requireComplete: boolean): number;
  terminal(report: Report): string;
}

const loadSuite = async (): Promise<Suite> => {
  const at = (file: string) => new URL(`../contract-tests/${file}`, import.meta.url).href;
  const [run, report] = await Promise.all([import(at('run.js')), import(at('report/terminal.js'))]);
  return { ...run, ...report };
};

const toSuiteEnvironment = ({ flags }: CommandLine): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries<Flag>(COMMANDS.contract.flags).map(([name, { variable, type, separator = ',' }]) => {
      const value = flags[name];
      if (type === 'boolean') return [variable, value ? '1' : undefined];
      return [variable, Array.isArray(value) ? value.join(separator) : (value as string | undefined)];
    }),
  );

/** The target when none is given. */
const startOwnTarget = async (name: string | undefined) => {
  const release = readRelease({ release: name });
  const at = release === undefined ? {} : { release };
  const mock = await createNodeMock({ seed: 'demo', seedName: 'the built-in demo', now: '2025-01-20T09:00:00Z', ...at });
  const { baseUrl, origin } = await mock.listen({ port: 0 });
  return { mock, env: { WM_BASE_URL: baseUrl, WM_CONTROL_URL: `${origin}/_mock` } };
};

/** @returns 0 conforms, 1 violations, 2 failed run, 3 incomplete with --require-complete */
export const runContractCommand = async (args: CommandLine, io: Io, load: () => Promise<Suite> = loadSuite): Promise<number> => {
  const suite = await load();
  const given = toSuiteEnvironment(args);
  const own = given.WM_BASE_URL === undefined ? await startOwnTarget(given.WM_RELEASE) : undefined;
  try {
    const options = suite.optionsFromEnvironment({ ...io.env, ...given, ...own?.env });
    const { openApi } = await import('../../service/openapi/openapi.ts');
    const report = await suite.runContract({
      ...options,
      documentOf: (release: Release) => openApi({ release }),
      stop: io.stop,
      log: (line: string) => io.err(`${line}\n`),
      ...(io.env.GITHUB_ACTIONS ? { annotate: (line: string) => io.raw(`${line}\n`) } : {}),
    });
    io.out(`${suite.terminal(report)}\n`);
    return suite.exitStatus(report, given.WM_REQUIRE_COMPLETE === '1');
  } catch (error) {
    throw new UsageError((error as Error).message);
  } finally {
    await own?.mock.close();
  }
};
