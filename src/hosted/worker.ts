// The worker in front of the objects: routes each request to its world, and creates and deletes tenants for the owner.
//
// `resolve-world.ts` finds the world by path or key, and the worker calls its object. `hosted-world.ts` opens it: its shelf
// names the initial snapshot, which `origins.ts` loads by content hash. Changes are written before the response goes out; the
// next due time becomes the object's alarm. `directory.ts` is consulted when a world is first opened, listed or deleted, and
// gets its usage every ten seconds; it alone decides that a world is idle, because it knows the worlds forked from it. Tokens
// and keys of a world are derived from the owner's token (`tokens.ts`), not stored. Only the engine calls `objects.ts`;
// tests run both on a small engine in one process.
import { startOf, toSeed } from '../mock/api/create.ts';
import { errorResponse, refuse } from '../mock/control/call.ts';
import { plantSeed } from '../mock/control/snapshot.ts';
import { refuseFindings } from '../mock/control/validate.ts';
import { SeedError } from '../mock/seed/seed-error.ts';
import { Problem } from '../service/contract/errors.ts';
import { readBody } from '../service/http/body.ts';
import { bearerOf } from '../service/http/identify.ts';
import { isBelow, rawPath } from '../service/http/paths.ts';
import { check, type Validate } from '../service/validation/check.ts';
import { readJsonText, TEXT_FAULTS } from '../service/validation/json-text.ts';
import { named } from './engine.ts';
import { createDerive, type Env, readHostedOptions } from './env.ts';
import { openHostedWorld } from './open-world.ts';
import type { TenantDraft, TenantPatch } from './options.ts';
import { SharedOrigins } from './origins.ts';
import { readPath, resolveWorld } from './resolve-world.ts';
import { MIN_TOKEN_LENGTH, tokenOf } from './tokens.ts';
import { TenantDraft as draft, TenantPatch as patch } from './validators.generated.ts';

/** The directory of the tenants; not a valid tenant id. */
const ALL = '~';
const MAX_DRAFT_BYTES = 64 * 1_048_576;
/** How many records a seed may generate. */
const MAX_GENERATED_RECORDS = 200_000;

const json = (value: unknown, status = 200): Response =>
  Response.json(value, { status, headers: { 'cache-control': 'no-store' } });

const notFound = (what: string): Problem =>
  new Problem(
    404,
    'not_found',
    `${what} A world is at /worlds/{id}/v1, its dashboard at /worlds/{id}/. docs/hosted.md of wm-mock says more.`,
  );

/** @throws Problem 401 or 503 unless the request brings the owner's token */
const admit = async ({ headers }: Request, env: Env): Promise<void> => {
  const { WM_OWNER_TOKEN: owner = '' } = env;
  if (owner.length < MIN_TOKEN_LENGTH) {
    const says = `This service has no owner: WM_OWNER_TOKEN is not set, or has fewer than ${MIN_TOKEN_LENGTH} characters. Set it as a secret of the worker; docs/hosted.md of wm-mock says how.`;
    throw new Problem(503, 'service_unavailable', says);
  }
  const given = bearerOf(headers.get('authorization') ?? undefined) ?? '';
  const derive = createDerive(env);
  // Compares derived values, so that timing reveals nothing about the token.
  if ((await derive(`owner ${given}`)) !== (await derive(`owner ${owner}`)))
    throw new Problem(401, 'unauthorized', "Tenants are for the owner. Send Authorization: Bearer with the owner's token.");
};

/** @throws Problem 400, 413 or 422 naming each field */
const readBodyText = async <T>(request: Request, validate: unknown): Promise<T> => {
  const read = await readBody(request, { max: MAX_DRAFT_BYTES });
  if ('fault' in read)
    throw new Problem(413, 'payload_too_large', `The body is ${read.fault}. Send at most ${MAX_DRAFT_BYTES} bytes.`);
  const { value: body, fault } = readJsonText(read.text);
  if (fault) throw new Problem(400, 'validation_error', `The body ${TEXT_FAULTS[fault]}.`);
  refuseFindings(check(validate as Validate, body), 422);
  return body as T;
};

const plant = async (seed: TenantDraft['seed'], now: TenantDraft['now']) => {
  let field = 'now';
  try {
    if (now !== undefined) startOf(now);
    field = 'seed';
    return plantSeed(
      await toSeed(
        { ...(seed !== undefined && { seed }), ...(now !== undefined && { now }) },
        { mostGenerated: MAX_GENERATED_RECORDS },
      ),
    );
  } catch (error) {
    if (error instanceof SeedError || error instanceof RangeError)
      return refuse([{ field, issue: error.message.replace(/^now: /, '') }]);
    throw error;
  }
};

const createTenant = async (request: Request, env: Env): Promise<Response> => {
  const { id, seed, now, ...quotas } = await readBodyText<TenantDraft>(request, draft);
  const origin = await plant(seed, now);
  const all = named(env.DIRECTORY, ALL);
  const serial = await all.enrol(id);
  if (serial === undefined) return refuse([{ field: 'id', issue: 'is taken' }], 409);
  const directory = named(env.DIRECTORY, id);
  // Deletes the remains of an earlier attempt.
  await directory.close();
  await directory.begin(id, serial, quotas);
  const at = readHostedOptions(env).url ?? new URL(request.url).origin;
  const made = await openHostedWorld(env, new SharedOrigins(env, id), { under: undefined, name: id, origin, mint: false, at });
  await all.enrolled(id);
  return json({ ...made, base_url: `${at}/worlds/${id}/v1`, control_url: `${at}/worlds/${id}/_mock` }, 201);
};

const showDirectoryWorld = async (env: Env, id: string) => {
  const directory = named(env.DIRECTORY, id);
  const birth = await directory.birth(id);
  return { id, ...(birth && { token: await tokenOf(createDerive(env), birth.line.at(-1)!) }), ...(await directory.use()) };
};

const administer = async (request: Request, env: Env, path: string): Promise<Response> => {
  if (path === '/_hosted/health') return json({ status: 'ok', start: env.WM_START ?? undefined });
  await admit(request, env);
  const all = named(env.DIRECTORY, ALL);
  const [, , what, id] = path.split('/');
  const call = `${request.method} ${what}${id === undefined ? '' : '/{id}'}`;
  if (call === 'POST tenants') return createTenant(request, env);
  if (call === 'GET tenants') {
    const ids = await all.tenants();
    return json({ items: await Promise.all(ids.map((one) => showDirectoryWorld(env, one))) });
  }
  if (call === 'PATCH tenants/{id}' && id !== undefined && (await all.tenants()).includes(id)) {
    await named(env.DIRECTORY, id).grant(await readBodyText<TenantPatch>(request, patch));
    return json(await showDirectoryWorld(env, id));
  }
  if (call === 'DELETE tenants/{id}' && id !== undefined && (await all.tenants()).includes(id)) {
    await named(env.DIRECTORY, id).close();
    await all.deleteTenant(id);
    return new Response(null, { status: 204 });
  }
  throw notFound(
    `There is no ${request.method} ${path}: use POST or GET /_hosted/tenants, or PATCH or DELETE /_hosted/tenants/{id} of an existing one.`,
  );
};

/** The request as its world gets it: at the public address, with the path that names it. */
const withPublicUrl = (path: string, request: Request, url: string | undefined): Request => {
  if (url === undefined && path === rawPath(request.url)) return request;
  const { origin, search } = new URL(request.url);
  return new Request(`${url ?? origin}${path}${search}`, request);
};

const PLAIN = /^(application\/json|text\/event-stream|text\/plain)(; ?charset=[\w-]+)?$/i;
/** Headers that tell a browser or a proxy nothing about the origin. Any other may: it is left out. */
const HARMLESS =
  /^(access-control-.+|allow|cache-control|content-(disposition|encoding|language|length|range|type)|date|deprecation|etag|expires|last-modified|location|retry-after|server|sunset|vary|via|x-(?!accel|sendfile|reproxy|lighttpd|litespeed|frame|webkit|content-security).+)$/;

const isHarmless = ([name, value]: [string, string]): boolean =>
  HARMLESS.test(name) || (name === 'www-authenticate' && /^Bearer( [^,]*)?$/i.test(value));

/** A fault may order any response, and all dashboards share an origin: only our own pages may run scripts there. */
const sandboxResponse = (path: string, response: Response): Response => {
  if (!isBelow('/v1', path) && !isBelow('/_mock', path)) return response;
  const type = response.headers.get('content-type') ?? (response.body ? 'unknown' : 'text/plain');
  const headers = [...response.headers].filter(isHarmless);
  if (PLAIN.test(type) && headers.length === [...response.headers].length) return response;
  const safe = [...headers, ['content-security-policy', 'sandbox'], ['x-content-type-options', 'nosniff']];
  const { body, status, statusText } = response;
  return new Response(body, { status, statusText, headers: safe as [string, string][] });
};

/** Passes a request to the object of its world. */
export const routeRequest = async (request: Request, env: Env): Promise<Response> => {
  try {
    const path = readPath(request);
    const { url } = readHostedOptions(env);
    if (path.startsWith('/_hosted/')) return await administer(request, env, path);
    const asset = path.startsWith('/dashboard/assets/') ? (await import('../dashboard/respond.ts')).findAsset(path) : undefined;
    if (asset) return asset;
    const target = resolveWorld(request, path);
    if (!target) throw notFound('Neither the address nor the key names a world.');
    if (request.headers.has('service-worker')) throw notFound('No script of a service worker is served here.');
    const { world, path: inside = path } = target;
    const response = await named(env.WORLDS, world).fetch(withPublicUrl(inside, request, url));
    if (response.status === 404 && response.headers.has(ABSENT)) throw notFound(`No world has the id ${JSON.stringify(world)}.`);
    return sandboxResponse(inside, response);
  } catch (error) {
    return errorResponse(error);
  }
};

/** An object's response when there is no world in it. */
export const ABSENT = 'x-wm-absent';
