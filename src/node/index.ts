// The main entry point in Node: the mock, with seeds from files and a socket to listen on.
export * from '../index.ts';
export { createNodeMock as createMock, type NodeMock as Mock, type NodeMockOptions as MockOptions } from './create-mock.ts';
export type { ListenOptions, Server } from './server/listen.ts';
