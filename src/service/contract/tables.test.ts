// The tables that no document shows whole, and the small questions that are asked of them.
import { describe, expect, test } from 'vitest';
import { hostKind, namesHost, receiverProblem } from '../validation/receiver-url.ts';
import { contractAt } from './at-release.ts';
import { CHOICES, choiceProblems, choose, DEFAULT_CHOICES } from './choices.ts';
import { eventOf } from './events.ts';
import { draft, since } from './fields.ts';
import * as forward from './forward.ts';
import { OPERATION_IDS } from './operations.ts';
import * as releases from './releases.ts';
import { COMPONENTS } from './resources.ts';
import { array, string } from './schema.ts';
import { covers, SCOPES } from './states.ts';
import { termsOf } from './terms.ts';

// biome-ignore lint/suspicious/noExplicitAny: a schema that is looked into at will.
type Loose = any;

test('every release has a date and a version of its own; the newest is the last of them', () => {
  const rows = Object.values(releases.RELEASES);
  expect(rows.every(({ date }) => /^[A-Z][a-z]+ 20\d\d$/.test(date))).toBe(true);
  expect(rows.map(({ version }) => version)).toEqual(releases.RELEASE_NAMES.map((name) => `${name}.0`));
  expect(releases.LATEST).toBe(releases.RELEASE_NAMES.at(-1));
});

test('a component that a release does not change is the same object as in the one after it', () => {
  const same = (a: releases.Release, b: releases.Release) =>
    Object.keys(COMPONENTS).filter((name) => contractAt(a).components[name] === contractAt(b).components[name]);
  expect(Object.keys(COMPONENTS).filter((name) => !same('1.2', '1.3').includes(name))).toEqual(
    'Task TaskDraft TaskPatch TaskResponse TaskList'.split(' '),
  );
  expect(Object.keys(COMPONENTS).filter((name) => !same('1.1', '1.2').includes(name))).toEqual(
    'Webhook WebhookDraft WebhookResponse EventName'.split(' '),
  );
  expect(contractAt('1.1')).toBe(contractAt('1.1'));
  expect(contractAt()).toBe(contractAt(releases.LATEST));
  expect(Object.keys(contractAt().operations)).toEqual(OPERATION_IDS);
});

test('a span holds from the release that brought it to before the one that took it away', () => {
  const within = (span: releases.Span) => releases.RELEASE_NAMES.filter((release) => releases.isIn(span, release));
  expect(within({ since: '1.0.0' })).toEqual(releases.RELEASE_NAMES);
  expect(within({ since: 'next' })).toEqual([]);
  expect(releases.isIn({ since: 'next' }, 'next')).toBe(true);
  expect(within({ since: '1.1.0' })).toEqual(releases.RELEASE_NAMES.slice(1));
  expect(within({ since: '1.0.0', until: '1.2.0' })).toEqual(['1.0', '1.1']);
  expect(within({ since: '1.1.0', until: '1.2.0' })).toEqual(['1.1']);
});

test('a release is known by name, number and version, and by nothing else', () => {
  const known = ['1.0', 1, 1.1, '1.2.0', 'v1.2.0', 'v1.3', 1.04].map(releases.releaseNamed);
  expect(known).toEqual(['1.0', '1.0', '1.1', '1.2', '1.2', '1.3', '1.0']);
  expect(['1', 'vv1.2', '1.2v', 'x1.2', '1.2.1', 2, null, undefined, {}].map(releases.releaseNamed).filter(Boolean)).toEqual([]);
});

const first = since('1.0.0');

describe('events', () => {
  test.each([
    ['users', undefined, { state: 'invited' }, 'member.invited'],
    ['users', { state: 'invited' }, { state: 'joined' }, 'member.joined'],
    ['users', undefined, { state: 'joined' }, undefined],
    ['users', { state: 'invited' }, { state: 'invited' }, undefined],
    ['users', { state: 'joined' }, { state: 'joined' }, undefined],
    ['users', { state: 'invited' }, undefined, undefined],
    ['users', { state: 'joined' }, { state: 'invited' }, undefined],
    ['tasks', undefined, {}, 'task.created'],
    ['tasks', {}, {}, 'task.updated'],
    ['tasks', {}, undefined, 'task.deleted'],
    ['projects', undefined, {}, 'project.created'],
    ['projects', {}, {}, 'project.updated'],
    ['projects', {}, undefined, 'project.deleted'],
    ['teams', undefined, {}, undefined],
    ['webhooks', {}, {}, undefined],
    ['comments', {}, undefined, undefined],
  ])('%s from %j to %j announces %s', (collection, before, after, event) => {
    expect(eventOf(collection, before, after)).toBe(event);
  });
});

const HOSTS = `
  localhost xlocalhost localhostx a.localhost 127.0.0.1 127.255.255.255 128.0.0.1 [::1] [::] [::2] [2001:db8::1]
  [fc00::1] [fd12::1] [fe80::1] [fe90::1] [fea0::1] [feb0::1] [fec0::1] [fb00::1] 0.0.0.1 1.2.3.4 10.0.0.1 110.0.0.1
  100.0.0.1 169.254.1.1 169.253.1.1 169.255.1.1 192.168.0.1 192.167.0.1 192.169.0.1 172.15.0.1 172.16.0.1 172.19.0.1
  172.20.0.1 172.29.0.1 172.30.0.1 172.31.0.1 172.32.0.1 100.63.0.1 100.64.0.1 100.69.0.1 100.70.0.1 100.99.0.1
  100.100.0.1 100.119.0.1 100.120.0.1 100.127.0.1 100.128.0.1 example.com example printer.local local.example.com
  a.internal a.test a.test.com a.invalid a.home.arpa a.homexarpa.com x127.0.0.1.com 10.example.com
`
  .trim()
  .split(/\s+/);

test('which addresses may receive events, by policy', async () => {
  const policies = ['loopback-too', 'https-only', 'public-https'] as const;
  const urls = [
    ...HOSTS.flatMap((host) => [`https://${host}/x`, `http://${host}:81`]),
    ...'x  ftp://localhost ftp://example.com HTTPS://EXAMPLE.COM https:// https:example.com https:/example.com'.split(' '),
    ...['https:///example.com', ' https://example.com', 'https://example.com ', 'https://example.com/a b'],
    ...['https://ex\nample.com', 'https://example.com/\u0000', 'https:\\\\example.com', 'https://\\example.com'],
    ...'https://exämple.com/ü https://ada@example.com https://ada:secret@example.com https://:secret@example.com'.split(' '),
    ...['http://ada@localhost', 'https://example.com/@ada?to=ada@example.com'],
  ];
  const verdicts = new Map<string, string[]>();
  for (const url of urls) {
    const verdict = policies.map((policy) => receiverProblem(url, policy) ?? 'fine').join(' | ');
    verdicts.set(verdict, [...(verdicts.get(verdict) ?? []), url.replace(/\p{Cc}/u, escape)]);
  }
  const sections = [...verdicts].map(([verdict, list]) => `# ${verdict}\n${list.join('  ')}\n`);
  await expect(sections.join('')).toMatchFileSnapshot('golden/receivers.txt');
});

test('a host of a receiver is of one kind, however it is spelled', () => {
  const kinds = {
    loopback: `localhost localhost. LOCALHOST app.localhost a.b.localhost. ⓛocalhost localhost%2e 127.0.0.1 127.0.0.1. 127.1
      127.255.255.254 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 １２７.0.0.1 0.0.0.0 0 0x0 [::1] [0:0:0:0:0:0:0:1] [::]
      [::ffff:127.0.0.1] [::FFFF:7f00:1] [::ffff:0.0.0.0]`,
    special: 'receiver hook.local hook.local. hook.internal hook.test x.onion localhostx xlocalhost a.home.arpa',
    private: `10.0.0.1 0x0a000001 10.1 192.168.1.1 169.254.169.254 [::ffff:169.254.169.254] 100.64.0.1 0.0.0.1 255.255.255.255
      [fc00::1] [fe80::1] [64:ff9b::7f00:1] [2002:7f00:1::] [::ffff:0:7f00:1] [2001:db8::1]`,
    public:
      'example.com example.com. 1.1.1.1 0x01010101 [2001:4860:4860::8888] [::ffff:1.1.1.1] localhost.example.com 127.0.0.1.nip.io',
  };
  for (const [kind, hosts] of Object.entries(kinds))
    for (const host of hosts.trim().split(/\s+/)) expect(hostKind(new URL(`http://${host}`).hostname), host).toBe(kind);
  expect(namesHost(['hooks.example.com'], 'hooks.example.com.') && namesHost(['::2'], '[::2]')).toBe(true);
  expect(namesHost(['localhost'], '127.1.1.1') && !namesHost(['localhost.'], 'example.com')).toBe(true);
});

describe('changes that v1 allows', () => {
  const all = ['fields', 'enums', 'messages', 'endpoints', 'headers', 'order'];
  test.each<[unknown, readonly string[]]>([
    [undefined, []],
    [false, []],
    [null, []],
    ['', []],
    ['none', []],
    [[], []],
    [true, all],
    ['all', all],
    ['all,fields', all],
    [['all'], all],
    ['order, fields', ['fields', 'order']],
    [' enums ,,none', ['enums']],
    [['headers', 'headers'], ['headers']],
  ])('%j are %j', (value, kinds) => expect(forward.forwardNamed(value)).toEqual(kinds));

  test.each([
    ['colour', 'colour'],
    ['fields,colour,ALL', 'colour, ALL'],
    [7, '7'],
  ])('%j are none', (value, unknown) => {
    expect(() => forward.forwardNamed(value)).toThrow(
      new RangeError(`forward-compat: expected all, none or any of ${all.join(', ')}, got "${unknown}"`),
    );
  });
});

test('a scope covers itself and those before it', () => {
  const results = SCOPES.map((have) => SCOPES.filter((need) => covers(have, need)));
  expect(results).toEqual([['read'], ['read', 'write'], ['read', 'write', 'admin']]);
});

test.each(Object.entries(CHOICES))('%s has several options, and its default is one of them', (_, { ours, options }) => {
  expect(Object.keys(options).length).toBeGreaterThan(1);
  expect(Object.keys(options)).toContain(ours);
});

test('choices are checked by name and option, and replace the defaults', () => {
  expect(choiceProblems({ 'patch-status': 202, 'wrong-method': '405' })).toEqual([]);
  expect(choiceProblems({ toString: 1, 'patch-status': null, 'limit-above': 1 })).toEqual([
    'toString: expected one of the open points of `wm-mock choices`, got "toString"',
    'patch-status: expected one of 200, 201, 202, got "null"',
    'limit-above: expected one of the open points of `wm-mock choices`, got "limit-above" (did you mean limit-above-100?)',
  ]);
  expect(() => choose({ a: 1, 'wrong-method': 1 })).toThrow(
    new RangeError(
      'a: expected one of the open points of `wm-mock choices`, got "a"; wrong-method: expected one of 404, 405, got "1"',
    ),
  );
  expect(choose()).toEqual(DEFAULT_CHOICES);
  expect(choose({ 'patch-status': 202 }, { ...DEFAULT_CHOICES, 'wrong-method': '405' })).toEqual({
    ...DEFAULT_CHOICES,
    'patch-status': '202',
    'wrong-method': '405',
  });
});

test('terms are those of today unless told otherwise', () => {
  expect(termsOf()).toEqual({ contract: contractAt(releases.LATEST), choices: DEFAULT_CHOICES, forward: [] });
  const choices = choose({ 'patch-status': '202' });
  expect(termsOf({ release: '1.1', choices, forward: ['fields'] })).toEqual({
    contract: contractAt('1.1'),
    choices,
    forward: ['fields'],
  });
});

test('a body says what a field holds when it is left out, and whose ids it takes but for those of users', () => {
  const words = array(string());
  const body = draft({
    areas: first.preset(words, ['web']),
    labels: first.preset(words, []),
    parent_id: first.optional(string(), { refers: 'tasks' }),
    lead_id: first.optional(string(), { refers: 'users' }),
  }) as Loose;
  expect(body.properties).toEqual({
    areas: { type: 'array', items: { type: 'string' }, default: ['web'] },
    labels: { type: 'array', items: { type: 'string' } },
    parent_id: { type: ['string', 'null'], 'x-refers': 'tasks' },
    lead_id: { type: ['string', 'null'] },
  });
});
