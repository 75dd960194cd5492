// Secrets of a recording that came from outside: those are masked. Values that the mock generated stay.
import { requestText } from '../../service/http/body.ts';
import { escapeRegExp, isGeneratedSecret, isSecretName } from '../../service/http/redact.ts';
import { decodeText } from '../../service/lists/query.ts';
import { parseJson } from '../../service/validation/json-text.ts';
import { SIGNATURE_HEADER } from '../../service/webhooks/sign.ts';
import { secretsDrawn } from '../../service/world/ids.ts';
import type { World } from '../../service/world/world.ts';
import type { Snapshot } from '../control/snapshot.ts';
import { readSource } from '../seed/source.ts';
import { type RecordedStep, statesOf, type WorldRecording } from './recorded-step.ts';

/** Shorter texts occur in others by chance. */
const MIN_CHARACTERS = 6;

/** A mask of the same length. */
const maskFor = (secret: string, place: number): string => {
  const start = /^[A-Za-z]{1,8}_/.exec(secret)?.[0] ?? '';
  return start + String(place + 1).padStart(Math.max(4, secret.length - start.length), 'x');
};

const inForm = (text: string): string => new URLSearchParams({ text }).toString().slice('text='.length);

export const masking = (secrets: Iterable<string>): ((text: string) => string) => {
  const known = [...new Set(secrets)].filter((one) => one.length >= MIN_CHARACTERS).sort((a, b) => b.length - a.length);
  if (known.length === 0) return (text) => text;
  const forms = new Map(
    known.flatMap((secret, i) => {
      const mask = maskFor(secret, i);
      return [secret, encodeURIComponent(secret), inForm(secret), JSON.stringify(secret).slice(1, -1)].map(
        (form) => [form, mask] as const,
      );
    }),
  );
  const pattern = new RegExp([...forms.keys()].map(escapeRegExp).join('|'), 'g');
  return (text) => text.replace(pattern, (form) => forms.get(form)!);
};

/** As sent, and decoded if possible. */
const secretsInCookies = (value: string): string[] =>
  value.split(/;\s*/).flatMap((pair) => {
    const [name, secret] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    return isSecretName(name) ? [...new Set([secret, decodeText(secret)])] : [];
  });

/** The secrets that come with a request: its token, and headers that carry one by their name. */
export const secretsIn = (headers: Iterable<readonly [string, string]>): string[] =>
  [...headers].flatMap(([name, value]) => {
    if (!isSecretName(name) || name === SIGNATURE_HEADER.toLowerCase()) return [];
    // The scheme stays: the response may depend on it.
    return name === 'cookie' ? secretsInCookies(value) : [value.replace(/^\w+\s+/, '')];
  });

interface GivenSecret {
  readonly secret: string;
  readonly kind: 'value' | 'signing' | 'url';
}

/** The password of a URL and query parameters named like secrets: as in the text, and decoded. */
export const secretsInUrl = (text: string): string[] => {
  const [, userinfo = '', query = ''] = /^https?:\/\/(?:[^/?#@]*:([^/?#@]*)@)?[^?#]*(?:\?([^#]*))?/i.exec(text) ?? [];
  const pairs = query.split('&').map((pair) => [pair.replace(/=.*/s, ''), pair.replace(/^[^=]*=?/, '')] as const);
  const values = pairs.flatMap(([name, value]) => (isSecretName(decodeText(name, true)) ? [value] : []));
  return [userinfo, ...values].flatMap((one) => [one, decodeText(one, true)]).filter((one) => one !== '');
};

/** @param ofKeys whether it defines keys, as `api_keys` of a seed does */
const givenIn = async (said: unknown, ofKeys = false): Promise<GivenSecret[]> => {
  if (typeof said !== 'object' || said === null) return [];
  const isKey = ofKeys || 'scope' in said;
  const each = Object.entries(said).map(async ([name, inner]): Promise<GivenSecret[]> => {
    if (typeof inner !== 'string') return givenIn(inner, name === 'api_keys' || (ofKeys && Array.isArray(said)));
    if (name === 'secret') return [{ secret: inner, kind: 'signing' }];
    if (name === 'value' && isKey) return [{ secret: inner, kind: 'value' }];
    if (name === 'seed') return givenIn((await readSource(inner)).value);
    return secretsInUrl(inner).map((secret) => ({ secret, kind: 'url' }));
  });
  return (await Promise.all(each)).flat();
};

const KEY_CALL_PATH = /^\/_mock\/(data\/)?keys\b/;

const givenBy = async ({ input: what }: RecordedStep): Promise<GivenSecret[]> => {
  if (!('path' in what)) return [];
  const asked = what.kind === 'request' ? secretsInUrl(`http://a${what.path}`) : [];
  const body = await givenIn(parseJson(requestText(what.body)), KEY_CALL_PATH.test(what.path));
  return [...asked.map((secret): GivenSecret => ({ secret, kind: 'url' })), ...body];
};

const valuesIn = ({ store }: World) => ({
  keys: store.keys.all().map(({ value }) => value.value),
  signing: store.webhooks.all().map(({ value }) => value.secret),
  urls: store.webhooks.all().flatMap(({ value }) => secretsInUrl(value.url)),
});

/** Without values that the mock generated: one that goes back to an earlier state generates them again. */
const valuesAmong = (states: readonly Snapshot[]) => {
  const all = states.map(({ world }) => valuesIn(world));
  const made = new Set(states.flatMap(({ world }) => secretsDrawn(world.random)));
  const given = (values: readonly string[]) => values.filter((one) => !made.has(one));
  const sent = states.flatMap(({ webhooks }) => webhooks?.deliveries.list() ?? []).flatMap(({ url }) => secretsInUrl(url));
  return {
    keys: given(all.flatMap(({ keys }) => keys)),
    signing: given(all.flatMap(({ signing }) => signing)),
    urls: [...all.flatMap(({ urls }) => urls), ...sent],
  };
};

/** @param world as it is now @returns what hides the secrets, and whether signatures can still be the same */
export const maskOf = async ({ root, origins, start, steps }: WorldRecording, world: World, more: readonly string[]) => {
  const before = start ? valuesAmong(statesOf(start)) : valuesIn(origins.get(root)!.world);
  const there = new Set([world, ...[...origins.values()].map((one) => one.world)].flatMap((one) => valuesIn(one).keys));
  for (const key of before.keys) there.delete(key);
  const responded = steps.flatMap(({ response: one, until }) => (one ? [{ text: one.text, until: until! }] : []));
  const said = (what: string, n: number) => responded.some(({ text, until }) => until < n && text.includes(what));
  const makings = steps.flatMap(({ n, made }) => {
    const origin = made && origins.get(made.id);
    return origin ? [{ n, keys: valuesIn(origin.world).keys }] : [];
  });
  /** A supplied value may be one that the mock generated and showed before: a key, a signing secret, an id in an address. */
  const wasMade = ({ secret, kind }: GivenSecret, at: number) => {
    if (kind === 'url') return said(`"id":${JSON.stringify(secret)}`, at);
    return isGeneratedSecret(secret) && (said(secret, at) || makings.some(({ n, keys }) => n < at && keys.includes(secret)));
  };
  const given = await Promise.all(steps.map(async (one) => (await givenBy(one)).filter((secret) => !wasMade(secret, one.n))));
  const all = given.flat();
  const sent = steps
    .flatMap(({ input: what }) => ('headers' in what ? secretsIn(Object.entries(what.headers)) : []))
    .filter((one) => !there.has(one) && !(isGeneratedSecret(one) && said(one, Number.POSITIVE_INFINITY)));
  const mask = masking([...before.keys, ...before.signing, ...before.urls, ...more, ...all.map(({ secret }) => secret), ...sent]);
  const signing = [...before.signing, ...all.flatMap(({ kind, secret }) => (kind === 'signing' ? [secret] : []))].join();
  return { mask, signed: mask(signing) === signing };
};
