// A promise that must not keep a test waiting.

/** The promise, unless it takes longer. @throws Error when it does. */
export const within = async <T>(promise: Promise<T>, ms = 15_000): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`not within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** The value, if it comes before the runner gives the test up. @throws Error otherwise */
export const soon = <T>(promise: T | Promise<T>): Promise<T> => within(Promise.resolve(promise), 5000);
