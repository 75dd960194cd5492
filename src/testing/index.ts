// The entry point for every runner whose `expect` can be extended: matchers that return { pass, message }.
export type { Judgement, WarningOptions } from './judgements.ts';
export type { MatcherResult as Waiting } from './matchers.ts';
export * from './matchers.ts';
export type { DeliveryPattern, RequestPattern } from './pattern.ts';
