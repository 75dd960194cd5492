// What the service answers otherwise, to the byte: where an open point is answered otherwise, at each release, ahead of its clients.
import { afterAll, beforeAll, test } from 'vitest';
import { CHOICES, type ChoiceId } from '../contract/choices.ts';
import { FORWARD_KINDS } from '../contract/forward.ts';
import type { Release } from '../contract/releases.ts';
import { createMock } from '../mock/create.ts';
import type { Mock } from '../mock/mock.ts';
import { BUSY } from '../test/busy.ts';
import { golden } from '../test/golden.ts';
import { Script } from '../test/script.ts';
import { EVERYTHING, lists } from '../test/tour.ts';

const PARTS = { ...EVERYTHING, lists };
type Part = keyof typeof PARTS;

let mock: Mock;
beforeAll(async () => {
  mock = await createMock({ seed: BUSY });
});
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

const MOST = 12;

/** The exchanges that go otherwise than usual: the first of them as they are, and how many there are. */
const otherwise = async (prepare: (world: Mock) => void, parts: readonly Part[]): Promise<string> => {
  const lines: string[] = [];
  for (const part of parts) {
    const before = await usual(part);
    const exchanges = await played(part, prepare);
    const others = exchanges.filter((exchange, i) => exchange !== before[i]);
    lines.push(`# ${part}: ${others.length} of ${exchanges.length}`, ...others.slice(0, MOST));
  }
  return lines.join('\n');
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
  Object.keys(options).flatMap((answer): [ChoiceId, string][] => (answer === ours ? [] : [[id as ChoiceId, answer]])),
);

/** Points that show in lists of several pages, in headers, at a limit or in deliveries, which have transcripts of their own. */
const ELSEWHERE =
  /^(page-|cursor-|deprecation-|null-|rate-|refused-|retry-|anonymous-|signature|internal-|member-|task-s|project-[df]|sortable-fields tasks)/;
const isElsewhere = ([id, answer]: readonly [string, string]): boolean =>
  ELSEWHERE.test(`${id} ${answer}`) && !/^(null-in-body|page-and-offset)/.test(id);

test.each(OTHERS.filter((one) => !isElsewhere(one)))('what is answered otherwise where %s is %s', async (id, answer) => {
  const text = await otherwise((world) => world.choose({ [id]: answer }), whereIs(id));
  golden(`http/${id}-is-${answer}`, text);
});

test.each(['1.0', '1.1', '1.2'] as Release[])('what is answered otherwise at v%s', async (release) => {
  golden(`http/release-${release}`, await otherwise((world) => world.become(release), EVERY));
});

test.each(Object.keys(FORWARD_KINDS))('what is answered otherwise by a service that is ahead by %s', async (kind) => {
  golden(`http/ahead-by-${kind}`, await otherwise((world) => world.moveAhead(kind), EVERY));
});
