// The contract suite as a function of where it runs: makes the checks against a base URL and answers with the report.

import { CHECKS } from './checks/index.ts';
import { assemble, brokenAnew, dayOf } from './engine/assemble.ts';
import { Blocked, type Check, type Need, Skipped } from './engine/check.ts';
import { Observations } from './engine/choices.ts';
import { Client } from './engine/client.ts';
import { Coverage } from './engine/coverage.ts';
import { type Detected, detect } from './engine/detect.ts';
import { readDocument } from './engine/document.ts';
import type { Exchange } from './engine/exchange.ts';
import { InfraError, Unanswered } from './engine/infra.ts';
import { checkKeyPlaces } from './engine/key-places.ts';
import { applyLaws } from './engine/laws.ts';
import { Litter, sweep, sweepOwn } from './engine/litter.ts';
import { runName } from './engine/names.ts';
import { type ContractOptions, type Fetch, PROFILES, type Role, RunError } from './engine/options.ts';
import { Pace } from './engine/pace.ts';
import {
  checkedBase,
  checkFixture,
  isLoopback,
  type Keys,
  knowKeys,
  openControl,
  openReceiver,
  provision,
} from './engine/preflight.ts';
import { putBack } from './engine/put-back.ts';
import type { Receiver } from './engine/receiver.ts';
import { Recorder } from './engine/recorder.ts';
import { Redactor } from './engine/redact.ts';
import { isIn, LATEST, type Release } from './engine/releases.ts';
import type { Report } from './engine/report.ts';
import { type Selection, select } from './engine/selection.ts';
import { Stop } from './engine/stop.ts';
import type { Surroundings } from './engine/surroundings.ts';
import { controlTime, realTime, Skew } from './engine/time.ts';
import { Tools } from './engine/tools.ts';
import { Trail } from './engine/trail.ts';
import { ChangeLog } from './oracle/changes.ts';
import { Oracle } from './oracle/oracle.ts';
import { rulesOf } from './oracle/rules.ts';
import { annotations } from './report/annotations.ts';
import { withScripts } from './report/script.ts';

const SPEC = 'Work-Management Service REST API';
const SUITE = '1.0.0';

const MINUTE = 60_000;

/** How long a run that is told to stop waits for an answer: what it has just made is to be removed too. */
const ANSWER_MS = 1000;
/** How long it may then clean up. */
const CLEANUP_MS = 4000;
/** How long a delivery is waited for in real time. */
const PATIENCE_MS = 10_000;

const shuffled = <T>(list: readonly T[], seed: number): T[] => {
  const mixed = [...list];
  let state = seed >>> 0 || 1;
  for (let i = mixed.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = state % (i + 1);
    [mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!];
  }
  return mixed;
};

const ordered = (order: number | undefined, selection: Selection): readonly Check[] => {
  const wanted = CHECKS.filter(selection.runs);
  const body = wanted.filter((check) => !check.first && !check.last);
  return [
    ...wanted.filter((check) => check.first),
    ...(order === undefined ? body : shuffled(body, order)),
    ...wanted.filter((check) => check.last),
  ];
};

/** Why a check cannot run here; undefined when it can. */
const obstacle = (need: Need, has: { [N in Need]: string | undefined }): string | undefined => has[need];

/** Runs anywhere: what differs between Node and a page is in the surroundings. */
export const runSuite = async (options: ContractOptions, surroundings: Surroundings): Promise<Report> => {
  const began = performance.now();
  const startedAt = new Date().toISOString();
  const { runner, artefacts } = surroundings;
  const last = options.reportDir ? artefacts?.lastIn(options.reportDir) : undefined;
  const selection = select(options, surroundings.register, CHECKS, last);
  const baseline = options.baseline ?? [];
  const profile = options.profile ?? 'full';
  const known = new Map(surroundings.register.map((row) => [row.id, row]));
  let judged: Release = options.release ?? LATEST;
  let detected: Detected | undefined;
  const applies = (id: string): boolean => isIn(known.get(id) ?? {}, judged);
  const record = new Recorder(applies);
  const redactor = new Redactor();
  const choices = new Observations();
  const keys: Keys = { ...options.keys };
  const trail = new Trail();
  const coverage = new Coverage();
  const litter = new Litter();
  const name = runName(runner);
  let serviceDate: string | null = null;
  let client: Client | undefined;
  let pace: Pace | undefined;
  let receiver: Receiver | undefined;
  let document: ReturnType<typeof readDocument>;
  let receiverUrl: string | undefined;
  let brokeOff: string | undefined;
  let error: string | undefined;
  let rejected = 0;
  let stalled = false;
  let bailed = false;
  const notice = (x: Exchange) => {
    serviceDate ??= x.headers.get('date');
    trail.notice(x, record.running);
    coverage.notice(x);
  };
  record.exchanged = () => trail.last;
  record.incoming = () => receiver?.messages ?? [];
  knowKeys(keys, redactor);
  for (const [header, value] of Object.entries(options.headers ?? {})) redactor.knowHeader(header, value);
  const log = options.log ?? (() => {});
  const undo: (() => Promise<void>)[] = [];
  let tidy = async (): Promise<unknown> => undefined;
  const stop = new Stop(options.stop);
  options.stop?.addEventListener('abort', () => log('told to stop: removing what the run has made'), { once: true });
  try {
    document = readDocument(options.document ?? surroundings.document(judged), judged);
    const base = checkedBase(options.baseUrl);
    const given: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
    const fetch: Fetch = (url, init) => stop.or(() => given(url, init), ANSWER_MS);
    const control = await openControl(fetch, options);
    if (control) {
      undo.push(await putBack(control, name));
      const made = await provision(control, keys);
      knowKeys(keys, redactor);
      undo.push(async () => {
        for (const id of made) await control.revokeKey(id);
      });
    }
    const clock = options.time ?? (control ? await controlTime(control) : realTime());
    const time = stop.time(clock);
    const mainRole: Role | undefined = keys.write ? 'write' : keys.admin ? 'admin' : keys.read ? 'read' : undefined;
    if (!mainRole)
      throw new RunError('no API key is given: set at least WM_API_KEY_WRITE, or WM_API_KEY_READ with the profile read-only');
    if (mainRole === 'read' && profile !== 'read-only') throw new RunError('a read key alone allows only the profile read-only');
    const skew = new Skew(time);
    pace = new Pace(time, options.maxRpm, skew);
    client = new Client({
      fetch,
      base,
      keys,
      pace,
      time,
      skew,
      redactor,
      timeoutMs: options.timeoutMs ?? 20_000,
      headers: options.headers,
      main: mainRole,
      mark: name,
    });
    const changes = new ChangeLog(client.orphans);
    const laws = {
      record,
      secrets: () => [...redactor.secrets()].filter((value) => value.length >= 8),
      isHookSecret: (value: string) => redactor.names.get(value)?.startsWith('$WEBHOOK_SECRET') === true,
      skew,
      smallestLimit: 1,
      limits: new Map<string, number>(),
      notFoundCodes: new Set<string>(),
      schemaFault: (x: Parameters<typeof applyLaws>[0]) => document?.fault(x),
    };
    log(`contract run against ${base}, profile ${profile}`);
    // What comes before the release is known is judged when it is.
    const early: Exchange[] = [];
    client.onAnswer = (x) => {
      notice(x);
      litter.notice(x);
      early.push(x);
    };
    const asked = client;
    undo.unshift(async () => {
      record.check = 'cleanup';
      if (options.keep) return;
      await litter.remove((path, as) => asked.send('DELETE', path, { as }), keys.admin ? 'admin' : mainRole);
      if (asked.uncertain) await tidy();
    });
    const writes = profile !== 'read-only';
    const found = await checkKeyPlaces({ client, keys, main: mainRole, writes, run: name });
    laws.smallestLimit = found.smallestLimit;
    detected = await detect(client, mainRole, found.tasks, found.smallestLimit);
    judged = options.release ?? detected?.release ?? LATEST;
    if (judged !== LATEST && options.release === undefined)
      document = readDocument(options.document ?? surroundings.document(judged), judged);
    if (isIn({ since: '1.3' }, judged)) await checkFixture(client, mainRole, options.taskWithComments);
    log(`judged as v${judged}${detected ? `: ${detected.because}` : ''}`);
    const rules = rulesOf(options.document ?? surroundings.document(judged), judged);
    const oracle = new Oracle({
      rules,
      release: judged,
      mark: name,
      smallestLimit: () => laws.smallestLimit,
      near: (at, x) => skew.fits(at, MINUTE, MINUTE, x.came),
      must: (requirement, ok, say, ...x) => record.must(requirement, ok, ok ? '' : say(), ...x),
    });
    const take = (x: Exchange) => {
      if (x.status === 429) rejected++;
      changes.notice(x);
      applyLaws(x, laws);
      oracle.observe(x);
    };
    for (const x of early) take(x);
    client.onAnswer = (x) => {
      notice(x);
      litter.notice(x);
      take(x);
    };
    const mayReceive = control !== undefined || options.allow?.includes('webhooks');
    const reachable = options.receiverUrl !== undefined || options.fetch !== undefined || isLoopback(base);
    if (mayReceive && reachable && profile !== 'read-only') {
      receiver = surroundings.receiver(time);
      receiver.run = name;
      const local = await openReceiver(receiver, options.receiverPort);
      receiverUrl = (options.receiverUrl ?? local).replace(/\/+$/, '');
    }
    const has: { [N in Need]: string | undefined } = {
      write: keys.write || keys.admin ? undefined : 'NO_KEY(write)',
      read: keys.read ? undefined : 'NO_KEY(read)',
      admin: keys.admin ? undefined : 'NO_KEY(admin)',
      other: keys.other ? undefined : 'NO_SECOND_WORKSPACE',
      revoked: keys.revoked ? undefined : 'NO_KEY(revoked)',
      control: control ? undefined : 'NO_CONTROL',
      receiver: receiverUrl ? undefined : mayReceive ? 'NO_RECEIVER' : 'NOT_ALLOWED(webhooks)',
      slow: time.virtual || options.allow?.includes('slow') ? undefined : 'NOT_ALLOWED(slow)',
      quota: control || options.allow?.includes('quota') ? undefined : 'NOT_ALLOWED(quota)',
      comments: control || options.taskWithComments ? undefined : 'NO_FIXTURE(comments)',
    };
    const tools = new Tools({
      client,
      record,
      choices,
      time,
      redactor,
      control,
      receiver,
      receiverUrl,
      changes,
      runName: name,
      profile,
      thorough: options.thorough === true,
      rules,
      oracle,
      skew,
      patienceMs: options.patienceMs ?? PATIENCE_MS,
      mainRole,
      roles: new Set((Object.keys(keys) as Role[]).filter((role) => keys[role])),
      commentedTask: options.taskWithComments,
      release: judged,
      detected,
      keyOf: (role) => keys[role] ?? '',
      shared: new Map<string, unknown>([
        ['notFoundCodes', laws.notFoundCodes],
        ['smallestLimit', found.smallestLimit],
        ['user', found.user],
      ]),
    });
    tidy = () => sweepOwn(tools, litter);
    await sweep(tools, writes, runner, litter);
    const plan = ordered(options.order, selection).filter(({ covers }) => covers.some(applies));
    let done = 0;
    for (const check of plan) {
      const reason =
        PROFILES.indexOf(check.profile) > PROFILES.indexOf(profile) || check.notIn?.includes(profile)
          ? 'PROFILE'
          : (check.needs ?? []).map((need) => obstacle(need, has)).find((found) => found !== undefined);
      const broke = await runCheck(check, reason, tools, record, trail);
      if (broke) brokeOff ??= `the check ${check.id} broke off, which is a fault of the suite: ${broke}`;
      if (broke) log(redactor.clean(brokeOff ?? ''));
      done++;
      bailed = options.bail === true && brokenAnew(record, selection, baseline, dayOf(startedAt));
      if (bailed) break;
      if (done % 20 === 0 || done === plan.length) log(`${done} of ${plan.length} checks, ${client.requests} requests`);
    }
    // Violations are violations all the same.
    if (brokeOff && !record.findings.some(({ status }) => status === 'failed')) error = redactor.clean(brokeOff);
  } catch (cause) {
    if (!(cause instanceof RunError || cause instanceof Unanswered)) throw cause;
    stalled = cause instanceof InfraError;
    error = redactor.clean(cause.message);
  } finally {
    const cleanUp = async () => {
      for (const step of undo) await step().catch((cause) => log(redactor.clean(`cleanup: ${String(cause)}`)));
    };
    if (!(await stop.clean(cleanUp, CLEANUP_MS))) log('cleanup: no answer in time; the next run removes the rest');
    for (const { path, as, why } of litter.left) log(redactor.clean(`cleanup: ${path} (${as}) stays: ${why}`));
    await receiver?.close();
  }
  const register = surroundings.register.filter(({ id }) => applies(id));
  const made = assemble({
    register,
    checks: CHECKS,
    record,
    redactor,
    selection,
    baseline,
    last,
    choicesBefore: options.reportDir ? (artefacts?.choicesIn(options.reportDir) ?? {}) : {},
    choices,
    coverage,
    document,
    judged,
    detected,
    error,
    infra: client?.infra.events ?? [],
    leftBehind: litter.left,
    stalled,
    bailed,
    run: {
      target: options.baseUrl,
      spec: `${SPEC} v${judged}.0`,
      suite: SUITE,
      profile,
      started_at: startedAt,
      ...(serviceDate === null ? {} : { service_date: serviceDate }),
      requests: client?.requests ?? 0,
      quota_requests: client?.quotaRequests ?? 0,
      requests_429: rejected,
      waited_ms: Math.round(pace?.waitedMs ?? 0),
      duration_ms: Math.round(performance.now() - began),
    },
  });
  const base = options.baseUrl.replace(/\/+$/, '');
  const scripting = { trail, redactor, base, runName: name, receiverUrl, commentedTask: options.taskWithComments };
  const scripted = options.reportDir ? withScripts(made, scripting) : { report: made.report, files: new Map<string, string>() };
  const report = redactor.cleanAll(scripted.report);
  artefacts?.write(report, scripted.files, options);
  if (options.annotate) for (const line of annotations(report)) options.annotate(line);
  return report;
};

/** @returns why the check broke off, when that is a fault of the suite */
const runCheck = async (
  check: Check,
  reason: string | undefined,
  t: Tools,
  record: Recorder,
  trail: Trail,
): Promise<string | undefined> => {
  record.begin(check.id);
  const rest = (status: 'skipped' | 'blocked', why: string) => {
    for (const id of check.covers) if (!record.judged.has(id)) record.skip(id, check.id, status, why);
  };
  if (reason !== undefined) {
    rest('skipped', reason);
    return undefined;
  }
  try {
    await check.run(t);
    rest('skipped', 'NOT_EXERCISED');
  } catch (cause) {
    if (cause instanceof Blocked) {
      const known = record.findings.some((finding) => finding.status === 'failed' && finding.requirement === cause.by);
      if (!known) record.must(cause.by, false, `what ${check.id} builds on does not work`, ...trail.latest(check.id));
      rest('blocked', `BLOCKED(${cause.by})`);
    } else if (cause instanceof Skipped) rest('skipped', cause.message);
    // An id that is no text cannot be sent; the answer that gave it has been judged.
    else if (cause instanceof URIError) rest('blocked', 'BLOCKED(WM-GEN-009)');
    else if (cause instanceof RunError) throw cause;
    else {
      rest('blocked', `BROKEN_OFF(${check.id})`);
      return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    }
  } finally {
    record.end();
  }
  return undefined;
};
