// The contract suite in Node: with files, processes and a receiver on a socket.
import { HttpReceiver } from './engine/http-receiver.ts';
import type { ContractOptions } from './engine/options.ts';
import { readRegister, readShippedDocument } from './engine/register.ts';
import type { Report } from './engine/report.ts';
import { thisProcess } from './engine/this-process.ts';
import { openFolder, readChoices, writeReports } from './report/write.ts';
import { runSuite } from './suite.ts';

export type { ContractOptions, Fetch } from './engine/options.ts';
export { optionsFromEnvironment, RunError } from './engine/options.ts';
export { exitStatus, type Report } from './engine/report.ts';
export { terminal } from './report/terminal.ts';

/** Runs the checks against a base URL. @throws RunError when there is no place for the report. */
export const runContract = async (options: ContractOptions): Promise<Report> => {
  if (options.reportDir) openFolder(options.reportDir);
  return runSuite(options, {
    register: readRegister(),
    runner: thisProcess,
    document: readShippedDocument,
    receiver: (time) => new HttpReceiver(time),
    artefacts: { choicesIn: readChoices, write: writeReports },
  });
};
