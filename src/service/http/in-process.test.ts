// A signal ends a fetch in process as it ends one over a network: at once, with its own reason, and nothing stays behind.
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import type { Mock } from '../../mock/api/mock.ts';
import { keep } from '../../test/closing.ts';
import { useFakeTime } from '../../test/fake-time.ts';
import { fetchFrom } from './in-process.ts';

const time = useFakeTime();
const start = async (): Promise<Mock> => keep(await createMock({ now: '2025-01-20T09:00:00Z' }));
const turn = async () => {
  for (let i = 0; i < 3; i++) await new Promise((done) => setImmediate(done));
};
const createdBy = (mock: Mock, signal: AbortSignal): RequestInit => ({
  method: 'POST',
  headers: { ...mock.auth('write'), 'content-type': 'application/json' },
  body: '{"name":"New"}',
  signal,
});
const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

test('a signal that was aborted before performs nothing', async () => {
  const mock = await start();
  const signal = AbortSignal.abort('no longer wanted');
  await expect(mock.fetch('/projects', createdBy(mock, signal))).rejects.toBe('no longer wanted');
  await expect(mock.fetch(new Request(`${mock.baseUrl}/projects`, createdBy(mock, signal)))).rejects.toBe('no longer wanted');
  await expect(mock.fork().fetch('/projects', createdBy(mock, AbortSignal.abort()))).rejects.toThrow(DOMException);
  expect([mock.world.store.projects.size, mock.requests]).toEqual([0, []]);
});

test('a signal ends the wait for a delayed or held response at once', async () => {
  const mock = await start();
  for (const effect of [{ delay_ms: 2000 }, { hold: true }]) {
    mock.faults.clear();
    mock.faults.add({ effect });
    const leaving = new AbortController();
    const pending = mock.fetch('/tasks', { signal: leaving.signal });
    await turn();
    expect(listenersOf(leaving.signal)).toBe(1);
    leaving.abort(new RangeError('too late'));
    await expect(pending).rejects.toThrow(new RangeError('too late'));
    await turn();
  }
  // The request is performed all the same, as by a server.
  mock.faults.clear();
  await time.pass(2000);
  expect(mock.requests.map(({ status }) => status)).toEqual([401, 401]);
});

test('a signal that is never aborted changes nothing and keeps no listener, whatever the end', async () => {
  const mock = await start();
  const { signal } = new AbortController();
  expect((await mock.fetch('/projects', createdBy(mock, signal))).status).toBe(201);
  const request = new Request(`${mock.baseUrl}/projects`, createdBy(mock, new AbortController().signal));
  expect([(await mock.fetch(request)).status, listenersOf(request.signal)]).toEqual([201, 0]);
  expect((await mock.fetch(new Request(`${mock.baseUrl}/tasks`), { signal: null })).status).toBe(401);
  mock.faults.add({ effect: { abort: true } });
  await expect(mock.fetch('/projects', createdBy(mock, signal))).rejects.toThrow('a fault closed the connection');
  await turn();
  const broken = {
    fetch: () => {
      throw new Error('broken');
    },
  };
  await expect(fetchFrom(broken, 'http://mock.test/', { signal })).rejects.toThrow('broken');
  await turn();
  expect([listenersOf(signal), time.pending]).toEqual([0, []]);
});

test('a signal ends a stream that lasts until its reader leaves', async () => {
  const mock = await start();
  const leaving = new AbortController();
  const response = await mock.fetch(new URL('/_mock/events', mock.baseUrl), { signal: leaving.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe(': listening\n\n');
  const next = reader.read();
  leaving.abort('enough');
  await expect(next).rejects.toBe('enough');
  await turn();
  expect([listenersOf(leaving.signal), time.pending]).toEqual([0, []]);
});

test('a signal of another type is refused as fetch refuses it', async () => {
  const mock = await start();
  await expect(mock.fetch('/tasks', { signal: 'soon' as never })).rejects.toThrow(TypeError);
});
