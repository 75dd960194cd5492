// One attempt: sign the bytes, send them, say how it ended. Nothing is stored here.
import { ACKNOWLEDGE_MS } from '../contract/limits.ts';
import { isLoopback, namesHost } from '../validation/receiver-url.ts';
import { momentText } from '../world/time.ts';
import type { World } from '../world/world.ts';
import type { Delivery, EndedAttempt, Outcome, Scripted, Trigger } from './delivery.ts';
import type { Sender } from './sender.ts';
import { SIGNATURE_HEADER, sign, TIMESTAMP_HEADER, verify } from './sign.ts';

/** Receivers usually refuse timestamps older than this. */
const TOLERANCE_MS = 300_000;

export interface ReceiverRules {
  /** Whether events are really sent to receivers on other machines. */
  readonly deliverPublic?: boolean;
  /** Hosts to which they are always really sent. */
  readonly allowReceivers?: readonly string[] | undefined;
}

interface AttemptOrder extends ReceiverRules {
  readonly world: World;
  readonly delivery: Delivery;
  readonly trigger: Trigger;
  readonly secret: string;
  readonly scripted: Scripted | undefined;
  readonly sender: Sender;
  readonly signal: AbortSignal;
}

const scriptedOutcome = (scripted: Scripted): Outcome =>
  typeof scripted === 'number'
    ? { kind: 'response', status: scripted, took: 0 }
    : { kind: scripted, error: `${scripted}, as ordered`, took: 0 };

const SIMULATED_ERROR: Outcome = { kind: 'response', status: 200, took: 0 };
const GIVEN_UP_ERROR: Outcome = { kind: 'error', error: 'given up: the world was closed', took: 0 };

const ageText = (s: number): string =>
  s < 3600 ? `${Math.floor(s / 60)} min ${Math.floor(s % 60)} s` : `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;

const lateTimestampText = ({ request }: Delivery, at: number): string | undefined => {
  const late = at - Number(request.headers[TIMESTAMP_HEADER]) * 1000;
  if (late <= TOLERANCE_MS) return undefined;
  return `${TIMESTAMP_HEADER} is the event's time on every attempt, ${ageText(late / 1000)} ago: a receiver that tolerates 5 minutes refuses it`;
};

/** Makes an attempt. Never rejects. @returns how it ended and the request as it was sent. */
export const makeAttempt = async (order: AttemptOrder): Promise<{ ended: EndedAttempt; request: Delivery['request'] }> => {
  const { world, delivery, trigger, secret, scripted, sender, signal } = order;
  const profile = world.choices.signature;
  const at = world.clock.now();
  // On a frozen clock a response takes no time.
  const isFrozen = world.clock.mode === 'frozen';
  const { event, bad_signature } = delivery;
  const { body, headers: unsigned } = delivery.request;
  const timestamp = unsigned[TIMESTAMP_HEADER];
  const given = bad_signature && trigger !== 'replay' ? `${secret}, but not quite` : secret;
  const headers = { ...unsigned, [SIGNATURE_HEADER]: await sign(profile, given, { id: event.id, timestamp, body }) };
  const request = { headers, body };
  const signature_ok = await verify(profile, secret, headers, body, timestamp === undefined ? 'body' : 'header');
  const { hostname } = new URL(delivery.url);
  const real = order.deliverPublic || isLoopback(hostname) || namesHost(order.allowReceivers ?? [], hostname);
  const simulated = scripted === undefined && !real;
  const send = async (): Promise<Outcome> => {
    try {
      return signal.aborted ? GIVEN_UP_ERROR : await sender({ url: delivery.url, ...request }, signal);
    } catch (error) {
      return { kind: 'error', error: String(error), took: 0 };
    }
  };
  const outcome = scripted !== undefined ? scriptedOutcome(scripted) : simulated ? SIMULATED_ERROR : await send();
  const notSent = simulated || (outcome.kind === 'response' && outcome.simulated === true);
  const duration_ms = outcome.kind === 'timeout' ? ACKNOWLEDGE_MS : isFrozen ? 0 : Math.round(outcome.took);
  const late = lateTimestampText(delivery, at);
  const ended: EndedAttempt = {
    trigger,
    at: new Date(at).toISOString(),
    ended_at: momentText(at + duration_ms),
    duration_ms,
    outcome: outcome.kind,
    ...(outcome.kind === 'response' ? { status: outcome.status } : {}),
    ...(outcome.error === undefined ? {} : { error: outcome.error }),
    ...(notSent ? { simulated: true as const } : {}),
    ...(scripted === undefined ? {} : { scripted: true }),
    signature_profile: profile,
    signature_ok,
    ...(outcome.kind === 'response' && outcome.excerpt !== undefined ? { response_excerpt: outcome.excerpt } : {}),
    ...(late === undefined ? {} : { late_timestamp: late }),
  };
  return { ended, request };
};
