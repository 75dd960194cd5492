// A hosted mock on a small engine, and the calls of its owner, its tenants and their clients.
import type { Env } from '../hosted/env.ts';
import { routeRequest } from '../hosted/worker.ts';
import { FakeEngine } from './fake-engine.ts';
import { initOf } from './sending.ts';

export const OWNER = 'the-owner-of-all-of-this';
export const AT = 'https://mock.example.com';
export const NOW = '2025-01-20T09:00:00Z';
export const SEED = {
  now: NOW,
  workspaces: [
    {
      id: 'ws_a',
      name: 'A',
      plan: 'unlimited',
      users: [{ id: 'user_a', name: 'Ann' }],
      api_keys: [
        { id: 'key_a', value: 'wm_a', scope: 'admin', user_id: 'user_a' },
        { id: 'key_r', value: 'wm_r', scope: 'read', user_id: 'user_a' },
      ],
      projects: [
        {
          id: 'proj_a',
          owner_id: 'user_a',
          tasks: [
            { id: 'task_a', title: 'First' },
            { id: 'task_b', title: 'Second' },
          ],
        },
      ],
    },
  ],
};

export interface Said {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: of any call
  readonly body: any;
  readonly headers: Headers;
}

export const hosted = (options: Partial<Env> = {}) => {
  const engine = new FakeEngine(options);
  const fetch = (request: Request) => routeRequest(request, engine.env);
  const ask = async (
    method: string,
    path: string,
    token?: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Said> => {
    const headers = { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...more };
    const response = await fetch(new Request(path.startsWith('http') ? path : AT + path, initOf(method, body, headers)));
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') && text !== '';
    return { status: response.status, body: json ? JSON.parse(text) : text, headers: response.headers };
  };
  const tenant = async (id = 'acme', more: object = {}) =>
    (await ask('POST', '/_hosted/tenants', OWNER, { id, seed: SEED, ...more })).body as {
      readonly id: string;
      readonly token: string;
    };
  return { engine, fetch, ask, tenant };
};

/** A hosted mock with one tenant, acme. */
export const acme = async (options?: Partial<Env>, more?: object) => {
  const made = hosted(options);
  const { token } = await made.tenant('acme', more);
  return { ...made, token };
};

/** Lets what waits for the next turn happen. */
export const turn = (ms = 5): Promise<void> => new Promise((done) => setTimeout(done, ms));
