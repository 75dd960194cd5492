// The contract suite as a function of where it runs: checks a base URL and returns the report.

import { CHECKS } from './checks/index.ts';
import { Asked } from './engine/asked.ts';
import { assemble, brokenAnew, dayOf } from './engine/assemble.ts';
import { accepted } from './engine/baseline.ts';
import type { Need } from './engine/check.ts';
import { Observations, openPointsOf } from './engine/choices.ts';
import { Client } from './engine/client.ts';
import { compact } from './engine/compact.ts';
import type { Control } from './engine/control.ts';
import { Coverage } from './engine/coverage.ts';
import { type Detected, detect } from './engine/detect.ts';
import { readDocument } from './engine/document.ts';
import type { Exchange } from './engine/exchange.ts';
import { rowsOf } from './engine/follow.ts';
import { InfraError, NoResponse } from './engine/infra.ts';
import { checkKeyPlaces } from './engine/key-places.ts';
import { applyLaws } from './engine/laws.ts';
import { Litter, type Search, sweep, sweepOwn } from './engine/litter.ts';
import { runName } from './engine/names.ts';
import { type ContractOptions, PROFILES, type Profile } from './engine/options.ts';
import { Pace } from './engine/pace.ts';
import { ordered, runCheck } from './engine/plan.ts';
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
import { type Finding, Recorder } from './engine/recorder.ts';
import { Redactor } from './engine/redact.ts';
import { isIn, type Release, versionOf } from './engine/releases.ts';
import type { Report, Walked } from './engine/report.ts';
import { type Selection, select } from './engine/selection.ts';
import { Stop } from './engine/stop.ts';
import type { Surroundings } from './engine/surroundings.ts';
import { type Fetch, type Role, RunError } from './engine/terms.ts';
import { controlTime, counted, realTime, Skew, type Time } from './engine/time.ts';
import { Tools } from './engine/tools.ts';
import { Trail } from './engine/trail.ts';
import { ChangeLog } from './oracle/changes.ts';
import type { Judge } from './oracle/judge.ts';
import { OpenPoints } from './oracle/open.ts';
import { Oracle } from './oracle/oracle.ts';
import { type Rules, rulesOf } from './oracle/rules.ts';
import { annotations } from './report/annotations.ts';
import { forTerminal } from './report/escape.ts';
import { withScripts } from './report/script.ts';

const SPEC = 'Work-Management Service REST API';
const SUITE = '1.0.0';

const MINUTE = 60_000;

/** How long a run that is told to stop waits for a response, to remove the record of it, too. */
const RESPONSE_MS = 1000;
/** How long it may then clean up. */
const CLEANUP_MS = 4000;
/** How long a delivery is waited for in real time. */
const PATIENCE_MS = 60_000;

type Obstacles = { readonly [N in Need]: string | undefined };

/** The basis of the parts of a run, once it is known that the target can be asked. */
interface Connected {
  readonly client: Client;
  readonly control: Control | undefined;
  readonly time: Time;
  readonly skew: Skew;
  readonly main: Role;
  readonly base: string;
}

/** The findings of the first requests. */
interface Met {
  readonly found: Awaited<ReturnType<typeof checkKeyPlaces>>;
  readonly rules: Rules;
  readonly oracle: Oracle;
  readonly changes: ChangeLog;
}

/** Why a run ended before its end. */
const endOf = (cause: unknown): string => {
  if (cause instanceof NoResponse)
    return `a request before the first check got no response: ${cause.message}. Run again when the target responds`;
  if (cause instanceof RunError) return cause.message;
  const details = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return `the run broke off, which is a fault of the suite: ${details}`;
};

/** One run: what it was told, and what it has found out so far. */
class Run {
  readonly #options: ContractOptions;
  readonly #surroundings: Surroundings;
  readonly #began = performance.now();
  readonly #startedAt = new Date().toISOString();
  readonly #last: ReturnType<NonNullable<Surroundings['artefacts']>['lastIn']> | undefined;
  readonly #selection: Selection;
  readonly #profile: Profile;
  readonly #name: string;
  readonly #keys: Keys;
  readonly #known: ReadonlyMap<string, Surroundings['register'][number]>;
  readonly #record = new Recorder((id) => this.#applies(id));
  readonly #redactor = new Redactor();
  readonly #choices = new Observations();
  readonly #trail = new Trail();
  readonly #coverage = new Coverage();
  readonly #asked = new Asked();
  readonly #litter = new Litter();
  readonly #sorts = new Map<string, boolean>();
  readonly #undo: (() => Promise<void>)[] = [];
  readonly #stop: Stop;
  readonly #log: (line: string) => void;
  #judged: Release;
  #detected: Detected | undefined;
  #document: ReturnType<typeof readDocument>;
  #client: Client | undefined;
  #pace: Pace | undefined;
  #time: ReturnType<typeof counted> | undefined;
  /** A control API removes the registrations of the run. */
  #controlled = false;
  #receiver: Receiver | undefined;
  #receiverUrl: string | undefined;
  #tools: Tools | undefined;
  #serviceDate: string | null = null;
  #rejected = 0;
  #brokeOff: string | undefined;
  #error: string | undefined;
  #stalled = false;
  #bailed = false;
  #walked: Walked | undefined;

  constructor(options: ContractOptions, surroundings: Surroundings) {
    const { register, runner, artefacts } = surroundings;
    this.#options = options;
    this.#surroundings = surroundings;
    this.#last = options.reportDir ? artefacts?.lastIn(options.reportDir) : undefined;
    this.#selection = select(options, register, CHECKS, this.#last);
    this.#profile = options.profile ?? 'full';
    this.#name = runName(runner);
    this.#keys = { ...options.keys };
    this.#known = new Map(register.map((row) => [row.id, row]));
    this.#judged = options.release ?? surroundings.latest;
    this.#log = (line) => options.log?.(forTerminal(this.#redactor.clean(line)));
    this.#stop = new Stop(options.stop);
  }

  #applies(id: string): boolean {
    return isIn(this.#known.get(id) ?? {}, this.#judged);
  }

  #notice(x: Exchange): void {
    this.#serviceDate ??= x.headers.get('date');
    this.#trail.notice(x, this.#record.running);
    this.#coverage.notice(x);
    this.#asked.notice(x);
    this.#litter.notice(x);
  }

  async run(): Promise<Report> {
    const { headers, stop, baseUrl, controlUrl, controlToken, receiverUrl } = this.#options;
    this.#record.exchanged = () => this.#trail.last;
    this.#record.incoming = () => this.#receiver?.messages ?? [];
    this.#record.shown = (body) => compact(this.#redactor.clean(body));
    knowKeys(this.#keys, this.#redactor);
    this.#redactor.knowOwn(controlToken, '$WM_MOCK_CONTROL_TOKEN');
    for (const url of [baseUrl, controlUrl, receiverUrl]) this.#redactor.knowUrl(url);
    for (const [header, value] of Object.entries(headers ?? {})) this.#redactor.knowHeader(header, value);
    stop?.addEventListener('abort', () => this.#log('told to stop: removing what the run has made'), { once: true });
    try {
      const connected = await this.#connect();
      const tools = await this.#equip(connected, await this.#meet(connected));
      this.#tools = tools;
      if (this.#profile !== 'read-only')
        await sweep(this.#search(connected), connected.skew, this.#surroundings.runner, this.#litter);
      await this.#check(tools, this.#obstacles(connected));
    } catch (cause) {
      this.#stalled = cause instanceof InfraError;
      this.#error = this.#redactor.clean(endOf(cause));
    } finally {
      await this.#leave();
    }
    return this.#report();
  }

  #readDocument(): void {
    this.#document = readDocument(this.#options.document ?? this.#surroundings.document(this.#judged), this.#judged);
  }

  /** Reads what the run was given, and opens the ways to the target. */
  async #connect(): Promise<Connected> {
    const options = this.#options;
    const keys = this.#keys;
    this.#readDocument();
    const base = checkedBase(options.baseUrl);
    const given: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
    const fetch: Fetch = (url, init) => this.#stop.or(() => given(url, init), RESPONSE_MS);
    const control = await openControl(fetch, options);
    this.#controlled = control !== undefined;
    if (control) {
      this.#undo.push(await putBack(control, this.#name));
      const made = await provision(control, keys);
      knowKeys(keys, this.#redactor);
      this.#undo.push(async () => {
        for (const id of made) await control.revokeKey(id);
      });
    }
    const time = counted(this.#stop.time(options.time ?? (control ? await controlTime(control) : realTime())));
    this.#time = time;
    const main: Role | undefined = keys.write ? 'write' : keys.admin ? 'admin' : keys.read ? 'read' : undefined;
    if (!main)
      throw new RunError('no API key is given: set at least WM_API_KEY_WRITE, or WM_API_KEY_READ with the profile read-only');
    if (main === 'read' && this.#profile !== 'read-only')
      throw new RunError('a read key alone allows only the profile read-only');
    const skew = new Skew(time);
    const pace = new Pace(time, options.maxRpm, skew, this.#log);
    const parts = { fetch, base, keys, pace, time, skew, redactor: this.#redactor, main, mark: this.#name };
    const client = new Client({ ...parts, timeoutMs: options.timeoutMs ?? 20_000, headers: options.headers });
    this.#pace = pace;
    this.#client = client;
    this.#undo.unshift(() => this.#cleanUp({ client, main }));
    this.#log(`contract run against ${base}, profile ${this.#profile}`);
    return { client, control, time, skew, main, base };
  }

  async #cleanUp(way: Pick<Connected, 'client' | 'main'>): Promise<void> {
    this.#record.check = 'cleanup';
    if (this.#options.keep) return;
    const search = this.#search(way);
    await this.#litter.remove(search.remove, search.roles[0]!);
    if (way.client.uncertain || this.#litter.missed) await sweepOwn(search, this.#litter, this.#name);
  }

  /** Looks through the lists of both workspaces, with the strongest key of each. */
  #search({ client, main }: Pick<Connected, 'client' | 'main'>): Search {
    const strong: Role = this.#keys.admin ? 'admin' : main;
    return {
      roles: this.#keys.other ? [strong, 'other'] : [strong],
      teams: isIn({ since: '1.2' }, this.#judged),
      rows: async (list, pages, as) =>
        this.#tools
          ? (await this.#tools.walk(list, pages, { as })).items
          : rowsOf(client.cursors, list, pages, (target) => client.send('GET', target, { as })),
      remove: (path, as) => client.send('DELETE', path, { as }),
    };
  }

  /** Asks the target who it is: its release, what its keys are, its smallest limit. From then on every response is judged. */
  async #meet({ client, control, skew, main }: Connected): Promise<Met> {
    const options = this.#options;
    const { latest } = this.#surroundings;
    const record = this.#record;
    const changes = new ChangeLog(client.orphans);
    const laws = {
      record,
      secrets: () => [...this.#redactor.secrets()].filter((value) => value.length >= 8),
      isHookSecret: (value: string) => this.#redactor.names.get(value)?.startsWith('$WEBHOOK_SECRET') === true,
      skew,
      smallestLimit: 1,
      limits: new Map<string, number>(),
      codes: new Map<string, string>(),
      schemaFault: (x: Parameters<typeof applyLaws>[0]) => this.#document?.fault(x),
    };
    // A response that comes before the release is known is judged when it is.
    const early: Exchange[] = [];
    client.onResponse = (x) => {
      this.#notice(x);
      early.push(x);
    };
    const found = await checkKeyPlaces({
      client,
      keys: this.#keys,
      main,
      writes: this.#profile !== 'read-only',
      run: this.#name,
    });
    laws.smallestLimit = found.smallestLimit;
    this.#detected = await detect(client, main, found.tasks, found.smallestLimit, {
      told: options.release,
      latest,
    }).catch((cause: unknown) => {
      if (cause instanceof NoResponse) return undefined;
      throw cause;
    });
    this.#judged = options.release ?? this.#detected?.release ?? latest;
    const judged = this.#judged;
    this.#choices.points = openPointsOf(this.#surroundings.document(judged));
    if (judged !== latest && options.release === undefined) this.#readDocument();
    // With a control API the run comments a task of its own.
    const readsTheirs = !control || this.#profile === 'read-only';
    if (readsTheirs && isIn({ since: '1.3' }, judged)) await checkFixture(client, main, options.taskWithComments);
    this.#log(`judged as v${judged}${this.#detected ? `: ${this.#detected.because}` : ''}`);
    const rules = rulesOf(options.document ?? this.#surroundings.document(judged), judged);
    const must: Judge['must'] = (requirement, ok, say, ...x) => record.must(requirement, ok, ok ? '' : say(), ...x);
    const oracle = new Oracle({
      rules,
      release: judged,
      mark: this.#name,
      smallestLimit: () => laws.smallestLimit,
      // Another run may move a virtual clock while a response is on its way.
      near: (at, x) => skew.fits(at, MINUTE + x.came - x.sent, MINUTE, x.came),
      alone: true,
      must,
      often: (requirement, _what, ...rest) => void must(requirement, ...rest),
      others: { seen: 0 },
    });
    const open = new OpenPoints({
      note: (requirement, value, x) => record.note(requirement, value, x),
      observe: (point, choice) => this.#choices.observe(point, choice),
      sorts: this.#sorts,
    });
    const take = (x: Exchange) => {
      if (x.status === 429) this.#rejected++;
      changes.notice(x);
      applyLaws(x, laws);
      oracle.observe(x);
      open.notice(x);
    };
    for (const x of early) take(x);
    client.onResponse = (x) => {
      this.#notice(x);
      take(x);
    };
    client.onNoResponse = (sent) => oracle.noResponse(sent);
    return { found, rules, oracle, changes };
  }

  /** Starts the receiver where events can come, and hands the checks what they work with. */
  async #equip({ client, control, time, skew, main, base }: Connected, met: Met): Promise<Tools> {
    const options = this.#options;
    const reachable = options.receiverUrl !== undefined || options.fetch !== undefined || isLoopback(base);
    if (this.#mayReceive(control) && reachable && this.#profile !== 'read-only') {
      this.#receiver = this.#surroundings.receiver(time);
      this.#receiver.run = this.#name;
      const local = await openReceiver(this.#receiver, options.receiverPort);
      this.#receiverUrl = (options.receiverUrl ?? local).replace(/\/+$/, '');
    }
    return new Tools({
      client,
      record: this.#record,
      choices: this.#choices,
      time,
      redactor: this.#redactor,
      control,
      receiver: this.#receiver,
      receiverUrl: this.#receiverUrl,
      changes: met.changes,
      runName: this.#name,
      profile: this.#profile,
      thorough: options.thorough === true,
      rules: met.rules,
      oracle: met.oracle,
      skew,
      patienceMs: options.patienceMs ?? PATIENCE_MS,
      mainRole: main,
      roles: new Set((Object.keys(this.#keys) as Role[]).filter((role) => this.#keys[role])),
      commentedTask: options.taskWithComments,
      release: this.#judged,
      detected: this.#detected,
      tell: this.#log,
      keyOf: (role) => this.#keys[role] ?? '',
      scene: {
        smallestLimit: met.found.smallestLimit,
        user: met.found.user,
        sorts: this.#sorts,
        asked: this.#asked,
        sent: new Set(),
        completedBodies: 0,
        looks: 0,
        intruders: 0,
      },
    });
  }

  #mayReceive(control: Control | undefined): boolean {
    return control !== undefined || this.#options.allow?.includes('webhooks') === true;
  }

  /** The lack of each need here; undefined when it is met. */
  #obstacles({ control, time }: Connected): Obstacles {
    const { allow } = this.#options;
    const keys = this.#keys;
    return {
      write: keys.write || keys.admin ? undefined : 'NO_KEY(write)',
      read: keys.read ? undefined : 'NO_KEY(read)',
      admin: keys.admin ? undefined : 'NO_KEY(admin)',
      other: keys.other ? undefined : 'NO_SECOND_WORKSPACE',
      revoked: keys.revoked ? undefined : 'NO_KEY(revoked)',
      control: control ? undefined : 'NO_CONTROL',
      receiver: this.#receiverUrl ? undefined : this.#mayReceive(control) ? 'NO_RECEIVER' : 'NOT_ALLOWED(webhooks)',
      slow: time.virtual || allow?.includes('slow') ? undefined : 'NOT_ALLOWED(slow)',
      quota: control || allow?.includes('quota') ? undefined : 'NOT_ALLOWED(quota)',
    };
  }

  async #check(tools: Tools, obstacles: Obstacles): Promise<void> {
    const { order, bail, walk, baseline = [] } = this.#options;
    const record = this.#record;
    const isKnown = (finding: Finding) => accepted(baseline, finding, dayOf(this.#startedAt));
    const plan = walk
      ? [(await import('./walk/walk.ts')).walkCheck(walk, isKnown, (walked) => (this.#walked = walked))]
      : ordered(CHECKS, order, this.#selection).filter(({ covers }) => covers.some((id) => this.#applies(id)));
    for (const [i, check] of plan.entries()) {
      const left = PROFILES.indexOf(check.profile) > PROFILES.indexOf(this.#profile) || check.notIn?.includes(this.#profile);
      const lacking = (check.needs ?? []).map((need) => obstacles[need]).find((found) => found !== undefined);
      const broke = await runCheck(check, left ? 'PROFILE' : lacking, tools, record, this.#trail);
      if (broke) {
        this.#brokeOff ??= `the check ${check.id} broke off, which is a fault of the suite: ${broke}`;
        this.#log(this.#brokeOff);
      }
      this.#bailed = bail === true && brokenAnew(record, this.#selection, baseline, dayOf(this.#startedAt));
      if (this.#bailed) break;
      const done = i + 1;
      if (done % 20 === 0 || done === plan.length)
        this.#log(`${done} of ${plan.length} checks, ${tools.parts.client.requests} requests`);
    }
    // Violations are violations all the same.
    if (this.#brokeOff && !record.findings.some(({ status }) => status === 'failed'))
      this.#error = this.#redactor.clean(this.#brokeOff);
  }

  async #leave(): Promise<void> {
    const cleanUp = async () => {
      for (const step of this.#undo) await step().catch((cause) => this.#log(`cleanup: ${String(cause)}`));
    };
    if (!(await this.#stop.clean(cleanUp, CLEANUP_MS))) this.#log('cleanup: no response in time; the next run removes the rest');
    for (const { path, as, why } of this.#litter.left) this.#log(`cleanup: ${path} (${as}) stays: ${why}`);
    await this.#receiver?.close();
  }

  #report(): Report {
    const options = this.#options;
    const { register, artefacts } = this.#surroundings;
    const made = assemble({
      register: register.filter(({ id }) => this.#applies(id)),
      checks: CHECKS,
      record: this.#record,
      redactor: this.#redactor,
      selection: this.#selection,
      baseline: options.baseline ?? [],
      last: this.#last,
      choicesBefore: options.reportDir ? (artefacts?.choicesIn(options.reportDir) ?? {}) : {},
      choices: this.#choices,
      coverage: this.#coverage,
      document: this.#document,
      judged: this.#judged,
      detected: this.#detected,
      error: this.#error,
      infra: this.#client?.infra.events ?? [],
      leftBehind: [...this.#litter.left, ...(this.#controlled ? [] : this.#litter.registrations)],
      stalled: this.#stalled,
      bailed: this.#bailed,
      run: this.#figures(),
    });
    const scripted = options.reportDir
      ? withScripts(made, {
          trail: this.#trail,
          redactor: this.#redactor,
          base: options.baseUrl.replace(/\/+$/, ''),
          runName: this.#name,
          receiverUrl: this.#receiverUrl,
          commentedTask: options.taskWithComments,
        })
      : { report: made.report, files: new Map<string, string>() };
    const report = this.#redactor.cleanAll(scripted.report);
    artefacts?.write(report, scripted.files, options);
    if (options.annotate) for (const line of annotations(report)) options.annotate(line);
    return report;
  }

  #figures() {
    return {
      target: this.#options.baseUrl,
      spec: `${SPEC} v${versionOf(this.#judged)}`,
      suite: SUITE,
      profile: this.#profile,
      started_at: this.#startedAt,
      ...(this.#walked ? { walk: this.#walked } : {}),
      ...(this.#serviceDate === null ? {} : { service_date: this.#serviceDate }),
      requests: this.#client?.requests ?? 0,
      quota_requests: this.#client?.quotaRequests ?? 0,
      requests_429: this.#rejected,
      waited_ms: Math.round(this.#time?.virtual === false ? this.#time.waitedMs : (this.#pace?.waitedMs ?? 0)),
      duration_ms: Math.round(performance.now() - this.#began),
    };
  }
}

/** Runs anywhere: what differs between Node and a page is in the surroundings. @throws RunError when the options make no run */
export const runSuite = async (options: ContractOptions, surroundings: Surroundings): Promise<Report> =>
  new Run(options, surroundings).run();
