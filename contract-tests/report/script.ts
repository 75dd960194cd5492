// A shell script for each failure: it makes on a clean workspace what the failure needs, and repeats the calls that show it.
import { type Claim, claimsOf } from '../engine/claims.ts';
import { hiddenIn, isKey } from '../engine/evidence.ts';
import { decoded } from '../engine/paths.ts';
import type { Finding } from '../engine/recorder.ts';
import type { Redactor } from '../engine/redact.ts';
import type { Report } from '../engine/report.ts';
import { reproductionOf } from '../engine/reproduction.ts';
import type { Origin, Step, Trail } from '../engine/trail.ts';
import { forComment } from './escape.ts';
import { hold } from './hold.ts';
import { CALL, ID, JUDGE, LISTEN, SALT } from './shell.ts';

export interface Scripting {
  readonly trail: Trail;
  readonly redactor: Redactor;
  /** Base URL of the target. */
  readonly base: string;
  /** The beginning of all names of the run. */
  readonly runName: string;
  readonly receiverUrl: string | undefined;
  /** The task that was named as one with comments. */
  readonly commentedTask: string | undefined;
}

export interface Failure {
  readonly id: string;
  readonly says: string;
  readonly quote?: string | undefined;
  readonly line?: number | undefined;
  readonly finding: Finding;
  /** When, where and how long the run was. */
  readonly run: string;
}

type Pair = readonly [value: string, variable: string];

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A text inside double quotes. */
const inside = (text: string): string => text.replace(/["$`\\]/g, '\\$&');

const parsed = (literal: string): string => {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal;
  }
};

const oneLine = (text: string): string => forComment(text).slice(0, 300);

class Script {
  readonly #parts: Scripting;
  /** The claim, as JSON: it names ids too. */
  readonly #claims: string;
  readonly #variables = new Map<string, string>();
  readonly #count = new Map<string, number>();
  readonly #pairs: readonly Pair[];
  readonly lines: string[] = [];
  readonly needs = new Set<string>();

  constructor(parts: Scripting, claims: readonly Claim[]) {
    this.#parts = parts;
    this.#claims = JSON.stringify(claims);
    const { redactor, runName, receiverUrl } = parts;
    const named = [...redactor.names].filter(([, name]) => /^\$\w+$/.test(name));
    this.#pairs = [
      ...named,
      [runName, '$RUN'],
      [runName.toUpperCase(), '$RUN_UPPER'],
      ...(receiverUrl ? [[receiverUrl, '$WM_WEBHOOK_RECEIVER_URL'] as const] : []),
    ];
  }

  /** A call that was made this many times, and what it gives to later ones. */
  call(step: Step, times: number, shown: boolean, later: readonly Step[], before: Step | undefined): void {
    const { lines } = this;
    lines.push('', `# ${step.number}: ${oneLine(this.#parts.redactor.clean(`${step.method} ${decoded(step.path)}`))}`);
    if (step.method === 'PATCH' && before && step.at - before.at >= 1000) lines.push('sleep 1');
    if (times > 1) lines.push(`times=${times}`);
    if (step.body !== undefined) lines.push(`printf '%s' ${this.#body(step)} >"$folder/sent"`);
    const options = [...this.#headers(step), ...(step.body === undefined ? [] : ['--data-binary @"$folder/sent"'])];
    lines.push([`send ${step.number} ${step.status} ${step.method} ${this.#target(step)}`, ...options].join(' \\\n  '));
    if (shown) lines.push('show');
    this.#keep(step, later);
  }

  /** Reads ids of the response that later steps name. */
  #keep(step: Step, later: readonly Step[]): void {
    const requests = later.map(({ path, query, body }) => `${decoded(path)}\n${decoded(query)}\n${body ?? ''}`);
    const texts = [...requests, this.#claims].join('\n');
    for (const [value, origin] of this.#originsIn(step, texts)) {
      const count = (this.#count.get(origin.kind) ?? 0) + 1;
      this.#count.set(origin.kind, count);
      const name = `${origin.kind}${count}`;
      this.#variables.set(value, `$${name}`);
      this.lines.push(`${name}=$(take ${origin.member} ${origin.nth})`);
      if (origin.kind === 'user' && origin.nth > 1) this.lines.push(`${name}=\${${name}:-$(take id 1)}`);
      this.lines.push(`there ${name} "$${name}"`, `same ${quote(JSON.stringify(value).slice(1, -1))} "$${name}"`);
    }
  }

  #originsIn(step: Step, texts: string): readonly (readonly [string, Origin])[] {
    return this.#parts.trail
      .originsOf(step)
      .filter(
        ([value]) => !this.#variables.has(value) && (texts.includes(value) || texts.includes(JSON.stringify(value).slice(1, -1))),
      );
  }

  /** The variable of an id; undefined when it stands as it is. */
  #variable(value: string): string | undefined {
    if (value === this.#parts.commentedTask) {
      this.needs.add('$WM_TASK_WITH_COMMENTS');
      return '$WM_TASK_WITH_COMMENTS';
    }
    return this.#variables.get(value);
  }

  /** A text with variables for what another run has otherwise; the rest is escaped for its quotes. */
  #text(text: string, quoted: (text: string) => string, variable: (name: string) => string): string {
    const [first] = this.#pairs
      .map(([value, name]) => ({ value, name, index: text.indexOf(value) }))
      .filter(({ index }) => index >= 0)
      .sort((a, b) => a.index - b.index || b.value.length - a.value.length);
    if (!first) return quoted(text);
    const { value, name, index } = first;
    this.needs.add(name);
    return quoted(text.slice(0, index)) + variable(name) + this.#text(text.slice(index + value.length), quoted, variable);
  }

  /** A text between double quotes. */
  #double(text: string): string {
    return this.#text(text, inside, (name) => `\${${name.slice(1)}}`);
  }

  /** A text between single quotes, which show JSON as it is. */
  #single(text: string): string {
    return this.#text(
      text,
      (part) => part.replaceAll("'", `'\\''`),
      (name) => `'"${name}"'`,
    );
  }

  #inUrl(raw: string): string {
    const variable = this.#variable(decoded(raw));
    return variable ? `$(url "${variable}")` : this.#double(raw);
  }

  #target({ path, query }: Step): string {
    const segments = path.split('/').map((segment) => this.#inUrl(segment));
    const pairs = query.split('&').map((pair) => {
      const at = pair.indexOf('=') + 1;
      return this.#double(pair.slice(0, at)) + this.#inUrl(pair.slice(at));
    });
    return `"${segments.join('/')}${query === '' ? '' : `?${pairs.join('&')}`}"`;
  }

  #body({ body = '' }: Step): string {
    let rest = 0;
    let shell = '';
    for (const { 0: literal, index } of body.matchAll(/"(?:[^"\\]|\\.)*"/g)) {
      const variable = this.#variable(parsed(literal));
      if (!variable) continue;
      shell += `${this.#single(body.slice(rest, index + 1))}'"${variable}"'`;
      rest = index + literal.length - 1;
    }
    return `'${shell}${this.#single(body.slice(rest))}'`;
  }

  #headers({ headers, as }: Step): string[] {
    return Object.entries(headers).flatMap(([name, value]) => {
      if (name === 'accept' && value === 'application/json') return [];
      const variable = hiddenIn(name, value, as, this.#parts.redactor);
      if (variable) this.needs.add(variable);
      if (variable) return `-H "${inside(name)}: ${isKey(name) ? 'Bearer ' : ''}${variable}"`;
      // An empty header is one that curl leaves out, unless it ends so.
      return `-H "${value === '' ? `${name};` : this.#double(`${name}: ${value}`)}"`;
    });
  }
}

const sameCall = (a: Step, b: Step): boolean =>
  a.method === b.method &&
  a.path === b.path &&
  a.query === b.query &&
  a.body === b.body &&
  a.as === b.as &&
  a.status === b.status;

/** How often the first of these steps was made in a row, when nothing tells its responses apart. */
const repeated = (steps: readonly Step[], trail: Trail, shown: ReadonlySet<number>): number => {
  const [first] = steps as [Step];
  const other = steps.findIndex((step) => !sameCall(first, step) || trail.madeBy(step) !== undefined || shown.has(step.number));
  return other === 0 ? 1 : other < 0 ? steps.length : other;
};

const SAYS: Readonly<Record<string, string>> = {
  WM_API_KEY_ADMIN: 'a key of scope admin',
  WM_API_KEY_WRITE: 'a key of scope write',
  WM_API_KEY_READ: 'a key of scope read',
  WM_API_KEY_REVOKED: 'a revoked key',
  WM_API_KEY_OTHER_WORKSPACE: 'a key of a second workspace',
  WM_TASK_WITH_COMMENTS: 'the id of a task with comments',
};

/** Asks for each variable before anything is sent. */
const variables = (needs: ReadonlySet<string>): string[] =>
  ['WM_BASE_URL', ...[...needs].map((name) => name.slice(1))]
    .filter((name) => !name.startsWith('RUN') && name !== 'WM_WEBHOOK_RECEIVER_URL')
    .map(
      (name) =>
        `need ${name} "\${${name}:-}" ${quote(SAYS[name] ?? (name === 'WM_BASE_URL' ? 'the base URL, ending in /v1' : 'as in the run'))}`,
    );

const comment = (label: string, text: string | undefined): string[] =>
  text === undefined ? [] : [`# ${label}: ${oneLine(text)}`];

const RECEIVING = [
  '# Deliveries come to a receiver that the script starts on this machine. Where the service cannot reach it, set',
  '# WM_WEBHOOK_RECEIVER_URL to a URL that leads here, and WM_WEBHOOK_RECEIVER_PORT to the port to which it leads.',
];

/** The receiver's responses to the attempts of each event: the statuses in order, by the name of the registration. */
const planOf = ({ deliveries = [] }: Finding): Readonly<Record<string, readonly number[]>> => {
  const plan: Record<string, number[]> = {};
  for (const { path, body } of deliveries)
    plan[path] ??= deliveries.filter((one) => one.path === path && one.body === body).map(({ response }) => response.status);
  return plan;
};

/** How many seconds deliveries are waited for. */
const waitOf = (claims: readonly Claim[]): number => Math.max(10, ...claims.map(({ within = 0 }) => within));

/** Texts with the name of the run have the name of this one here. */
const SALTED = (runName: string): string[] => [
  `same ${quote(runName)} "$RUN" ',true'`,
  `same ${quote(runName.toUpperCase())} "$RUN_UPPER" ',true'`,
];

/**
 * @returns undefined when no request shows it: then there is nothing to repeat; or when it was seen in a world of its own,
 * which is gone.
 */
const scriptOf = (failure: Failure, parts: Scripting): string | undefined => {
  const { id, says, finding, run } = failure;
  const claims = claimsOf(finding);
  const claimed = new Set(claims.flatMap(({ call, than }) => [call ?? [], than?.call ?? []].flat(2)));
  const reproduction = reproductionOf(finding, parts.trail, claimed);
  if (!reproduction || reproduction.steps.some(({ url }) => !url.startsWith(`${parts.base}/`))) return undefined;
  const { steps, shown } = reproduction;
  const script = new Script(parts, claims);
  for (let i = 0, times = 1; i < steps.length; i += times) {
    times = repeated(steps.slice(i), parts.trail, claimed);
    const last = steps[i + times - 1]!;
    script.call(last, times, shown.has(last.number), steps.slice(i + times), steps[i - 1]);
  }
  const { redactor, runName } = parts;
  const clean = (text: string | undefined) => (text === undefined ? undefined : redactor.clean(text));
  const [expected, got] = [clean(finding.expected ?? says)!, clean(finding.got ?? finding.message)!];
  const body = script.lines.join('\n');
  const events = script.needs.has('$WM_WEBHOOK_RECEIVER_URL');
  return [
    '#!/bin/sh',
    `# ${id}: ${oneLine(says)}`,
    ...comment(`Specification${failure.line === undefined ? '' : `, line ${failure.line}`}`, failure.quote),
    ...comment('Found', `by ${finding.during} in ${run}`),
    ...comment('Expected', expected),
    ...comment('Got', got),
    '# It works on a clean workspace, makes there what it needs, and leaves it. The numbers are those of the requests of the run.',
    ...(events ? RECEIVING : []),
    '# Exit status: 0 the rule holds, 1 it is broken, 2 it cannot be told here.',
    'set -u',
    CALL,
    ...(/\$\(take /.test(body) ? [ID] : []),
    ...variables(script.needs),
    ...(/\$RUN/.test(body) ? [SALT(runName), ...SALTED(runName)] : []),
    ...(events ? [LISTEN(quote(JSON.stringify(planOf(finding))))] : []),
    body,
    '',
    `printf '\\nexpected: %s\\ngot in the run: %s\\n' ${quote(oneLine(expected))} ${quote(oneLine(got))}`,
    JUDGE(hold.toString(), quote(JSON.stringify(claims)), events ? waitOf(claims) : 0),
    '',
  ].join('\n');
};

/** The report with the name of a script at each violation that has one, and the scripts by their names. */
export const withScripts = (
  { report, findings }: { report: Report; findings: ReadonlyMap<string, Finding> },
  parts: Scripting,
): { report: Report; files: ReadonlyMap<string, string> } => {
  const files = new Map<string, string>();
  const { started_at, target, requests, duration_ms } = report;
  const run = `the run of ${started_at} against ${target}: ${requests} requests, ${(duration_ms / 1000).toFixed(1)} s`;
  const requirements = report.requirements.map((result) => {
    const finding = findings.get(result.id);
    const text = finding && scriptOf({ ...result, finding, run }, parts);
    if (!text) return result;
    const name = `failures/${result.id}.sh`;
    files.set(name, parts.redactor.clean(text));
    return { ...result, script: name };
  });
  return { report: { ...report, requirements }, files };
};
