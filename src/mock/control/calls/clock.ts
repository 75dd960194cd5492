// The clock of a world: read, set, moved on.
import { toUtc } from '../../../service/validation/times.ts';
import type { Clock } from '../../../service/world/clock.ts';
import { LAST_MOMENT, momentText } from '../../../service/world/time.ts';
import { type Calls, refuse } from '../call.ts';
import type { Instance } from '../instance.ts';

const DURATION_UNITS_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Milliseconds of a duration such as `90m`; undefined for other texts. */
export const milliseconds = (by: string | number): number | undefined => {
  if (typeof by === 'number') return by;
  const [, count, unit] = /^(\d{1,12}(?:\.\d+)?)(ms|s|m|h|d|w)$/.exec(by) ?? [];
  return count === undefined ? undefined : Math.round(Number(count) * DURATION_UNITS_MS[unit as keyof typeof DURATION_UNITS_MS]);
};

const showClock = (clock: Clock) => ({
  now: new Date(clock.now()).toISOString(),
  mode: clock.mode,
  next: clock.next === null ? null : momentText(clock.next),
});

export const setClock = (
  instance: Instance,
  { now, mode }: { readonly now?: string | number | undefined; readonly mode?: 'running' | 'frozen' | undefined },
) => {
  const { clock } = instance.world;
  const text = typeof now === 'string' ? toUtc(now) : undefined;
  const at = now === undefined ? clock.now() : typeof now === 'number' ? now : text === undefined ? Number.NaN : Date.parse(text);
  if (!(at >= 0 && at <= LAST_MOMENT)) {
    refuse([
      { field: 'now', issue: 'must be an ISO 8601 time with its time zone, from 1970 to 9999, such as 2025-01-20T09:00:00Z' },
    ]);
  }
  const before = clock.mode;
  const words = [now !== undefined && `${momentText(clock.now())} → ${momentText(at)}`, mode !== before && mode];
  instance.timeline.note('clock', words.filter(Boolean).join(', ') || `${before}, as it was`);
  clock.set(at, mode ?? before);
  instance.tellClock();
  return showClock(clock);
};

/** @returns the clock, and the deliveries with an attempt since the last advance @throws Problem 422 */
export const advance = async (instance: Instance, by: number | 'next') => {
  const { webhooks, world, attempted } = instance.running;
  const { clock } = world;
  if (by !== 'next' && clock.now() + by > LAST_MOMENT) refuse([{ field: 'by', issue: 'must not lead beyond the year 9999' }]);
  const to = by === 'next' ? Math.max(clock.next ?? 0, clock.now()) : clock.now() + by;
  const words = `${momentText(clock.now())} → ${momentText(to)}`;
  const moving = by === 'next' ? clock.advanceToNext() : clock.advance(by);
  instance.timeline.note('clock', words);
  await moving;
  instance.tellClock();
  const deliveries = [...attempted].map((id) => webhooks.deliveries.get(id)).filter((one) => one !== undefined);
  attempted.clear();
  return { ...showClock(clock), deliveries };
};

export const clockCalls = {
  getClock: ({ instance }) => showClock(instance.world.clock),
  setClock: ({ instance, body }) => setClock(instance, body),
  advanceClock: async ({ instance, body: { by, to } }) => {
    if (by !== undefined && to !== undefined) refuse([{ field: 'to', issue: 'must not be given beside by' }]);
    const { deliveries, ...now } = await advance(instance, to ?? milliseconds(by ?? 0) ?? 0);
    return { ...now, deliveries: instance.showing().hidden(deliveries) };
  },
} satisfies Calls;
