// The bar of clock and limits, in sight on every page, and its parts: the time, countdowns, gauges. Its buttons are actions of the clock page.
import type { FeedKind } from '../mock/control/feed.ts';
import { RETRY_DELAYS_MS } from '../service/contract/limits.ts';
import { peekQuota } from '../service/http/rate-limit.ts';
import type { Workspace } from '../service/world/world.ts';
import type { Context } from './context.ts';
import { PageForm } from './fields.tsx';
import { Chip, countWords, formatNumber, Icon, ZoneName } from './parts.tsx';
import { left, plainTime } from './times.ts';

/** @param at milliseconds since 1970 on the clock of the world */
export const Countdown = ({ at, context }: { at: number; context: Context }) => (
  <span class="until" data-until={String(at)}>
    {left(at - context.world.clock.now())}
  </span>
);

export const drawCountdown = (context: Context, at: number) => ['in ', <Countdown at={at} context={context} />];

/** Reads a running clock once: a second reading would differ. */
export const WorldTime = ({ context, ...attributes }: { context: Context; class?: string }) => {
  const { clock } = context.world;
  const now = clock.now();
  const running = clock.mode === 'running';
  return (
    <>
      <time {...attributes} datetime={new Date(now).toISOString()} data-clock={running ? String(now) : undefined}>
        {plainTime(now)}
      </time>
      <ZoneName />
      <Chip tone={running ? 'good' : 'info'}>{clock.mode}</Chip>
    </>
  );
};

/** Reads a quota without counting a request. @returns also `resetAt`, in milliseconds since 1970; undefined when nothing is used */
export const readSpent = ({ world }: Context, workspace: string) => {
  const quota = peekQuota(world, { workspace });
  const used = quota.limit - quota.remaining;
  return { ...quota, used, resetAt: used > 0 ? quota.reset * 1000 : undefined };
};
export type SpentQuota = ReturnType<typeof readSpent>;

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

const BarGauge = ({ workspace, context }: { workspace: Workspace; context: Context }) => {
  const { limit, remaining } = readSpent(context, workspace.id);
  return (
    <a class="quota" href={context.href(CLOCK_PATH)} title={`Rate limit of ${workspace.name}`}>
      <span class="quota-name">{workspace.name}</span>
      <Gauge spent={{ limit, remaining }} />
      <span>
        {formatNumber(remaining)}
        <span class="hidden"> of {countWords(limit, 'request')} left</span>
      </span>
    </a>
  );
};

export const BAR_LIVE: readonly FeedKind[] = ['request', 'delivery', 'clock', 'state'];
/** The delays of the retry table: each step makes the next attempt due. */
export const CLOCK_STEPS = RETRY_DELAYS_MS.map((ms) => {
  const [size, unit, full] =
    ms < 60_000 ? [1000, 's', 'second'] : ms < 3_600_000 ? [60_000, 'min', 'minute'] : [3_600_000, 'h', 'hour'];
  const count = ms / size;
  return { by: `${count}${unit[0]}`, says: `${count} ${unit}`, full: countWords(count, full) };
});
const MAX_GAUGES = 2;
const CLOCK_PATH = '/dashboard/clock';

const ClockSteps = ({ context }: { context: Context }) => {
  const { next } = context.world.clock;
  return (
    <PageForm context={context} to={CLOCK_PATH} kind="steps" quick label="Advance the clock" hidden={{ do: 'advance' }}>
      <button type="button" class="step narrow" popovertarget="steps" aria-label="Steps of the clock">
        +<Icon name="down" />
      </button>
      <div class="steps-menu" id="steps" popover="auto">
        {CLOCK_STEPS.map(({ by, says, full }) => (
          <button type="submit" name="by" value={by} class="step" title={`Advance the clock by ${full}`}>
            {`+${says}`}
          </button>
        ))}
      </div>
      <button type="submit" name="by" value="next" class="step" disabled={next === null} title="Go to the next event">
        Next
        {next === null ? null : [' ', <Countdown at={next} context={context} />]}
      </button>
    </PageForm>
  );
};

const ClockModeForm = ({ context }: { context: Context }) => {
  const frozen = context.world.clock.mode === 'frozen';
  return (
    <PageForm context={context} to={CLOCK_PATH} kind="mode" quick label="Freeze or run">
      <button type="submit" name="do" value={frozen ? 'run' : 'freeze'} class="step">
        <Icon name={frozen ? 'run' : 'freeze'} />
        {frozen ? 'Run' : 'Freeze'}
        <span class="hidden"> the clock</span>
      </button>
    </PageForm>
  );
};

export const ClockBar = ({ context }: { context: Context }) => {
  const limited = [...context.world.workspaces.values()].filter(({ plan }) => plan !== 'unlimited');
  const others = limited.length - MAX_GAUGES;
  return (
    <section class="clock-bar" id="clock-bar" data-live="" aria-label="Clock and limits">
      <div class="clock-time">
        <a href={context.href(CLOCK_PATH)} class="clock-link" aria-label="Clock">
          <Icon name="clock" />
        </a>
        <WorldTime context={context} class="clock-now" />
        <ClockModeForm context={context} />
      </div>
      <ClockSteps context={context} />
      <div class="quotas">
        {limited.slice(0, MAX_GAUGES).map((workspace) => (
          <BarGauge workspace={workspace} context={context} />
        ))}
        {others > 0 ? (
          <a class="quota muted" href={context.href(CLOCK_PATH)}>
            +{others}
            <span class="hidden"> more workspaces</span>
          </a>
        ) : null}
      </div>
      <button type="button" class="live-state" data-live-state="" data-keep="" hidden title="Pause the lists, or resume them" />
    </section>
  );
};
