// The effects of a fault on a request: another response or none, a damaged body, a delay.

import { Closing } from '../world/closing.ts';
import { type Fault, untilReleased } from '../world/faults.ts';
import { drawDelayMs } from '../world/lateness.ts';
import { wait } from '../world/time.ts';
import { handleRequest } from './endpoint.ts';
import type { Service } from './exchange.ts';
import { applyFault, faultResponse } from './fault-response.ts';
import type { RequestInfo } from './request-info.ts';
import { respond } from './respond.ts';

/** The error of a fetch whose connection was closed. */
export class ConnectionClosed extends TypeError {
  override readonly name = 'TypeError';

  constructor() {
    super('fetch failed: a fault closed the connection');
  }
}

export interface Socket {
  readonly outgoing?: { destroy(): void; once(event: 'close', left: () => void): unknown };
}

/** Ends a connection without an answer. @throws ConnectionClosed when it has no socket */
export const closeConnection = (socket: Socket | undefined): Response => {
  if (!socket?.outgoing) throw new ConnectionClosed();
  socket.outgoing.destroy();
  return new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
};

/** Answers a request that a fault has struck. @throws ConnectionClosed when the fault closes a connection that has no socket. */
export const respondWithFault = async (
  service: Service,
  request: RequestInfo,
  fault: Fault,
  socket: Socket | undefined,
): Promise<Response> => {
  const { world, closing } = service;
  const { status, abort: aborted = false, hold } = fault.effect;
  const number = fault.hits;
  const at = world.clock.now();
  const real = world.clock.time.now();
  const { terms } = world;
  const isHandled = status === undefined && !aborted;
  const performed = service.perform(() => (isHandled ? handleRequest(world, request) : faultResponse(world, request, fault)));
  const reply = applyFault(performed.value, terms, fault.effect);
  const entry = {
    number: 0,
    place: performed.place,
    real,
    at,
    ended: at,
    asked: request.shrink(),
    reply,
    terms,
    changes: performed.changes,
    fault: fault.id,
    aborted,
  };
  const late = drawDelayMs(fault.effect, world.random, fault.id);
  if (hold || late > 0) {
    service.held.add(entry);
    const left = new Closing();
    const callOff = closing.tell(() => left.close());
    socket?.outgoing?.once('close', () => left.close());
    if (hold) await untilReleased(fault, number, { method: request.method, path: request.path, since: at }, left);
    if (late > 0) await wait(late, left, world.clock.time);
    callOff();
    service.held.delete(entry);
  }
  service.record({ ...entry, ended: world.clock.now() });
  return aborted ? closeConnection(socket) : respond(reply, at, terms);
};
