// Fails a test that waits for what never comes, before the runner gives it up.

const LONGEST = 1500;

/** What a promise gives. @throws Error when it stays open. */
export const soon = async <T>(promise: T | Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const never = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`nothing came within ${LONGEST} ms`)), LONGEST);
  });
  try {
    return await Promise.race([promise, never]);
  } finally {
    clearTimeout(timer);
  }
};
