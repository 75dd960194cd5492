// Times that come nearer: written by the server, counted on by the script while the clock runs.
import type { Context } from './context.ts';

const two = (number: number): string => String(number).padStart(2, '0');

/** `1:43`, or `2:00:00` from an hour on. */
export const left = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
};

/** How long it is until a moment, milliseconds since 1970 on the clock of the world. */
export const Until = ({ at, context }: { at: number; context: Context }) => (
  <span class="until" data-until={String(at)}>
    {left(at - context.world.clock.now())}
  </span>
);
