// Types of Jest, which is not installed here: .ci/published.mjs tries the entry in a project that has it.
declare module '@jest/globals' {
  export const expect: { extend(matchers: object): void };
}
declare module 'expect' {
  export interface Matchers<R extends void | Promise<void>, T = unknown> {}
}
