// The bar of clock and limits, in sight on every page.
import type { Context } from './context.ts';
import { Icon } from './icons.tsx';
import { Chip, plainTime } from './parts.tsx';

/** The time of the world and whether it runs. Scripts keep it running between two refreshes. */
export const ClockBar = ({ context }: { context: Context }) => {
  const { clock } = context.world;
  const now = clock.now();
  return (
    <section class="clock-bar" id="clock-bar" data-live="" aria-label="Clock and limits">
      <Icon name="clock" />
      <time
        class="clock-now"
        datetime={new Date(now).toISOString()}
        data-clock={clock.mode === 'running' ? String(now) : undefined}
      >
        {plainTime(now)}
      </time>
      <span class="muted">UTC</span>
      <Chip tone={clock.mode === 'frozen' ? 'info' : 'good'}>{clock.mode}</Chip>
      <span class="live-state" data-live-state="" />
    </section>
  );
};
