// Evidence to believe and repeat a finding: the requests, the responses, the deliveries, curl lines with names for the keys.
import { type Claim, claimsOf } from './claims.ts';
import { compact } from './compact.ts';
import type { Exchange } from './exchange.ts';
import type { Message } from './receiver.ts';
import type { Finding } from './recorder.ts';
import type { Redactor } from './redact.ts';
import type { Role } from './terms.ts';

export interface ShownExchange {
  /** Which request of the run it was. */
  readonly number: number;
  readonly request: string;
  readonly curl: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The name of this request in the service's log. */
  readonly request_id?: string;
  readonly body: string;
}

export interface ShownDelivery {
  readonly request: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** When it came, on the clock of the run, and the status that the receiver returned. */
  readonly at: string;
  readonly answered: number;
}

export interface Evidence {
  readonly check: string;
  /** The check whose response it was, when a law found it. */
  readonly during: string;
  readonly message: string;
  readonly expected?: string;
  readonly got?: string;
  /** Claims on these responses or deliveries, as data. */
  readonly claims: readonly Claim[];
  readonly exchanges: readonly ShownExchange[];
  readonly deliveries?: readonly ShownDelivery[];
}

/** Finds the variables among these texts. */
const variablesOf = (redactor: Redactor): RegExp => {
  const names = [...redactor.names.values()].filter((name) => /^\$\w+$/.test(name)).map((name) => name.slice(1));
  return new RegExp(`(\\$(?:${[...new Set(names)].sort((a, b) => b.length - a.length).join('|') || '(?!)'}))`);
};

/** A text as one word of a shell: in single quotes, but for the variables in it, which a shell replaces in double quotes alone. */
const wordOf = (text: string, redactor: Redactor): string =>
  redactor
    .clean(text)
    .split(variablesOf(redactor))
    .map((part, i) => (i % 2 === 1 ? `"${part}"` : part === '' ? '' : `'${part.replaceAll("'", `'\\''`)}'`))
    .join('');

const KEY_NAMES: { readonly [R in Role]?: string } = {
  admin: '$WM_API_KEY_ADMIN',
  write: '$WM_API_KEY_WRITE',
  read: '$WM_API_KEY_READ',
  revoked: '$WM_API_KEY_REVOKED',
  other: '$WM_API_KEY_OTHER_WORKSPACE',
};

export const isKey = (header: string): boolean => header.toLowerCase() === 'authorization';

/** The variable that a header is shown with instead of its value: the key of a role, or a header of --header. */
export const hiddenIn = (header: string, value: string, as: Exchange['as'], redactor: Redactor): string | undefined => {
  if (isKey(header)) return as !== 'keyless' && /^Bearer \S+$/.test(value) ? KEY_NAMES[as] : undefined;
  return redactor.headerName(header);
};

const curl = (x: Exchange, redactor: Redactor): string => {
  const parts = ['curl -sS -i', ...(x.method === 'GET' ? [] : [`-X ${x.method}`])];
  const path = `${x.path}${x.query ? `?${x.query}` : ''}`;
  parts.push(`"$WM_BASE_URL"${wordOf(path, redactor)}`, ...(/[[\]{}]/.test(path) ? ['-g'] : []));
  for (const [name, value] of Object.entries(x.requestHeaders)) {
    if (name.toLowerCase() === 'accept') continue;
    const variable = hiddenIn(name, value, x.as, redactor);
    const shown = isKey(name) ? 'Authorization: Bearer' : `${name}:`;
    parts.push(
      variable ? `-H "${shown} ${variable}"` : `-H ${wordOf(value === '' ? `${name};` : `${name}: ${value}`, redactor)}`,
    );
  }
  if (x.requestBody !== undefined) parts.push(`--data-raw ${wordOf(x.requestBody, redactor)}`);
  return parts.join(' ');
};

const SHOWN = [
  'content-type',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
  'deprecation',
  'www-authenticate',
  'location',
  'date',
];

/** Headers by which services and gateways name a request, most telling first. */
const REQUEST_IDS = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'x-amzn-requestid',
  'x-amzn-trace-id',
  'cf-ray',
  'traceparent',
];

const exchangeOf = (x: Exchange, redactor: Redactor): ShownExchange => {
  const requestId = REQUEST_IDS.map((name) => x.headers.get(name)).find((value) => value !== null);
  return {
    number: x.number,
    request: redactor.clean(`${x.method} ${x.path}${x.query ? `?${x.query}` : ''}`),
    curl: curl(x, redactor),
    status: x.status,
    headers: Object.fromEntries(
      SHOWN.flatMap((name) => {
        const value = x.headers.get(name);
        return value === null ? [] : [[name, redactor.clean(value)]];
      }),
    ),
    ...(requestId ? { request_id: redactor.clean(requestId) } : {}),
    body: compact(redactor.clean(x.text)),
  };
};

const deliveryOf = ({ method, path, headers, body, at, response }: Message, redactor: Redactor): ShownDelivery => ({
  request: redactor.clean(`${method} /${path}`),
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactor.clean(value ?? '')])),
  body: compact(redactor.clean(body)),
  at: new Date(at).toISOString(),
  answered: response.status,
});

export const evidenceOf = (finding: Finding, redactor: Redactor): Evidence => {
  const { check, during, message, expected, got, exchanges, deliveries = [] } = finding;
  const clean = (text: string) => redactor.clean(text);
  return {
    check,
    during,
    message: clean(message),
    ...(expected === undefined ? {} : { expected: clean(expected) }),
    ...(got === undefined ? {} : { got: clean(got) }),
    claims: redactor.cleanAll(claimsOf(finding)),
    exchanges: exchanges.map((x) => exchangeOf(x, redactor)),
    ...(deliveries.length > 0 ? { deliveries: deliveries.map((message) => deliveryOf(message, redactor)) } : {}),
  };
};
