// Responses of the dashboard: pages with their policy, assets, redirects; and reading a form.
import { Problem } from '../service/contract/errors.ts';
import { MAX_BODY_BYTES } from '../service/contract/limits.ts';
import { readBody, tooManyBodiesProblem } from '../service/http/body.ts';
import { PALETTE, PREVIEW, SCRIPT, STYLE } from './assets.generated.ts';

const writePolicy = (ancestors: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    `frame-ancestors ${ancestors.join(' ')}`,
    "base-uri 'none'",
  ].join('; ');

const SAFE_HEADERS = {
  'content-security-policy': writePolicy(["'none'"]),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Without a referrer the browser would send forms with `Origin: null`.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/** @param framers origins whose pages may frame this one; without them none may */
export const respondHtml = (text: string, status = 200, framers?: readonly string[]): Response => {
  const headers = new Headers({ ...SAFE_HEADERS, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  if (framers) {
    headers.delete('x-frame-options');
    headers.set('content-security-policy', writePolicy(["'self'", ...framers]));
  }
  return new Response(text, { status, headers });
};

const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/;

/** Compresses a page for a client that accepts that; browsers never say so to a service worker. */
export const compress = (response: Response, request: Request): Response => {
  if (!response.body || !ACCEPTS_GZIP.test(request.headers.get('accept-encoding') ?? '')) return response;
  const headers = new Headers(response.headers);
  headers.set('content-encoding', 'gzip');
  headers.set('vary', 'accept-encoding, wm-mock-part');
  return new Response(response.body.pipeThrough(new CompressionStream('gzip')), { status: response.status, headers });
};

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><rect width="20" height="20" rx="5" fill="#3a53d0"/><path d="M5 7l2.5 6L10 8.5 12.5 13 15 7" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

export const ASSETS: Readonly<Record<string, readonly [text: string, type: string]>> = {
  '/dashboard/assets/style.css': [STYLE, 'text/css; charset=utf-8'],
  '/dashboard/assets/script.js': [SCRIPT, 'text/javascript; charset=utf-8'],
  '/dashboard/assets/palette.js': [PALETTE, 'text/javascript; charset=utf-8'],
  '/dashboard/assets/preview.js': [PREVIEW, 'text/javascript; charset=utf-8'],
  '/dashboard/assets/icon.svg': [ICON, 'image/svg+xml'],
  '/favicon.ico': [ICON, 'image/svg+xml'],
};

export const findAsset = (path: string): Response | undefined => {
  if (!Object.hasOwn(ASSETS, path)) return undefined;
  const [text, type] = ASSETS[path]!;
  return new Response(text, { headers: { ...SAFE_HEADERS, 'content-type': type, 'cache-control': 'no-cache' } });
};

export const redirect = (to: string, cookies: readonly string[] = []): Response => {
  const headers = new Headers({ location: to, 'cache-control': 'no-store' });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers });
};

export const missingProblem = (says: string): Problem => new Problem(404, 'not_found', says);

/** A path of this origin and nothing else. */
export const readBackPath = (back: string | null): string =>
  back !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(back) ? back : '/';

/** The fields of a posted form. @throws Problem 400, 413, 415 */
export const readForm = async (request: Request, reading: Parameters<typeof readBody>[1]): Promise<URLSearchParams> => {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new Problem(415, 'unsupported_media_type', 'The dashboard takes forms as application/x-www-form-urlencoded alone.');
  const body = await readBody(request, reading);
  if ('text' in body) return new URLSearchParams(body.text);
  if (body.fault === 'too large') throw new Problem(413, 'payload_too_large', `A form has at most ${MAX_BODY_BYTES} bytes.`);
  if (body.fault === 'too many') throw tooManyBodiesProblem();
  throw new Problem(400, 'validation_error', 'The form must be UTF-8.');
};
