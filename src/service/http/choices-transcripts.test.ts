// Responses that differ, to the byte: by another choice at an open point, at each release, ahead of clients.
import { afterAll, expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import type { Mock } from '../../mock/api/mock.ts';
import { BUSY } from '../../test/busy.ts';
import { otherwise, Script } from '../../test/script.ts';
import { EVERYTHING, lists } from '../../test/tour.ts';
import { CHOICES, type ChoiceId } from '../contract/choices.ts';
import { FORWARD_KINDS } from '../contract/forward.ts';
import type { Release } from '../contract/releases.ts';

const PARTS = { ...EVERYTHING, lists };
type Part = keyof typeof PARTS;

const mock = await createMock({ seed: BUSY });
afterAll(() => mock.close());

/** The exchanges of a part of the tour, in a world of its own. */
const played = async (part: Part, prepare: (world: Mock) => void = () => {}): Promise<readonly string[]> => {
  const world = mock.fork({ from: 'seed' });
  prepare(world);
  const script = new Script(world);
  await PARTS[part](script);
  await world.close();
  return script.exchanges;
};

const known = new Map<Part, Promise<readonly string[]>>();
const usual = (part: Part): Promise<readonly string[]> => {
  const exchanges = known.get(part) ?? played(part);
  known.set(part, exchanges);
  return exchanges;
};

/** Exchanges that differ in each part. @param limit how many exchanges of a part are shown */
const others = async (title: string, prepare: (world: Mock) => void, parts: readonly Part[], limit: number): Promise<string> => {
  const texts: string[] = [];
  for (const part of parts) texts.push(otherwise(`${title}: ${part}`, await played(part, prepare), await usual(part), limit));
  return texts.join('');
};

const EVERY = Object.keys(PARTS) as readonly Part[];

/** Where an open point shows, when that is not everywhere. */
const WHERE: readonly (readonly [RegExp, readonly Part[]])[] = [
  [/^(limit|broken|filter|page|sortable|unknown-filter|unsupported)/, ['lists']],
  [/^(content|date-only|length|mixed|unknown-body)/, ['wrongBodies']],
  [/^(default-order|absent|datetime)/, ['reads', 'lists', 'projects']],
  [/^(team-s|webhook-scope|www)/, ['strangers']],
  [/^(team-n|all-events|conflict|repeated)/, ['teamsAndWebhooks']],
  [/^(check-order|wrong-method|not-found)/, ['nowhere', 'strangers']],
  [/^(noop|null|patch|value-fault)/, ['tasks', 'wrongBodies']],
  [/^webhook/, ['teamsAndWebhooks', 'wrongBodies']],
  [/^invited/, ['reads', 'teamsAndWebhooks', 'wrongBodies']],
  [/^unknown-query/, ['lists', 'wrongBodies']],
  [/^id-style/, ['projects', 'tasks', 'teamsAndWebhooks']],
  [/^owner/, ['reads', 'projects']],
];
const whereIs = (id: string): readonly Part[] => WHERE.find(([pattern]) => pattern.test(id))?.[1] ?? EVERY;
const OTHERS = Object.entries(CHOICES).flatMap(([id, { options, ours }]) =>
  Object.keys(options).flatMap((option): [ChoiceId, string][] => (option === ours ? [] : [[id as ChoiceId, option]])),
);

/** Points that show in lists of several pages, in headers, at a limit or in deliveries, which have transcripts of their own. */
const ELSEWHERE =
  /^(page-|cursor-|deprecation-|null-|rate-|refused-|retry-|anonymous-|signature|internal-|member-|task-s|project-[df]|sortable-fields tasks)/;
const isElsewhere = ([id, option]: readonly [string, string]): boolean =>
  ELSEWHERE.test(`${id} ${option}`) && !/^(null-in-body|page-and-offset)/.test(id);

test('responses differ by another choice at an open point', async () => {
  const texts: string[] = [];
  for (const one of OTHERS.filter((one) => !isElsewhere(one))) {
    const [id, option] = one;
    texts.push(await others(`${id} is ${option}`, (world) => world.choose({ [id]: option }), whereIs(id), 1));
  }
  await expect(texts.join('')).toMatchFileSnapshot('golden/choices.txt');
});

test('responses differ at each release', async () => {
  const texts = [];
  for (const release of ['1.0', '1.1', '1.2'] as Release[])
    texts.push(await others(`v${release}`, (world) => world.become(release), EVERY, 2));
  await expect(texts.join('')).toMatchFileSnapshot('golden/releases.txt');
});

test('responses differ of a service that is ahead', async () => {
  const texts = [];
  for (const kind of [...Object.keys(FORWARD_KINDS), true])
    texts.push(await others(`ahead by ${kind}`, (world) => world.moveAhead(kind), EVERY, 1));
  await expect(texts.join('')).toMatchFileSnapshot('golden/ahead.txt');
});
