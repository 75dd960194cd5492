// How a mock under trial delivers events: twice, behind the next one, or as old as a last retry; none of it in its own log.
import { getOrMake } from '../service/contract/keyed.ts';
import { RETRY_DELAYS_MS } from '../service/contract/limits.ts';
import { acknowledged, type Outcome } from '../service/webhooks/delivery.ts';
import type { Sender, Sending } from '../service/webhooks/sender.ts';
import { SIGNATURE_HEADER, sign, TIMESTAMP_HEADER } from '../service/webhooks/sign.ts';
import { wait } from '../service/world/time.ts';
import type { World } from '../service/world/world.ts';
import type { EventEffect } from './conditions.ts';
import type { DeliveryNote } from './notes.ts';

/** Events that come within this time of each other go out in reverse, milliseconds; and the time between them. */
const REORDER_MS = 300;
const GAP_MS = 20;

const LAST_RETRY_MS = RETRY_DELAYS_MS.reduce((sum, ms) => sum + ms, 0);

interface SentEvent {
  readonly id: string;
  readonly event: string;
  readonly created_at: string;
}

/** Where the secret of an event is, and how it is delivered. */
export interface EventOrigin {
  readonly world: World;
  readonly webhook: string;
  readonly effects: readonly EventEffect[];
}
type EventOrigins = ReadonlyMap<string, EventOrigin>;

/** The delivery as its last retry would be, signed again. */
const makeOld = async (sending: Sending, { id, created_at }: SentEvent, origins: EventOrigins): Promise<Sending> => {
  const origin = origins.get(id);
  const registration = origin?.world.store.webhooks.get(origin.webhook);
  const stamp = sending.headers[TIMESTAMP_HEADER];
  if (!origin || !registration || stamp === undefined) return sending;
  const earlier = new Date(Date.parse(created_at) - LAST_RETRY_MS).toISOString();
  const written = created_at.includes('.') ? earlier : earlier.replace('.000', '');
  const body = sending.body.replace(created_at, written);
  const timestamp = String(Number(stamp) - LAST_RETRY_MS / 1000);
  const signature = await sign(origin.world.choices.signature, registration.value.secret, { id, timestamp, body });
  return { ...sending, body, headers: { ...sending.headers, [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signature } };
};

export const disturbEvents = (
  sender: Sender,
  origins: EventOrigins,
  note: (note: DeliveryNote) => void,
  now: () => number,
): Sender => {
  /** By receiver: what releases the events that wait, oldest first. */
  const waiting = new Map<string, (() => void)[]>();

  const releaseAll = async (releases: (() => void)[]): Promise<void> => {
    for (const release of releases.reverse()) {
      release();
      await wait(GAP_MS);
    }
  };

  /** Waits until no later event comes for a while, and the later ones have gone. */
  const waitForLater = (url: string): Promise<void> =>
    new Promise((done) => {
      const releases = getOrMake(waiting, url, () => []);
      const count = releases.push(done);
      void wait(REORDER_MS).then(() => {
        if (releases.length !== count) return;
        waiting.delete(url);
        void releaseAll(releases);
      });
    });

  return async (given, signal) => {
    const envelope = JSON.parse(given.body) as SentEvent;
    const effects = origins.get(envelope.id)?.effects ?? [];
    const sending = effects.includes('old') ? await makeOld(given, envelope, origins) : given;
    const attempt = async (again: boolean): Promise<Outcome> => {
      const at = now();
      const outcome = await sender(sending, signal);
      const status = outcome.kind === 'response' && !outcome.simulated ? outcome.status : 0;
      const { id, event } = envelope;
      const timedOut = outcome.kind === 'timeout';
      const about = { event, id, url: sending.url, again, old: sending !== given };
      // A receiver that is not there is no client.
      if (status > 0 || timedOut) note({ what: 'delivery', at, ended: now(), status, timedOut, ...about });
      return outcome;
    };
    if (effects.includes('reorder')) await waitForLater(sending.url);
    const outcome = await attempt(false);
    if (effects.includes('duplicate') && outcome.kind === 'response' && acknowledged(outcome)) await attempt(true);
    return outcome;
  };
};
