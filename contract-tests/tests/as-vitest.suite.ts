// The suite as a user's vitest tests, on a server with FAULTS and a document whose tasks have `due`, not `due_date`.
import process from 'node:process';
import { readShippedDocument } from '../engine/register.ts';
import { contract, contractDocument } from '../vitest.ts';
import { TestServer } from './test-server.ts';

const text = JSON.stringify(readShippedDocument());
contractDocument(JSON.parse(text.replaceAll('"due_date":', '"due":')) as object);

contract(() => {
  const server = new TestServer({ faults: process.env.FAULTS?.split(',').filter(Boolean) ?? [], limit: 1000 });
  const target = { baseUrl: 'http://127.0.0.1/v1', fetch: server.fetch, keys: server.roles(), time: server.clock };
  return { ...target, profile: 'core', reportDir: false };
});
