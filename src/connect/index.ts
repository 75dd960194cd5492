// The entry point for a mock in another process: compose, a Cypress run, tests in another language's build.
export type { ControlCall, Refusal } from './call.ts';
export { type ConnectOptions, connect, type RemoteMock } from './connect.ts';
