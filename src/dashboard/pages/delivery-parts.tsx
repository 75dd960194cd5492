// Parts of the pages about deliveries: states, and how attempts ended.
import type { DeliveryState } from '../../contract/states.ts';
import type { Attempt } from '../../webhooks/delivery.ts';
import { acknowledged } from '../../webhooks/delivery.ts';
import { Chip } from '../parts.tsx';

const TONES = { pending: 'plain', retrying: 'warn', delivered: 'good', failed: 'bad' } as const;

export const StateChip = ({ state }: { state: DeliveryState }) => <Chip tone={TONES[state]}>{state}</Chip>;

/** `500`, or how the connection failed. */
export const Outcome = ({ attempt }: { attempt: Attempt }) => (
  <Chip tone={acknowledged(attempt) ? 'good' : 'bad'}>
    {attempt.status === undefined ? attempt.outcome : String(attempt.status)}
  </Chip>
);
