// Which texts of a recording are secrets that someone supplied: those are masked. Values that the mock generated stay.
import { isGeneratedSecret, isSecretName } from '../../service/http/redact.ts';
import { decoded } from '../../service/world/decoded.ts';
import type { World } from '../../service/world/world.ts';
import { parseJson, readSeedText } from '../seed/seed-text.ts';
import { masking, secretsIn } from './file.ts';
import { type Kept, madeBy, type Taken } from './taken.ts';

interface Given {
  readonly secret: string;
  readonly kind: 'value' | 'signing' | 'url';
}

/** The password of a URL and query parameters named like secrets: as written, and decoded. */
export const secretsInUrl = (text: string): string[] => {
  const [, userinfo = '', query = ''] = /^https?:\/\/(?:[^/?#@]*:([^/?#@]*)@)?[^?#]*(?:\?([^#]*))?/i.exec(text) ?? [];
  const pairs = query.split('&').map((pair) => [pair.replace(/=.*/s, ''), pair.replace(/^[^=]*=?/, '')] as const);
  const values = pairs.flatMap(([name, value]) => (isSecretName(decoded(name, true)) ? [value] : []));
  return [userinfo, ...values].flatMap((one) => [one, decoded(one, true)]).filter((one) => one !== '');
};

/** @param ofKeys whether it defines keys, as `api_keys` of a seed does */
const givenIn = async (said: unknown, ofKeys = false): Promise<Given[]> => {
  if (typeof said !== 'object' || said === null) return [];
  const isKey = ofKeys || 'scope' in said;
  const each = Object.entries(said).map(async ([name, inner]): Promise<Given[]> => {
    if (typeof inner !== 'string') return givenIn(inner, name === 'api_keys' || (ofKeys && Array.isArray(said)));
    if (name === 'secret') return [{ secret: inner, kind: 'signing' }];
    if (name === 'value' && isKey) return [{ secret: inner, kind: 'value' }];
    if (name === 'seed') return givenIn((await readSeedText(inner)).value);
    return secretsInUrl(inner).map((secret) => ({ secret, kind: 'url' }));
  });
  return (await Promise.all(each)).flat();
};

/** A parsed body: JSON, or a form, whose fields may hold JSON. */
const saidIn = (text: string): unknown =>
  parseJson(text) ?? Object.fromEntries([...new URLSearchParams(text)].map(([name, value]) => [name, parseJson(value) ?? value]));

const KEYS = /^\/_mock\/(data\/)?keys\b/;

const givenBy = async ({ what }: Taken): Promise<Given[]> => {
  if (what.kind === 'call') return givenIn(what.given, /\.key$/.test(what.call));
  if (!('path' in what)) return [];
  const asked = what.kind === 'request' ? secretsInUrl(`http://a${what.path}`) : [];
  const body = what.body && 'text' in what.body ? await givenIn(saidIn(what.body.text), KEYS.test(what.path)) : [];
  return [...asked.map((secret): Given => ({ secret, kind: 'url' })), ...body];
};

const valuesIn = ({ store }: World) => ({
  keys: store.keys.all().map(({ value }) => value.value),
  signing: store.webhooks.all().map(({ value }) => value.secret),
  urls: store.webhooks.all().flatMap(({ value }) => secretsInUrl(value.url)),
});

/** @param world as it is now @returns what hides the secrets, and whether signatures can still be the same */
export const maskOf = async ({ root, origins, taken }: Kept, world: World, more: readonly string[]) => {
  const before = valuesIn(origins.get(root)!.world);
  const there = new Set([world, ...[...origins.values()].map((one) => one.world)].flatMap((one) => valuesIn(one).keys));
  for (const key of before.keys) there.delete(key);
  const responded = taken.flatMap(({ responded: one, until }) => (one ? [{ text: one.text, until: until! }] : []));
  const said = (what: string, n: number) => responded.some(({ text, until }) => until < n && text.includes(what));
  const makings = taken.flatMap((one) => {
    const origin = origins.get(madeBy(one)?.id ?? '');
    return origin ? [{ n: one.n, keys: valuesIn(origin.world).keys }] : [];
  });
  /** A supplied value may be one that the mock generated and showed before: a key, a signing secret, an id in an address. */
  const wasMade = ({ secret, kind }: Given, at: number) => {
    if (kind === 'url') return said(`"id":${JSON.stringify(secret)}`, at);
    return isGeneratedSecret(secret) && (said(secret, at) || makings.some(({ n, keys }) => n < at && keys.includes(secret)));
  };
  const given = await Promise.all(taken.map(async (one) => (await givenBy(one)).filter((secret) => !wasMade(secret, one.n))));
  const all = given.flat();
  const sent = taken
    .flatMap(({ what }) => ('headers' in what ? secretsIn(Object.entries(what.headers)) : []))
    .filter((one) => !there.has(one) && !(isGeneratedSecret(one) && said(one, Number.POSITIVE_INFINITY)));
  const mask = masking([...before.keys, ...before.signing, ...before.urls, ...more, ...all.map(({ secret }) => secret), ...sent]);
  const signing = [...before.signing, ...all.flatMap(({ kind, secret }) => (kind === 'signing' ? [secret] : []))].join();
  return { mask, signed: mask(signing) === signing };
};
