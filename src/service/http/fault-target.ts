// What a fault looks at in a request: each part found when a fault asks for it, and once.
import type { FaultTarget } from '../world/fault-match.ts';
import type { World } from '../world/world.ts';
import type { Asked } from './exchange.ts';
import { bearerOf, keyWithValue } from './identify.ts';
import { pathIn } from './paths.ts';

const once = <T>(find: () => T): (() => T) => {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
};

const headersOf = ({ headers }: Asked): Headers => {
  if (headers instanceof Headers) return headers;
  const all = new Headers();
  const raw = headers as readonly string[];
  for (let i = 0; i + 1 < raw.length; i += 2) all.append(raw[i]!, raw[i + 1]!);
  return all;
};

const bodyOf = ({ body }: Asked): unknown => {
  if (!body || !('text' in body) || body.text === '') return undefined;
  try {
    return JSON.parse(body.text);
  } catch {
    return body.text;
  }
};

export const faultTarget = (world: World, asked: Asked): FaultTarget => ({
  method: asked.method,
  path: pathIn(asked.url).replace(/^\/v1/, ''),
  operation: asked.id,
  key: once(() => keyWithValue(world, bearerOf(asked.authorization) ?? '')?.value.id),
  query: once(() => new URLSearchParams(/\?([^#]*)/.exec(asked.url)?.[1] ?? '')),
  headers: once(() => headersOf(asked)),
  body: once(() => bodyOf(asked)),
});
