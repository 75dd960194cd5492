// `wm-mock replay`: repeats a repro file, and says where it is no longer the same.
import { several } from '../../mock/api/report.ts';
import type { Repro } from '../../mock/recording/steps.ts';
import { readRepro } from '../../mock/recording/validate-file.ts';
import { type Replayed, replay as replayed } from '../../replay.ts';
import { formatStep } from '../../testing/page.ts';
import { type CommandLine, toServeOptions } from '../command-line/args.ts';
import { type Io, UsageError, waitForAbort } from '../command-line/io.ts';
import { openRepro } from '../create-mock.ts';
import { readText } from '../files/files.ts';
import { packageVersion } from '../package-folder.ts';
import { type ListenOptions, LOOPBACK } from '../server/listen.ts';
import { bindSocket, dashboardLink } from './serve.ts';

const formatReplayed = ({ steps, difference }: Replayed, { dropped = 0, ...repro }: Repro): string => {
  const before = dropped === 0 ? '' : `, after ${several(dropped, 'step')} that the file lacks`;
  if (!difference) return `the same bytes: ${several(steps, 'step')}${before}\n`;
  const { step, where, expected, got } = difference;
  const world = step.world === undefined ? '' : `, world ${step.world}`;
  return `step ${step.n} of ${repro.steps.at(-1)!.n}${world}: ${formatStep(step)}
  at        ${step.at}
  differs   ${where}
  expected  ${JSON.stringify(expected) ?? 'nothing'}
  got       ${JSON.stringify(got) ?? 'nothing'}
`;
};

const showDashboard = async (repro: Repro, flags: CommandLine['flags'], io: Io): Promise<void> => {
  const { host = LOOPBACK, port = 0 } = toServeOptions(flags) as ListenOptions;
  const mock = await openRepro(repro);
  const server = await bindSocket(mock, port, host);
  const link = dashboardLink(mock, server, '/dashboard/requests');
  io.out(`The world after the last step, its clock frozen: ${link}\n`);
  (await import('./open-browser.ts')).openBrowser(link, io);
  await waitForAbort(io.stop);
  await mock.close();
};

/** @returns 0: equal bytes; 2: different. @throws UsageError */
export const runReplay = async ({ rest: [path], flags }: CommandLine, io: Io): Promise<number> => {
  if (path === undefined) throw new UsageError('replay: expected a repro file. See wm-mock replay --help.');
  const text = await readText(path, 'repro file', io.cwd, io.stop);
  const wrong = (error: Error) => new UsageError(`${path}: ${error.message}`, 1);
  const version = await packageVersion();
  let ended: Replayed;
  let repro: Repro;
  try {
    repro = await readRepro(text);
    if (repro.wm_mock !== version) io.err(`wm-mock: ${path} was written by wm-mock ${repro.wm_mock}, and this is ${version}.\n`);
    ended = await replayed(repro);
  } catch (error) {
    throw wrong(error as Error);
  }
  io.out(formatReplayed(ended, repro));
  if (flags.open) await showDashboard(repro, flags, io);
  return ended.difference ? 2 : 0;
};
