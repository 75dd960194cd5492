// Who may use the powers of the dashboard: this machine's own pages and programs, and whoever holds the token.
import { Problem } from '../../service/contract/errors.ts';
import { isLoopback } from '../../service/validation/receiver-url.ts';
import { SIGNATURE_HEADER } from '../../service/webhooks/sign.ts';
import { decoded } from '../../service/world/decoded.ts';

const ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/;
/** The host of requests made in process; no name that anybody can own. */
export const IN_PROCESS = 'wm-mock.test';

interface Admission {
  /** From anywhere, and without a token. */
  readonly open?: boolean;
  /** Without a token. */
  readonly tokenless?: boolean;
  /** In a frame of an allowed page: its token stands in the address, whatever its cookies say. */
  readonly framed?: boolean;
}

export class Guard {
  token: string | undefined;
  /** Others that open it as well. */
  also: readonly string[] = [];
  readonly #hosts = new Set<string>([IN_PROCESS]);
  #anyAddress = false;
  #anyHost = false;
  /** Of pages that may call it, and frame the panel. */
  readonly origins: readonly string[];

  /** @param origins of pages that may call it */
  constructor(token?: string, origins: readonly string[] = []) {
    this.token = token;
    this.origins = origins;
  }

  /** What a page of an allowed origin has to be told before it may read a response, or send its request. */
  shared({ headers }: Request): Readonly<Record<string, string>> | undefined {
    const origin = headers.get('origin');
    if (origin === null || !this.origins.includes(origin)) return undefined;
    const asked = headers.get('access-control-request-headers');
    return {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      ...(asked === null ? {} : { 'access-control-allow-headers': asked }),
      vary: 'Origin',
    };
  }

  /** Lets requests name this host: an address that is bound, or a name that leads to it; `*`: any, where everything asks for a token. */
  allow(host: string): void {
    // Bound to every address: any of them may be named. A name may not, for a foreign one could lead here (DNS rebinding).
    if (host === '*') this.#anyHost = true;
    else if (host === '0.0.0.0' || host === '::') this.#anyAddress = true;
    else this.#hosts.add((host.includes(':') && !host.startsWith('[') ? `[${host}]` : host).toLowerCase());
  }

  accepts(token: string): boolean {
    return this.token !== undefined && [this.token, ...this.also].some((one) => equalTokens(token, one));
  }

  /** Whether a request brings the token. */
  opens(request: Request): boolean {
    return this.accepts(sentToken(request));
  }

  /** @throws Problem 403 when the request is a stranger's, 401 when it lacks the token. */
  admit(request: Request, { open = false, tokenless = false, framed = false }: Admission = {}): void {
    const { host, hostname } = new URL(request.url);
    const named = request.headers.get('host') ?? host;
    for (const name of [hostname, named.replace(/:\d*$/, '').toLowerCase()]) {
      if (!this.#knows(name)) {
        throw foreignProblem(
          `the host ${JSON.stringify(name.slice(0, 100))} is not this machine`,
          'Use the address that the mock printed, or start it with --allow-host',
        );
      }
    }
    if (open) return;
    // Whoever may register a webhook could otherwise have a mock use its own powers, or those of another one.
    if (request.headers.get(SIGNATURE_HEADER) !== null)
      throw foreignProblem('it is the delivery of a webhook', 'Register another receiver, such as /_mock/inbox/{name}');
    const origin = request.headers.get('origin');
    const welcome = this.shared(request) !== undefined;
    if (!welcome && origin !== null && origin !== `http://${named}` && origin !== `https://${named}`)
      throw foreignProblem(
        'it comes from a page of another origin',
        'Call from a program, or start the mock with --allow-origin',
      );
    const site = request.headers.get('sec-fetch-site');
    if (!welcome && site !== null && site !== 'same-origin' && site !== 'none' && !isVisit(request, framed))
      throw foreignProblem('it comes from a page of another site', 'Call from a program, or start the mock with --allow-origin');
    const opened = framed ? this.accepts(addressToken(request) ?? '') : this.opens(request);
    if (!tokenless && this.token !== undefined && !opened) {
      const says =
        'The control API asks for its token. Send Authorization: Bearer <token> or X-WM-Control-Token: the mock printed it at its start (--control-token), and that of a hosted world came with the response that created it.';
      throw new Problem(401, 'unauthorized', says);
    }
  }

  #knows(name: string): boolean {
    const isNamed = isLoopback(name) || name.endsWith('.localhost') || this.#hosts.has(name);
    return this.#anyHost || isNamed || (this.#anyAddress && ADDRESS.test(name));
  }
}

const foreignProblem = (why: string, what: string): Problem =>
  new Problem(403, 'forbidden', `The control API refuses this request: ${why}. ${what}.`);

/** Somebody follows a link to the dashboard: the page that holds the link sees nothing of the answer, and nothing is changed. */
const isVisit = ({ method, headers }: Request, framed: boolean): boolean => {
  const to = headers.get('sec-fetch-dest');
  return method === 'GET' && headers.get('sec-fetch-mode') === 'navigate' && (to === 'document' || (framed && to === 'iframe'));
};

const addressToken = ({ url }: Request): string | null => new URL(url).searchParams.get('token');

const sentToken = (request: Request): string => {
  const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const given = bearer ?? request.headers.get('x-wm-control-token') ?? addressToken(request);
  return given ?? cookieOf(request, tokenCookie(request)) ?? '';
};

/** Name of the cookie that keeps the token. Ports share their cookies: it names the port. */
export const tokenCookie = ({ url }: Request): string => `wm_mock_token_${new URL(url).port || '80'}`;

export const cookieOf = ({ headers }: Request, name: string): string | undefined => {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const [key = '', value = ''] = pair.trim().split('=', 2);
    if (key === name) return decoded(value);
  }
  return undefined;
};

/** Takes as long for a near miss as for a wild guess. */
const equalTokens = (given: string, token: string): boolean => {
  let difference = given.length ^ token.length;
  for (let i = 0; i < token.length; i++) difference |= token.charCodeAt(i) ^ (given.charCodeAt(i) || 0);
  return difference === 0;
};
