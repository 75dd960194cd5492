// The clock of a world: read, set, moved on.
import { toUtc } from '../../../service/validation/formats.ts';
import type { Clock } from '../../../service/world/clock.ts';
import { LAST_MOMENT, momentText } from '../../../service/world/time.ts';
import { type Calls, refuse } from '../call.ts';

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

const NOT_A_TIME = 'must be an ISO 8601 time with its time zone, from 1970 to 9999, such as 2025-01-20T09:00:00Z';

export const clockCalls = {
  getClock: ({ instance }) => showClock(instance.world.clock),

  setClock: ({ instance, body: { now, mode } }) => {
    const { clock } = instance.world;
    const at = typeof now === 'string' ? Date.parse(toUtc(now) ?? '') : (now ?? clock.now());
    if (!(at >= 0 && at <= LAST_MOMENT)) refuse([{ field: 'now', issue: NOT_A_TIME }]);
    const before = clock.mode;
    const words = [now !== undefined && `${momentText(clock.now())} → ${momentText(at)}`, mode !== before && mode];
    instance.timeline.note('clock', words.filter(Boolean).join(', ') || `${before}, as it was`);
    clock.set(at, mode ?? before);
    instance.tellClock();
    return showClock(clock);
  },

  /** Returns the clock, and the deliveries with an attempt since the last advance. */
  advanceClock: async ({ instance, body }) => {
    if (body.by !== undefined && body.to !== undefined) refuse([{ field: 'to', issue: 'must not be given beside by' }]);
    const { webhooks, world, attempted } = instance.running;
    const { clock } = world;
    const by = body.to ?? milliseconds(body.by ?? 0) ?? 0;
    if (by !== 'next' && clock.now() + by > LAST_MOMENT) refuse([{ field: 'by', issue: 'must not lead beyond the year 9999' }]);
    const to = by === 'next' ? Math.max(clock.next ?? 0, clock.now()) : clock.now() + by;
    const words = `${momentText(clock.now())} → ${momentText(to)}`;
    const moving = by === 'next' ? clock.advanceToNext() : clock.advance(by);
    instance.timeline.note('clock', words);
    await moving;
    instance.tellClock();
    const deliveries = [...attempted].map((id) => webhooks.deliveries.get(id)).filter((one) => one !== undefined);
    attempted.clear();
    return { ...showClock(clock), deliveries: instance.showing().hidden(deliveries) };
  },
} satisfies Calls;
