// Fails a test that waits for what never comes, before the runner gives it up.
import { within } from './within.ts';

const LONGEST = 5000;

/** What a promise gives. @throws Error when it stays open. */
export const soon = <T>(promise: T | Promise<T>): Promise<T> => within(Promise.resolve(promise), LONGEST);
