// The contract suite in Node: with files, processes and a receiver on a socket.
import { HttpReceiver } from './engine/http-receiver.ts';
import type { ContractOptions } from './engine/options.ts';
import { latestRelease, readRegister, readShippedDocument } from './engine/register.ts';
import type { Report } from './engine/report.ts';
import { thisProcess } from './engine/this-process.ts';
import { comparedWith, type LastRun, openFolder, readBaseline, readChoices, readReport, writeReports } from './report/write.ts';
import { runSuite } from './suite.ts';

export { optionsFromEnvironment } from './engine/environment.ts';
export type { ContractOptions } from './engine/options.ts';
export { exitStatus, type Report } from './engine/report.ts';
export type { Fetch } from './engine/terms.ts';
export { RunError } from './engine/terms.ts';
export { terminal } from './report/terminal.ts';

/** Runs the checks against a base URL. @throws RunError when what it is given cannot be used, before the first request. */
export const runContract = async (options: ContractOptions): Promise<Report> => {
  if (options.reportDir) openFolder(options.reportDir);
  const register = readRegister();
  const { baselineFile } = options;
  const baseline = options.baseline ?? (baselineFile === undefined ? [] : readBaseline(baselineFile, register));
  let last: LastRun | undefined;
  const lastIn = (folder: string) => {
    last = readReport(folder);
    return last;
  };
  const report = await runSuite(
    { ...options, baseline },
    {
      register,
      latest: latestRelease(),
      runner: thisProcess,
      document: (release) => readShippedDocument(release, options.documentOf),
      receiver: (time) => new HttpReceiver(time),
      artefacts: { choicesIn: readChoices, lastIn, write: (made, ...rest) => writeReports(comparedWith(last, made), ...rest) },
    },
  );
  return comparedWith(last, report);
};
