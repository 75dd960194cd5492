// What a reader needs to believe and repeat a finding: the request, the answer, and a curl line with names for the keys.
import type { Exchange } from './exchange.ts';
import type { Finding } from './recorder.ts';
import type { Redactor } from './redact.ts';

export interface Evidence {
  readonly check: string;
  readonly message: string;
  readonly exchanges: readonly { request: string; curl: string; status: number; headers: Record<string, string>; body: string }[];
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const cut = (text: string) => (text.length > 2000 ? `${text.slice(0, 2000)}… (${text.length} characters)` : text);

const KEY_NAMES = {
  admin: '$WM_API_KEY_ADMIN',
  write: '$WM_API_KEY_WRITE',
  read: '$WM_API_KEY_READ',
  revoked: '$WM_API_KEY_REVOKED',
  other: '$WM_API_KEY_OTHER_WORKSPACE',
  nobody: '',
} as const;

export const curl = (x: Exchange): string => {
  const parts = ['curl -sS -i', ...(x.method === 'GET' ? [] : [`-X ${x.method}`])];
  const path = `${x.path}${x.query ? `?${x.query}` : ''}`;
  parts.push(`"$WM_BASE_URL"${quote(path)}`, ...(/[[\]{}]/.test(path) ? ['-g'] : []));
  for (const [name, value] of Object.entries(x.requestHeaders)) {
    if (name.toLowerCase() === 'accept') continue;
    const key = name.toLowerCase() === 'authorization' && x.as !== 'nobody' ? KEY_NAMES[x.as] : '';
    parts.push(key ? `-H "Authorization: Bearer ${key}"` : `-H ${quote(`${name}: ${value}`)}`);
  }
  if (x.requestBody !== undefined) parts.push(`--data-raw ${quote(x.requestBody)}`);
  return parts.join(' ');
};

const SHOWN = ['content-type', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after', 'date'];

export const evidenceOf = (finding: Finding, redactor: Redactor): Evidence => ({
  check: finding.check,
  message: redactor.clean(cut(finding.message)),
  exchanges: finding.exchanges.slice(0, 3).map((x) => ({
    request: redactor.clean(`${x.method} ${x.path}${x.query ? `?${x.query}` : ''}`),
    curl: redactor.clean(curl(x)),
    status: x.status,
    headers: Object.fromEntries(
      SHOWN.flatMap((name) => {
        const value = x.headers.get(name);
        return value === null ? [] : [[name, redactor.clean(value)]];
      }),
    ),
    body: redactor.clean(cut(x.text)),
  })),
});
