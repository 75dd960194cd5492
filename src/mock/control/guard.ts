// Admits requests to the control API: from this machine's pages and programs, or with the token.
import { Problem } from '../../service/contract/errors.ts';
import { decodeText } from '../../service/lists/query.ts';
import { isLoopback } from '../../service/validation/receiver-url.ts';
import { SIGNATURE_HEADER } from '../../service/webhooks/sign.ts';

const ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/;
/** The host of in-process requests; no public name ends in `.test`. */
export const IN_PROCESS = 'wm-mock.test';

interface Admission {
  /** Without host and token checks. */
  readonly open?: boolean;
  readonly tokenless?: boolean;
  /** In a frame of an allowed page: only the token in the address counts. */
  readonly framed?: boolean;
}

export class Guard {
  token: string | undefined;
  also: readonly string[] = [];
  readonly #hosts = new Set<string>([IN_PROCESS]);
  #anyAddress = false;
  #anyHost = false;
  /** Origins of pages that may call the control API and frame the panel. */
  readonly origins: readonly string[];

  constructor(token?: string, origins: readonly string[] = []) {
    this.token = token;
    this.origins = origins;
  }

  /** CORS headers for a page of an allowed origin. */
  shared({ headers }: Request): Readonly<Record<string, string>> | undefined {
    const origin = headers.get('origin');
    if (origin === null || !this.origins.includes(origin)) return undefined;
    const requestHeaders = headers.get('access-control-request-headers');
    return {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      ...(requestHeaders === null ? {} : { 'access-control-allow-headers': requestHeaders }),
      vary: 'Origin',
    };
  }

  /** Accepts requests for a bound address or a name; `*`: for any. */
  allow(host: string): void {
    // Every address may be named, but no name: a foreign one could resolve to this machine (DNS rebinding).
    if (host === '*') this.#anyHost = true;
    else if (host === '0.0.0.0' || host === '::') this.#anyAddress = true;
    else this.#hosts.add((host.includes(':') && !host.startsWith('[') ? `[${host}]` : host).toLowerCase());
  }

  accepts(token: string): boolean {
    return this.token !== undefined && [this.token, ...this.also].some((one) => equalTokens(token, one));
  }

  opens(request: Request): boolean {
    return this.accepts(sentToken(request));
  }

  /** @throws Problem 403 for a foreign request, 401 without the token */
  admit(request: Request, { open = false, tokenless = false, framed = false }: Admission = {}): void {
    const { host, hostname } = new URL(request.url);
    const named = request.headers.get('host') ?? host;
    const foreign = [hostname, named.replace(/:\d*$/, '').toLowerCase()].find((name) => !this.#knows(name));
    if (foreign !== undefined)
      throw foreignProblem(`the host ${JSON.stringify(foreign.slice(0, 100))} is not this machine`, ALLOW_HOST);
    if (open) return;
    // Otherwise a registered webhook could call the control API.
    if (request.headers.get(SIGNATURE_HEADER) !== null)
      throw foreignProblem('it is the delivery of a webhook', 'Register another receiver, such as /_mock/inbox/{name}');
    const origin = request.headers.get('origin');
    const welcome = this.shared(request) !== undefined;
    if (!welcome && origin !== null && origin !== `http://${named}` && origin !== `https://${named}`)
      throw foreignProblem('it comes from a page of another origin', ALLOW_ORIGIN);
    const site = request.headers.get('sec-fetch-site');
    if (!welcome && site !== null && site !== 'same-origin' && site !== 'none' && !isVisit(request, framed))
      throw foreignProblem('it comes from a page of another site', ALLOW_ORIGIN);
    const hasToken = framed ? this.accepts(addressToken(request) ?? '') : this.opens(request);
    if (!tokenless && this.token !== undefined && !hasToken) throw new Problem(401, 'unauthorized', WITHOUT_TOKEN);
  }

  #knows(name: string): boolean {
    return this.#anyHost || isLoopback(name) || this.#hosts.has(name) || (this.#anyAddress && ADDRESS.test(name));
  }
}

const WITHOUT_TOKEN =
  'The control API asks for its token. Send Authorization: Bearer <token> or X-WM-Control-Token: the mock printed it at its start (--control-token), and that of a hosted world came with the response that created it.';
const ALLOW_HOST = 'Use the address that the mock printed, or start it with --allow-host';
const ALLOW_ORIGIN = 'Call from a program, or start the mock with --allow-origin';
const foreignProblem = (why: string, what: string): Problem =>
  new Problem(403, 'forbidden', `The control API refuses this request: ${why}. ${what}.`);

/** A followed link to the dashboard: its page cannot read the response. */
export const isVisit = ({ method, headers }: Request, framed = false): boolean => {
  const to = headers.get('sec-fetch-dest');
  return method === 'GET' && headers.get('sec-fetch-mode') === 'navigate' && (to === 'document' || (framed && to === 'iframe'));
};

const addressToken = ({ url }: Request): string | null => new URL(url).searchParams.get('token');

const sentToken = (request: Request): string => {
  const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const given = bearer ?? request.headers.get('x-wm-control-token') ?? addressToken(request);
  return given ?? cookieOf(request, tokenCookie(request)) ?? '';
};

/** Ports share cookies, so the name has the port. */
export const tokenCookie = ({ url }: Request): string => `wm_mock_token_${new URL(url).port || '80'}`;

export const cookieOf = ({ headers }: Request, name: string): string | undefined => {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim().split('=', 2));
  const pair = pairs.find(([key]) => key === name);
  return pair && decodeText(pair[1] ?? '');
};

/** Takes constant time for tokens of one length. */
const equalTokens = (given: string, token: string): boolean => {
  let difference = given.length ^ token.length;
  for (let i = 0; i < token.length; i++) difference |= token.charCodeAt(i) ^ (given.charCodeAt(i) || 0);
  return difference === 0;
};
