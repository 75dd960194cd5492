// Which steps the file of a world holds: its own, those that it comes from, and those of worlds made of it.
import { expect, test } from 'vitest';
import { type MadeWorld, pastOf } from './past-worlds.ts';

interface Step {
  readonly n: number;
  readonly world: string;
  readonly made?: MadeWorld;
}

/** `main`, `main+one`: one was made of main as it stood; `main~one`: of what was recorded of it; `main-one`: it was not made. */
const stepsOf = (text: string): Step[] =>
  text.split(' ').map((word, i) => {
    const [world = '', sign, id] = word.split(/([+~-])/);
    return {
      n: i + 1,
      world,
      ...(id !== undefined && { made: { id, rewound: sign === '~', ...(sign === '-' && { refused: true as const }) } }),
    };
  });

const past = (text: string, world: string) => {
  const { root, steps } = pastOf(stepsOf(text), world);
  return [root, ...steps.map(({ step, upTo }) => `${step.n}${upTo === Number.POSITIVE_INFINITY ? '' : `<${upTo}`}`)].join(' ');
};

const TWO = 'main main+a a main+b b main a';

test('a world that nothing made begins its file, which holds all that was made of it', () => {
  expect(past(TWO, 'main')).toBe('main 1 2 3 4 5 6 7');
  expect(past('main a+b b', 'a')).toBe('a 2 3');
});

test('a world that was made of another begins with what had come into that, without the other worlds made of it', () => {
  expect(past(TWO, 'b')).toBe('main 1<4 4 5');
  expect(past(TWO, 'a')).toBe('main 1<2 2 3 7');
  expect(past('main main+a a a+b b a main', 'b')).toBe('main 1<2 2 3<4 4 5');
  expect(past('main main+a a a+b b a main', 'a')).toBe('main 1<2 2 3 4 5 6');
});

test('a world that goes back begins with all that its step was counted in', () => {
  expect(past('main main+a a main~r r main', 'r')).toBe('main 1<4 2<4 3<4 4 5');
  expect(past('main main+a a main~r r a~s s', 's')).toBe('main 1<2 2 3<6 6 7');
});

test('a world whose name another had before comes from the step that made it last', () => {
  expect(past('main+a main main+a a', 'a')).toBe('main 2<3 3 4');
  expect(past('main+b b+a main+a a b', 'b')).toBe('main 1 2 5');
  expect(past('main+b b+a main+a a b', 'a')).toBe('main 3 4');
});

test('a world whose name was taken is none; where others are left out, nobody knows by whom', () => {
  expect(past('main+a a main-a a', 'main')).toBe('main 1 2 3 4');
  expect(past('main+a a main-a a+b b-a b', 'a')).toBe('main 1 2 4 6');
  expect(past('main+a a main-a a+b b-a b', 'b')).toBe('main 1 2<4 4 6');
});
