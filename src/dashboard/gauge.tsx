// What is left of a workspace's requests in the window of a minute.
import { peekQuota } from '../service/http/meter.ts';
import type { Quota } from '../service/world/window.ts';
import type { Workspace } from '../service/world/world.ts';
import type { Context } from './context.ts';
import { Countdown } from './countdown.tsx';
import { countWords, formatNumber } from './parts.tsx';

export interface SpentQuota extends Quota {
  readonly used: number;
  /** Milliseconds since 1970; undefined when nothing is used. */
  readonly resetAt: number | undefined;
}

/** What the next answer's headers would say, with nothing counted. */
export const readSpent = ({ world }: Context, workspace: string): SpentQuota => {
  const quota = peekQuota(world, { workspace });
  const used = quota.limit - quota.remaining;
  return { ...quota, used, resetAt: used > 0 ? quota.reset * 1000 : undefined };
};

/** How full a window is; the numbers beside it say the same. */
export const Gauge = ({ spent: { limit, remaining } }: { spent: Pick<SpentQuota, 'limit' | 'remaining'> }) => {
  const share = limit === 0 ? 0 : Math.round((remaining / limit) * 1000) / 10;
  const tone = remaining === 0 ? ' bad' : share < 20 ? ' warn' : '';
  return (
    <svg class={`gauge${tone}`} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect class="gauge-track" width="100" height="8" />
      <rect class="gauge-fill" width={String(share)} height="8" />
    </svg>
  );
};

/** One workspace in the bar: leads to the page of the clock. */
export const BarGauge = ({ workspace, context }: { workspace: Workspace; context: Context }) => {
  const spent = readSpent(context, workspace.id);
  const { limit, remaining, resetAt } = spent;
  return (
    <a class="quota" href={context.href('/dashboard/clock')} title={`Rate limit of ${workspace.name}`}>
      <span class="quota-name">{workspace.name}</span>
      <Gauge spent={spent} />
      <span>
        {formatNumber(remaining)}
        <span class="hidden"> of {countWords(limit, 'request')} left</span>
      </span>
      {resetAt === undefined ? null : (
        <span class="quota-reset">
          <span class="hidden">, reset in </span>
          <Countdown at={resetAt} context={context} />
        </span>
      )}
    </a>
  );
};
