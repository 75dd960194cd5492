// The parts of a request that faults are matched against.
import type { FaultTarget } from '../world/fault-match.ts';
import type { World } from '../world/world.ts';
import { keyWithValue } from './identify.ts';
import type { RequestInfo } from './request-info.ts';

export const faultTarget = (world: World, request: RequestInfo): FaultTarget => ({
  method: request.method,
  path: request.pathInService,
  operation: request.id,
  key: () => keyWithValue(world, request.keyValue ?? '')?.value.id,
  query: () => new URLSearchParams(request.parameters.map(([name, value]) => [name, value])),
  headers: () => request.headerMap,
  body: () => (request.text === '' ? undefined : request.json === undefined ? request.text : request.json),
});
