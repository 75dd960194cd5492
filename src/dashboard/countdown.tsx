// Times that go on: written by the server, counted on by the script while the clock runs.
import type { Context } from './context.ts';
import { Chip, Muted } from './parts.tsx';
import { left, plainTime } from './times.ts';

/** How long it is until a moment, milliseconds since 1970 on the clock of the world. */
export const Countdown = ({ at, context }: { at: number; context: Context }) => (
  <span class="until" data-until={String(at)}>
    {left(at - context.world.clock.now())}
  </span>
);

/** The same in a sentence. */
export const InCountdown = (props: { at: number; context: Context }) => (
  <>
    in <Countdown {...props} />
  </>
);

/** The time of the world and how it goes. A running clock is read once: it goes on between two readings. */
export const WorldTime = ({ context, ...attributes }: { context: Context; class?: string }) => {
  const { clock } = context.world;
  const now = clock.now();
  const running = clock.mode === 'running';
  return (
    <>
      <time {...attributes} datetime={new Date(now).toISOString()} data-clock={running ? String(now) : undefined}>
        {plainTime(now)}
      </time>
      <Muted>UTC</Muted>
      <Chip tone={running ? 'good' : 'info'}>{clock.mode}</Chip>
    </>
  );
};
