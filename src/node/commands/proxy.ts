// `wm-mock proxy`: forwards an app's requests to a service, or reads HAR files, and judges each response of the service.
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import spawn from 'cross-spawn';
import { several } from '../../mock/api/report.ts';
import { errorMessage } from '../../service/contract/errors.ts';
import { quoteForShell } from '../client/client-run.ts';
import { type CommandLine, readRelease, toServeOptions } from '../command-line/args.ts';
import { type Io, Stopped, UsageError, waitForAbort } from '../command-line/io.ts';
import { readText } from '../files/files.ts';
import { writeFiles } from '../files/write-file.ts';
import { PACKAGE_FOLDER } from '../package-folder.ts';
import { startForwarder } from '../proxy/forwarder.ts';
import { readHar } from '../proxy/har.ts';
import { startJudgeThread } from '../proxy/judge-thread.ts';
import type { JudgeModule, ProxyReport } from '../proxy/traffic.ts';
import { byRequirement, headingOf } from '../proxy/traffic-page.ts';
import { TrafficVerdict } from '../proxy/traffic-verdict.ts';
import { runToExit, type StartCommand } from './exec.ts';

const JUDGE = pathToFileURL(join(PACKAGE_FOLDER, 'dist/contract-tests/traffic/judge.js')).href;
const EXIT_STATUSES = { agrees: 0, violations: 1, error: 2 } as const;
const HELP = 'See wm-mock proxy --help.';

const readUrl = (flag: string, value: unknown, pattern: RegExp, expected: string): URL => {
  if (pattern.test(String(value)) && URL.canParse(String(value))) return new URL(String(value));
  throw new UsageError(`--${flag}: expected ${expected}, got "${value}". ${HELP}`);
};

/** As `contract` names them. */
const readKeys = (env: Io['env']) => {
  const names = { admin: 'ADMIN', write: 'WRITE', read: 'READ', revoked: 'REVOKED', other: 'OTHER_WORKSPACE' };
  return Object.fromEntries(Object.entries(names).map(([role, name]) => [role, env[`WM_API_KEY_${name}`] || undefined]));
};

interface ProxyRun {
  readonly args: CommandLine;
  readonly io: Io;
  readonly judge: string;
  readonly options: { readonly keys: Readonly<Record<string, string | undefined>>; readonly release: string | undefined };
}

/** Standard output belongs to the command. */
const saying = ({ args, io }: ProxyRun) => (args.rest.length > 0 ? io.err : io.out);

const judgeHar = async ({ io, judge, options }: ProxyRun, files: readonly string[]) => {
  const { base, traffic } = readHar(await Promise.all(files.map((file) => readText(file, 'HAR file', io.cwd, io.stop))));
  const verdict = new TrafficVerdict((await import(judge)) as JudgeModule, { ...options, target: base });
  for (const one of traffic) verdict.observe(one);
  const seconds = ((traffic.at(-1)?.came ?? 0) - (traffic[0]?.sent ?? 0)) / 1000;
  const facts = { seconds, deliveries: 0, added_ms: { p50: 0, p99: 0 }, error: 'no exchange has a response' };
  return { ...(await verdict.end(facts)), began: true };
};

/** @returns whether the command began */
const runBeside = async ({ args, io }: ProxyRun, origin: string, start: StartCommand): Promise<boolean> => {
  if (args.rest.length === 0) {
    await waitForAbort(io.stop);
    return true;
  }
  const hooks = args.flags['receiver-url'] === undefined ? {} : { WM_WEBHOOK_RECEIVER_URL: `${origin}/_proxy/hooks` };
  const { status, began } = await runToExit(args.rest, { ...io.env, WM_BASE_URL: `${origin}/v1`, ...hooks }, io, start);
  io.err(`wm-mock: ${args.rest.join(' ')} ended with ${status}\n`);
  return began;
};

const judgeLive = async (run: ProxyRun, start: StartCommand) => {
  const { args, io, judge, options } = run;
  const { 'receiver-url': hooks, port } = args.flags;
  const target = readUrl(
    'target',
    args.flags.target,
    /^https?:\/\/[^@?#]+\/v1\/?$/,
    'the base URL of a service, which ends in /v1',
  );
  const receiver =
    hooks === undefined ? undefined : readUrl('receiver-url', hooks, /^https?:\/\/[^@#]+$/, 'an http or https URL');
  const begun = performance.now();
  let error = 'no request went by. Give your app the address of the proxy as its base URL';
  const onUnreachable = (code: string) => {
    const why = `no response from ${target.origin}: ${code}. Start the service, or correct --target`;
    if (error !== why) io.err(`wm-mock: ${why}.\n`);
    error = why;
  };
  const onFail = ({ message }: Error) => io.err(`wm-mock: requests are forwarded and no longer judged: ${message}\n`);
  const thread = startJudgeThread(judge, { ...options, target: target.href.replace(/\/$/, '') }, onFail);
  try {
    const { observe: onExchange, whenRoom } = thread;
    const facts = () => ({ ...forwarder.facts(), error, seconds: Math.round(performance.now() - begun) / 1000 });
    const showPage = (part: 'page' | 'live') => thread.show(part, facts());
    const { port: asked = 0 } = toServeOptions({ port }) as { readonly port?: number };
    const forwarder = await startForwarder({ target, receiver, port: asked, onExchange, whenRoom, showPage, onUnreachable });
    const { origin } = forwarder;
    const deliveries = receiver ? `  Hooks ${origin}/_proxy/hooks  ->  ${receiver.href}\n` : '';
    saying(run)(`  API   ${origin}/v1  ->  ${target.href}\n${deliveries}  Page  ${origin}/\n`);
    const began = await runBeside(run, origin, start);
    await forwarder.close();
    return { ...(await thread.end(facts())), began };
  } finally {
    await thread.close();
  }
};

const formatVerdict = (report: ProxyReport, folder: string): string => {
  const { target, exchanges, seconds, violations, unknown, choices, added_ms, verdict } = report;
  const groups = byRequirement(violations).map(
    ([{ requirement, line, quote, says, exchange, request, expected, got }, times]) => {
      const spec = `\n✗ ${requirement}, line ${line} of the specification: "${quote}"\n    ${says}`;
      return `${spec}\n    first in exchange ${exchange}: ${request}\n    expected ${expected}, got ${got} (${several(times, 'time')})\n`;
    },
  );
  const path = (name: string) => quoteForShell(join(folder, name));
  const found = Object.entries(choices).map(([name, value]) => `${name}=${value}`);
  const detail = verdict === 'error' ? `: ${unknown[0]?.says}` : '';
  const added = `${added_ms.p50.toFixed(1)} ms added (p50), ${added_ms.p99.toFixed(1)} ms (p99)`;
  return `${headingOf(report)}${detail}.
  ${target}: ${several(exchanges, 'exchange')} in ${Math.round(seconds)} s, ${unknown.length} left open, ${added}
${groups.join('')}${found.length > 0 ? `\nOpen points: ${found.join(', ')}\n` : ''}
Report: ${join(folder, 'report.html')}
A mock with the same data: npx wm-mock --seed ${path('seed.yaml')} --choices ${path('choices.yaml')}
`;
};

/** @returns 0: the service agrees; 1: it violates the specification; 2: there is no verdict. @throws UsageError */
export const runProxy = async (args: CommandLine, io: Io, judge = JUDGE, start: StartCommand = spawn): Promise<number> => {
  const { target, har, report: folder = 'wm-proxy-report' } = args.flags;
  if ((target === undefined) === (har === undefined) || (har !== undefined && args.rest.length > 0))
    throw new UsageError(`proxy: expected either --target <url> [-- <command>] or --har <file>. ${HELP}`);
  try {
    const options = { keys: args.flags['keys-from-env'] ? readKeys(io.env) : {}, release: readRelease(args.flags) };
    const run = { args, io, judge, options };
    const judged = har === undefined ? judgeLive(run, start) : judgeHar(run, har as readonly string[]);
    const { report, files, began } = await judged;
    await writeFiles(resolve(io.cwd, folder as string), files);
    saying(run)(formatVerdict(report, folder as string));
    return began ? EXIT_STATUSES[report.verdict] : EXIT_STATUSES.error;
  } catch (error) {
    if (error instanceof Stopped) throw error;
    throw new UsageError(errorMessage(error).replace(/^listen: /, ''));
  }
};
