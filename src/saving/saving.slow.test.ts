// A host that is kept, over a long session: it is ended and begun again before each of its steps.
import { expect, test } from 'vitest';
import { play } from '../test/kept-session.ts';

test('a mock that ends before each of 144 requests and goes on from the shelf answers with the same bytes', async () => {
  const whole = await play(() => false, 144);
  const broken = await play(() => true, 144);
  expect(whole.transcript.length).toBe(144);
  expect(broken.transcript).toEqual(whole.transcript);
  expect(broken.end).toEqual(whole.end);
}, 300_000);
