// The entry point for every runner whose `expect` can be extended: matchers that return { pass, message }.
export * from './anywhere.ts';
export type { Judgement, WarningOptions } from './matchers.ts';
export type { DeliveryPattern, RequestPattern } from './pattern.ts';
