// The door `wm-mock/service-worker`: `register` for a page, `start` for a worker of one's own.
export { type Receive, type RegisteredMock, type RegisterOptions, register } from './register.ts';
export { type StartOptions, start } from './start.ts';
