// What a fault does to a request: an ordered answer or none, a spoilt body, an answer that comes late.
import { Problem } from '../contract/errors.ts';
import type { Terms } from '../contract/terms.ts';
import { wait } from '../world/clock.ts';
import { type Fault, untilReleased } from '../world/faults.ts';
import type { World } from '../world/world.ts';
import { answer } from './endpoint.ts';
import { type Asked, keptAsked, type Reply, type Service, wholeReply } from './exchange.ts';
import { callerOf, challenge } from './identify.ts';
import { anonymousQuota, peek, retryAfter } from './meter.ts';
import { respond } from './respond.ts';
import { writeError } from './write.ts';

/** What a fetch ends with when the connection is closed. */
export class ConnectionClosed extends TypeError {
  override readonly name = 'TypeError';

  constructor() {
    super('fetch failed: a fault closed the connection');
  }
}

/** Node's side of a request, when there is one. */
export interface Socket {
  readonly outgoing?: { destroy(): void };
}

const CODES: Readonly<Record<number, string>> = {
  400: 'validation_error',
  401: 'unauthorized',
  403: 'forbidden',
  413: 'payload_too_large',
  422: 'validation_error',
  429: 'rate_limit_exceeded',
  502: 'bad_gateway',
  503: 'service_unavailable',
  504: 'gateway_timeout',
};

const codeOf = ({ choices }: World, status: number): string => {
  if (status === 404) return choices['not-found-code'];
  if (status === 409) return choices['conflict-code'];
  return CODES[status] ?? (status < 500 ? 'bad_request' : choices['internal-code']);
};

/** The answer that a fault orders, as the service would write it. Nothing is performed and nothing counted. */
const ordered = (world: World, asked: Asked, fault: Fault): Reply => {
  const status = fault.effect.status ?? 500;
  const caller = callerOf(world, asked.authorization);
  const seen = caller ? peek(world, caller) : anonymousQuota(world);
  const quota = status === 429 ? { ...seen, remaining: 0, passes: false } : seen;
  const headers = status === 429 ? retryAfter(world, quota) : status === 401 ? challenge(world) : {};
  const problem = new Problem(status, codeOf(world, status), `This answer was ordered from the mock: ${fault.id}.`, {
    headers,
    check: 'fault',
  });
  return { status, text: writeError(problem, world.terms), page: undefined, headers, quota, caller, problem };
};

const spoil = (sound: Reply, terms: Terms, body: Fault['effect']['body']): Reply => {
  if (body === undefined) return sound;
  const { text } = wholeReply({ reply: sound, terms });
  if (text === null) return sound;
  const instead = (spoilt: string): Reply => ({ ...sound, page: undefined, text: spoilt });
  if (body === 'empty') return instead('');
  if (body === 'truncated') return instead(text.slice(0, Math.ceil(text.length / 2)));
  return instead(`${text.slice(0, -1)},,`);
};

const milliseconds = ({ delay_ms: delay }: Fault['effect'], world: World, id: string): number => {
  if (delay === undefined || typeof delay === 'number') return delay ?? 0;
  return delay.min + Math.floor((delay.max - delay.min + 1) * world.random.fraction(`delay:${id}`));
};

/** Answers a request that a fault has struck. @throws ConnectionClosed when the fault closes a connection that has no socket. */
export const strike = async (service: Service, asked: Asked, fault: Fault, socket: Socket | undefined): Promise<Response> => {
  const { world, journal, closing } = service;
  const { status, abort: aborted = false, body, hold } = fault.effect;
  const at = world.clock.now();
  journal.begin();
  const { terms } = world;
  const sound = status === undefined && !aborted ? answer(world, asked) : ordered(world, asked, fault);
  const reply = spoil(sound, terms, body);
  const changes = journal.changes();
  if (hold) await untilReleased(fault);
  const late = milliseconds(fault.effect, world, fault.id);
  if (late > 0) await wait(late, closing);
  const ended = world.clock.now();
  journal.add({ number: journal.next, at, ended, asked: keptAsked(asked), reply, terms, changes, fault: fault.id, aborted });
  if (!aborted) return respond(reply, at, terms);
  if (!socket?.outgoing) throw new ConnectionClosed();
  socket.outgoing.destroy();
  return new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
};
