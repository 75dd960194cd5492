// The bar of clock and limits, in sight on every page. Its buttons are the actions of the page of the clock, and lead back.

import type { FeedKind } from '../mock/control/feed.ts';
import { RETRY_DELAYS_MS } from '../service/contract/limits.ts';
import type { Context } from './context.ts';
import { Countdown, WorldTime } from './countdown.tsx';
import { BarGauge } from './gauge.tsx';
import { Icon } from './icons.tsx';
import { countWords } from './parts.tsx';

/** What moves the bar, whatever the page. */
export const BAR_LIVE: readonly FeedKind[] = ['request', 'delivery', 'clock', 'state'];
/** The delays of the retry table: each step makes the next attempt due. */
export const CLOCK_STEPS = RETRY_DELAYS_MS.map((ms) => {
  const [size, unit, full] =
    ms < 60_000 ? [1000, 's', 'second'] : ms < 3_600_000 ? [60_000, 'min', 'minute'] : [3_600_000, 'h', 'hour'];
  const count = ms / size;
  return { by: `${count}${unit[0]}`, says: `${count} ${unit}`, full: countWords(count, full) };
});
const MAX_GAUGES = 2;

/** The buttons that move the clock on. */
export const ClockSteps = ({ context }: { context: Context }) => {
  const { next } = context.world.clock;
  return (
    <form method="post" action={context.href('/dashboard/clock')} class="steps" data-quick="" aria-label="Advance the clock">
      <input type="hidden" name="do" value="advance" />
      <input type="hidden" name="back" value={context.here()} />
      {CLOCK_STEPS.map(({ by, says, full }) => (
        <button type="submit" name="by" value={by} class="step" title={`Advance the clock by ${full}`}>
          {`+${says}`}
        </button>
      ))}
      <button type="submit" name="by" value="next" class="step" disabled={next === null} title="Go to the next event">
        Next
        {next === null ? null : (
          <>
            {' '}
            <Countdown at={next} context={context} />
          </>
        )}
      </button>
    </form>
  );
};

/** Stops the clock or lets it run. */
export const ClockModeForm = ({ context }: { context: Context }) => {
  const frozen = context.world.clock.mode === 'frozen';
  return (
    <form method="post" action={context.href('/dashboard/clock')} class="mode" data-quick="" aria-label="Freeze or run">
      <input type="hidden" name="back" value={context.here()} />
      <button type="submit" name="do" value={frozen ? 'run' : 'freeze'} class="step">
        <Icon name={frozen ? 'run' : 'freeze'} />
        {frozen ? 'Run' : 'Freeze'}
        <span class="hidden"> the clock</span>
      </button>
    </form>
  );
};

/** The time of the world, what moves it, and what is left of each workspace's requests. */
export const ClockBar = ({ context }: { context: Context }) => {
  const { workspaces } = context.world;
  const others = workspaces.size - MAX_GAUGES;
  return (
    <section class="clock-bar" id="clock-bar" data-live="" aria-label="Clock and limits">
      <div class="clock-time">
        <a href={context.href('/dashboard/clock')} class="clock-link" aria-label="Clock">
          <Icon name="clock" />
        </a>
        <WorldTime context={context} class="clock-now" />
        <ClockModeForm context={context} />
      </div>
      <ClockSteps context={context} />
      <div class="quotas">
        {[...workspaces.values()].slice(0, MAX_GAUGES).map((workspace) => (
          <BarGauge workspace={workspace} context={context} />
        ))}
        {others > 0 ? (
          <a class="quota muted" href={context.href('/dashboard/clock')}>
            +{others}
            <span class="hidden"> more workspaces</span>
          </a>
        ) : null}
      </div>
      <button
        type="button"
        class="live-state"
        data-live-state=""
        data-keep=""
        hidden
        title="Pause or go on: lists stand still while paused"
      />
    </section>
  );
};
