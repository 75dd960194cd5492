// Every option, one row each: its schema and its command line flag. All entry points take theirs from here.
import { pick } from '../../service/contract/fields.ts';
import { FORWARD_KINDS, ForwardCompat } from '../../service/contract/forward.ts';
import { PLANS, type Plan } from '../../service/contract/limits.ts';
import { LATEST, RELEASE_NAMES } from '../../service/contract/releases.ts';
import { array, boolean, closed, integer, number, oneOf, type Schema, string } from '../../service/contract/schema.ts';
import { ReleaseName } from '../../service/contract/terms.ts';
import type { ScriptSource } from '../../service/openapi/docs-page.ts';
import type { Sender } from '../../service/webhooks/sender.ts';

/** The flag of an option; its environment variable is WM_MOCK_ and its name. */
export interface OptionFlag {
  /** If it is not the option's name with dashes. */
  readonly name?: string;
  readonly short?: string;
  /** Placeholder of its value in the help; absent: the flag takes none. */
  readonly value?: string;
  readonly says: string;
  /** Its meaning without a value. */
  readonly bare?: string;
  /** Its schema, if different from the option's. */
  readonly schema?: Schema<unknown>;
  /** Parses its text, unless it is plain text or a number. */
  readonly read?: (text: string) => unknown;
}

export interface Option<T = unknown> {
  readonly schema: Schema<T>;
  readonly flag?: OptionFlag;
}
export type Rows = Readonly<Record<string, Option>>;
/** The options that an entry point takes, all of them optional. */
export type Options<R extends Rows> = { readonly [N in keyof R]?: R[N] extends Option<infer T> ? T : never };

const option = <T>(schema: Schema<T>, flag?: OptionFlag): Option<T> => ({ schema, ...(flag && { flag }) });
const flag = (says: string, more: Omit<OptionFlag, 'says'> = {}): Option<boolean> => option(boolean(), { says, ...more });
const either = <T>(says: string, ...of: readonly Schema<unknown>[]): Schema<T> => ({ anyOf: of, 'x-says': says });
const kind = <T>(name: 'function' | 'Date' | 'duration', more = {}): Schema<T> => ({ 'x-kind': name, ...more });
const integerBetween = (minimum: number, maximum: number) =>
  integer({ minimum, maximum, 'x-says': `an integer from ${minimum} to ${maximum}` });

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
/** Milliseconds. */
const MAX_LATENCY_MS = 999_999;
const host = (says: string) => string({ pattern: '^[^\\s/]+$', 'x-says': says });
const baseUrl = string({
  pattern: '^https?://.+/v1/?$',
  'x-says': 'the base URL that the app calls, which ends in /v1, such as http://127.0.0.1:4700/v1',
});
const latencyMs = number({ minimum: 0, maximum: MAX_LATENCY_MS });

/** `200` or `100-400`, milliseconds. */
const readLatency = (text: string): unknown => {
  const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  const [min, max] = [Number(from), Number(to)];
  return min <= max && max <= MAX_LATENCY_MS ? { min, max } : text;
};

const readKinds = (text: string): unknown =>
  ['1', 'true', 'yes'].includes(text) ? true : ['0', 'false', 'no'].includes(text) ? false : text;

/** The world of a mock. */
const WORLD = {
  /** Where the clock starts, frozen; wins over the seed's `now`. */
  now: option(
    either<string | number | Date>('an ISO 8601 time, milliseconds since 1970, or a Date', string(), number(), kind('Date')),
    { value: '<ISO>', says: 'start with the clock frozen at this time' },
  ),
  /** Wins over the seed's `random_seed`. */
  randomSeed: option(integerBetween(-MAX_SAFE, MAX_SAFE), {
    value: '<n>',
    says: 'seed for random ids, secrets and generated data',
    schema: integerBetween(0, 0xffffffff),
  }),
  /** Overrides every workspace's plan. */
  plan: option(oneOf(Object.keys(PLANS) as Plan[]), {
    value: '<plan>',
    says: `${Object.keys(PLANS).join(', ')}; overrides every workspace's plan`,
  }),
  /** The release of the service, such as `1.1`; wins over the seed's. */
  release: option(ReleaseName, { value: '<name>', says: `release to serve: ${RELEASE_NAMES.join(', ')} (default ${LATEST})` }),
  /** Makes the changes that v1 allows at any time: all of them, or those named, such as `fields,enums`; wins over the seed's. */
  forwardCompat: option(ForwardCompat, {
    value: '[=<kinds>]',
    bare: 'all',
    says: `make changes that v1 allows: any of ${Object.keys(FORWARD_KINDS).join(',')}`,
    read: readKinds,
  }),
  /** Choices at the spec's open points; win over the seed's. */
  choices: option<Readonly<Record<string, unknown>>>(
    { type: 'object', 'x-says': 'choices by the names of the open points that `wm-mock choices` lists' },
    { value: '<file>', says: 'choices for open points, YAML or JSON', schema: string() },
  ),
};

/** The behaviour of a mock, for any world. */
const BEHAVIOUR = {
  /** The seed's name in problems. */
  seedName: option(string()),
  /** Delay of every `/v1` response in milliseconds, or its range. */
  latency: option(
    either<number | { readonly min: number; readonly max: number }>(
      `milliseconds from 0 to ${MAX_LATENCY_MS}, or { min, max } with a min that is not above its max`,
      latencyMs,
      closed({ min: latencyMs, max: latencyMs }, {}, { 'x-range': true }),
    ),
    {
      value: '<ms|min-max>',
      says: 'delay every /v1 response',
      read: readLatency,
      schema: {
        type: 'object',
        'x-says': `milliseconds, at most ${MAX_LATENCY_MS}, or a range such as 100-400, lower bound first`,
      },
    },
  ),
  /** Real milliseconds of idleness after which a world is deleted; 0: never. Default: an hour. */
  worldIdleMs: option(kind<number>('duration', { 'x-says': 'milliseconds, 0 or more' }), {
    name: 'world-idle',
    value: '<minutes>',
    says: 'delete worlds idle for this long; 0 = never (default 60)',
    schema: integerBetween(0, 1_000_000),
  }),
  /** Memory limit beyond the seed in megabytes: journals, deliveries, inboxes, snapshots, worlds. Default: 256. */
  memory: option(integerBetween(8, 1_000_000), {
    value: '<MB>',
    says: 'memory limit beyond the seed (default 256, less if the heap is small)',
  }),
  /** Token for the control API and the dashboard. */
  controlToken: option(string({ minLength: 1, writeOnly: true }), {
    value: '<t>',
    says: 'token for the control API and the dashboard',
    schema: string({ pattern: '^[\\x21-\\x7e]+$', writeOnly: true, 'x-says': 'letters, digits and punctuation, without spaces' }),
  }),
  /** Turns off the control API and the dashboard. */
  noControl: flag('neither control API nor dashboard'),
  /** Host names for the control API, besides loopback and the bound address. */
  allowHosts: option(array(host('the name of a host, such as mock.local')), {
    name: 'allow-host',
    value: '<name>',
    says: 'accept requests to this host name; repeatable',
  }),
  /** Other origins whose pages may call the control API. */
  allowOrigins: option(
    array(string({ pattern: '^https?://[^/\\s]+$', 'x-says': 'the origin of a page, such as http://localhost:5173' })),
    { name: 'allow-origin', value: '<origin>', says: 'let pages of this origin call the control API; repeatable' },
  ),
};

const SENDING = {
  /** Really sends events to receivers on other machines. */
  deliverPublic: flag('really send events to public addresses as well'),
  /** Hosts to which events are always really sent. */
  allowReceivers: option(array(host('the name or the address of a receiver, such as hooks.example.com or 10.0.0.5')), {
    name: 'allow-receiver',
    value: '<host>',
    says: 'send events to this host, even a public one; repeatable',
  }),
  /** Sends events instead of real HTTP. */
  sender: option(kind<Sender>('function')),
  /** Loads the script of the page at `/docs`; set by the Node entry point. */
  docsScript: option(kind<ScriptSource>('function')),
  /** Loads `/_mock/panel.js`. */
  panelScript: option(kind<ScriptSource>('function')),
};

const RECORD = {
  /** Records all input, so that `mock.save()` can write a repro file. `recent`: the last of it, as far as `memory` goes. */
  record: option(either<boolean | 'recent'>('true, false or recent', boolean(), oneOf(['recent']))),
};

/** Without Node. */
export const MOCK = {
  /** Seed: the text of a file, a parsed file, a checked seed, or `demo`; absent: a workspace with two members and a key of each scope. */
  seed: option(either<string | object>('a seed as text, or parsed, or demo', string(), { type: 'object' })),
  ...WORLD,
  ...BEHAVIOUR,
  ...SENDING,
  ...RECORD,
};

export type MockOptions = Options<typeof MOCK>;

/** In Node, where a seed can be a file. */
export const NODE_MOCK = {
  ...MOCK,
  /** Path of a YAML or JSON file, its text, a parsed seed, or `demo`; absent: a workspace with two members and a key of each scope. */
  seed: option(
    either<string | object>('the path of a YAML or JSON file, its text, a parsed seed, or demo', string({ minLength: 1 }), {
      type: 'object',
    }),
  ),
};

export const PLAYWRIGHT = {
  ...NODE_MOCK,
  /** The service address that the app was built with: requests of pages to it go to the test's own world. */
  apiUrl: option(string()),
  /** `always`: after each step of a test that comes to rest, and at its end, the page has to show what a reload would show. */
  agree: option(oneOf(['always'])),
};

/** Of `expect(page).toAgreeWithService()`. */
export const AGREEMENT = {
  /** The part of the page that is compared, as a selector. Default: `body`. */
  within: option(string({ minLength: 1 })),
  /** Selectors of what is the screen's own, in addition to `[data-wm-own]`. */
  ignore: option(array(string({ minLength: 1 }))),
  /** How long the page may take to agree, milliseconds. Default: the time of `expect`. */
  timeout: option(number({ minimum: 0 })),
};

export const LISTEN = {
  /** 0 (the default) takes any free port. */
  port: option(integerBetween(0, 65_535), { short: 'p', value: '<n>', says: 'port; 0 = any free one (default 4700)' }),
  /** Address to bind; default: loopback. */
  host: option(host('an address of this machine, such as 127.0.0.1 or 0.0.0.0'), {
    value: '<addr>',
    says: 'address to bind (default 127.0.0.1)',
  }),
  /** Client timeouts, milliseconds: 10 s for headers, 60 s for a whole request, 60 s without reading a response. */
  patience: option(
    closed({ headers: number({ minimum: 0 }), request: number({ minimum: 0 }) }, { write: number({ minimum: 1 }) }),
  ),
};

export const HANDLERS = {
  /**
   * The base URL that the app calls; ends in `/v1`. Control API, worlds and OpenAPI document are beside it.
   * Default: `/v1` of the page, or without a page `http://127.0.0.1:4700/v1`, where `npx wm-mock` listens.
   */
  baseUrl: option(baseUrl),
};

const IN_BROWSER = {
  /** Base URL of the mock; ends in `/v1`. With the real service's, the app needs no change. Default: `v1` in the scope. */
  baseUrl: option(baseUrl),
  /** Caches the page's own files as well, network first, so that it reloads offline. */
  offline: option(boolean()),
};

/** In a custom service worker. */
export const START = { seed: MOCK.seed, ...WORLD, ...BEHAVIOUR, ...IN_BROWSER };

/** In a page. */
export const REGISTER = {
  /** URL of the worker's script. Default: `/wm-mock-worker.js`. */
  url: option(string()),
  /** Which pages it controls. Default: those below its own folder. */
  scope: option(string()),
  /** `module` for a script of your own with imports. Default: `classic`. */
  type: option(oneOf(['classic', 'module'])),
  /** URL of a seed file, YAML or JSON, or `demo`; absent: a workspace with two members and a key of each scope. */
  seed: option(string()),
  ...WORLD,
  /** Where the clock starts, frozen. */
  now: option(string()),
  /** Makes the changes that v1 allows at any time: all of them, or those named, such as `fields,enums`. */
  forwardCompat: option(ForwardCompat as Schema<boolean | string>),
  /** Choices at the spec's open points. */
  choices: option(WORLD.choices.schema as Schema<Readonly<Record<string, string>>>),
  ...IN_BROWSER,
};

/** The options of `wm-mock serve`, in the order of its help. */
export const SERVE = {
  seed: option(string(), { short: 's', value: '<file>', says: 'YAML or JSON seed (default: demo, the built-in one)' }),
  port: LISTEN.port,
  host: LISTEN.host,
  ...pick(WORLD, 'now', 'randomSeed', 'plan'),
  latency: BEHAVIOUR.latency,
  choice: option(array(string()), { value: '<name=value>', says: 'choose how the mock behaves at an open point; repeatable' }),
  ...pick(WORLD, 'choices', 'forwardCompat', 'release'),
  strictWebhooks: flag('accept only publicly reachable https receivers'),
  ...pick(SENDING, 'deliverPublic', 'allowReceivers'),
  ...pick(BEHAVIOUR, 'noControl', 'controlToken', 'allowHosts', 'allowOrigins', 'worldIdleMs', 'memory'),
  watch: flag('reload when the seed file changes'),
  record: option(string({ minLength: 1 }), { value: '<file>', says: 'record to this file, for npx wm-mock replay <file>' }),
  save: option(string({ minLength: 1 }), { value: '<file>', says: 'persist the data in this file across restarts' }),
  open: flag('open the dashboard in the browser'),
  quiet: flag("don't log requests (terminals log them by default)"),
  verbose: flag('log bodies and why each request got its response'),
  exitWithParent: flag('stop when the parent process ends'),
  json: flag('print JSON lines: one when ready, one per request'),
};
export type Serve = keyof typeof SERVE;
