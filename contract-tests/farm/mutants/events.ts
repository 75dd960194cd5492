// Faults of events that show only when every write of a run is followed to every registration, and of what a registration refuses.
import { type Mutant, mutant, seeded } from '../mutant.ts';
import { after, before, both, is, type Loose, ok, type Seen, type Wrap } from '../wrap.ts';

const registers = is('POST /webhooks');
const HTTPS = 'https://hooks.example.com/accepted';

/** A registration that should be refused is taken as if it were in order. */
const lenient = (test: (body: Loose, call: Seen) => boolean, mend: (body: Loose) => object): Wrap =>
  before(
    (call) => registers(call) && test(call.body, call),
    ({ body }) => ({ body: { ...(Array.isArray(body) ? {} : body), ...mend(body) } }),
  );

const posted = (id: string, clauses: string, wrap: Wrap): Mutant => ({
  ...mutant(undefined, id, clauses, wrap),
  allow: ['webhooks'],
  // There the suite has no receiver that may be registered.
  hiddenBy: { 'webhook-url': ['https-only', 'public-https'] },
});

const isText = (value: unknown) => typeof value === 'string';

const registrations: readonly Mutant[] = [
  posted(
    'hook-url-in-a-list',
    'HOOK-003',
    lenient(
      (body) => Array.isArray(body?.url),
      (body) => ({ url: body.url[0] }),
    ),
  ),
  posted(
    'hook-one-event-as-text',
    'HOOK-008',
    lenient(
      (body) => isText(body?.events),
      (body) => ({ events: [body.events] }),
    ),
  ),
  posted(
    'hook-drops-odd-events',
    'HOOK-013',
    lenient(
      (body) => Array.isArray(body?.events) && !body.events.every(isText),
      (body) => ({ events: body.events.filter(isText) }),
    ),
  ),
  posted(
    'hook-url-optional',
    'HOOK-001',
    lenient(
      (body) => body !== undefined && !Array.isArray(body) && body.url === undefined,
      () => ({ url: HTTPS }),
    ),
  ),
  posted(
    'hook-over-ftp',
    'HOOK-002',
    lenient(
      (body) => /^ftp:/.test(body?.url),
      () => ({ url: HTTPS }),
    ),
  ),
  posted(
    'hook-over-http',
    'HOOK-002',
    lenient(
      (body) => /^http:..hooks/.test(body?.url),
      () => ({ url: HTTPS }),
    ),
  ),
  posted(
    'hook-url-empty',
    'HOOK-014',
    lenient(
      (body) => body?.url === '',
      () => ({ url: HTTPS }),
    ),
  ),
  posted(
    'hook-url-any-text',
    'HOOK-014',
    lenient(
      (body) => isText(body?.url) && !URL.canParse(body.url) && body.url !== '',
      () => ({ url: HTTPS }),
    ),
  ),
  posted(
    'hook-body-a-list',
    'ERR-027',
    lenient(
      (body) => Array.isArray(body),
      () => ({ url: HTTPS, events: ['task.deleted'] }),
    ),
  ),
  posted(
    'hook-body-broken',
    'ERR-032',
    lenient(
      (body, { raw }) => body === undefined && raw !== undefined,
      () => ({ url: HTTPS, events: ['task.deleted'] }),
    ),
  ),
  posted(
    'hook-by-readers',
    'SCOPE-013',
    after(
      (call, { status }) => registers(call) && status === 403 && /\/refused\b/.test(call.body?.url),
      (answer) => Object.assign(answer, { status: 201, json: { data: { secret: 'of-a-reader' } } }),
    ),
  ),
  posted('hook-secret-by-address', 'HOOK-012', () => {
    const secrets = new Map<string, string>();
    return async (call, next) => {
      const answer = await next(call);
      const shown = answer.json?.data?.secret === undefined ? answer.json : answer.json.data;
      if (!registers(call) || shown?.secret === undefined) return answer;
      const known = secrets.get(call.body.url) ?? shown.secret;
      secrets.set(call.body.url, known);
      shown.secret = known;
      return answer;
    };
  }),
  posted(
    'hook-shows-one-event',
    'HOOK-015',
    after(both(registers, ok), (a, { body }) => {
      (a.json.data ?? a.json).events = body.events?.slice(0, 1);
    }),
  ),
  posted('hook-secret-of-the-first', 'HOOK-012', () => {
    let secret: string | undefined;
    return async (call, next) => {
      const answer = await next(call);
      const shown = answer.json?.data?.secret === undefined ? answer.json : answer.json.data;
      if (!registers(call) || shown?.secret === undefined) return answer;
      secret ??= shown.secret;
      shown.secret = secret;
      return answer;
    };
  }),
];

const events: readonly Mutant[] = [
  ['event-not-by-admin', 'EVT-001 EVT-004'],
  ['event-by-action', 'EVT-026'],
  ['event-by-resource', 'EVT-026'],
  ['event-to-the-first', 'EVT-036'],
  ['event-twice', 'EVT-037'],
  ['event-deleted-twice', 'EVT-037'],
  ['event-touches-project', 'EVT-033'],
  ['event-for-titles', 'EVT-002'],
  ['event-for-names', 'EVT-005'],
  ['event-on-refused-patch', 'EVT-027'],
  ['event-on-refused-delete', 'EVT-027'],
  ['event-on-read', 'EVT-033 EVT-027'],
  ['event-rendered-late', 'EVT-024 DLV-019'],
  ['event-rendered-again', 'DLV-019'],
  ['event-old-project', 'EVT-024'],
  ['event-gone-is-bare', 'EVT-023'],
  ['event-gone-is-a-status', 'EVT-024'],
  ['event-nobody-assigned', 'EVT-024'],
  ['event-status-shouts', 'EVT-024'],
  ['event-wrong-project', 'EVT-024'],
  ['event-ascii', 'EVT-024'],
  ['event-short-text', 'EVT-024'],
  ['event-born-with-record', 'EVT-035'],
  ['event-hour-off', 'EVT-035'],
  ['event-zone', 'EVT-020'],
  ['event-id-number', 'EVT-017'],
  ['event-tells-secret', 'EVT-038'],
  ['event-tells-key', 'EVT-038'],
  ['event-one-secret', 'EVT-015'],
  ['event-signs-time', 'EVT-014'],
  ['event-signs-retry-badly', 'EVT-034'],
  ['event-gone-is-final', 'DLV-004'],
  ['event-busy-is-final', 'DLV-004'],
  ['event-moved-is-final', 'DLV-005'],
  ['event-odd-success-fails', 'DLV-002'],
].map(([fault, clauses]) => seeded(undefined, fault!, clauses!));

export const eventMutants: readonly Mutant[] = [...registrations, ...events];
