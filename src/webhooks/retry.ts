// The state machine of a delivery (spec: States, Webhook delivery), as pure functions.
import type { Choices } from '../contract/choices.ts';
import { RETRY_DELAYS_MS } from '../contract/limits.ts';
import { momentText } from '../world/moment.ts';
import { acknowledged, type Delivery, type EndedAttempt } from './delivery.ts';

/** The delivery after an attempt has ended: where it stands and when it is tried again. A failed replay changes neither. */
export const afterAttempt = (delivery: Delivery, ended: EndedAttempt, countedFrom: Choices['retry-counted-from']): Delivery => {
  const attempts = [...delivery.attempts, { n: delivery.attempts.length + 1, ...ended }];
  if (acknowledged(ended)) return { ...delivery, attempts, state: 'delivered', next_attempt_at: null };
  if (ended.trigger === 'replay') return { ...delivery, attempts };
  const failures = attempts.filter(({ trigger }) => trigger !== 'replay').length;
  const delay = RETRY_DELAYS_MS[failures - 1];
  if (delay === undefined) return { ...delivery, attempts, state: 'failed', next_attempt_at: null };
  const from = Date.parse(countedFrom === 'failure' ? ended.ended_at : ended.at);
  return { ...delivery, attempts, state: 'retrying', next_attempt_at: momentText(from + delay) };
};

/** The delivery once its registration was deleted: there is nobody to try again. */
export const stopped = (delivery: Delivery): Delivery => ({
  ...delivery,
  state: 'failed',
  next_attempt_at: null,
  stopped: 'the registration was deleted',
});
