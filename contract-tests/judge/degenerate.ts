// Degenerate servers: what is no such service must never look like one.
import type { Fetch } from '../engine/terms.ts';
import { runContract } from '../run.ts';
import { VirtualClock } from './reference/clock.ts';

const json = (status: number, body: unknown) => async () =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

export const DEGENERATE: Readonly<Record<string, Fetch>> = {
  'always 404': json(404, { error: { code: 'not_found', message: 'No.' } }),
  'always 401': json(401, { error: { code: 'unauthorized', message: 'No.' } }),
  'always 200 {}': json(200, {}),
  'always 500': json(500, { error: { code: 'internal_error', message: 'No.' } }),
  'always the same profile': json(200, { data: { id: 'x' } }),
  HTML: async () => new Response('<!doctype html><h1>Hello</h1>', { status: 200, headers: { 'content-type': 'text/html' } }),
  'a redirect': async () => new Response(null, { status: 302, headers: { location: '/login' } }),
  'a closed socket': async () => {
    throw new TypeError('fetch failed');
  },
  '30-second answers': () => new Promise(() => {}),
};

export const judgeDegenerate = async (fetch: Fetch): Promise<{ verdict: string; passed: number; of: number }> => {
  const report = await runContract({
    baseUrl: 'http://127.0.0.1/v1',
    keys: { admin: 'degenerate-admin', write: 'degenerate-write', read: 'degenerate-read' },
    fetch,
    reportDir: false,
    timeoutMs: 500,
    time: new VirtualClock(),
  });
  const musts = report.requirements.filter(({ level }) => level === 'must');
  return { verdict: report.verdict, passed: musts.filter(({ status }) => status === 'passed').length, of: musts.length };
};
