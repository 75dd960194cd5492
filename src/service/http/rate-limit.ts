// Counts a request against its workspace and says so in three headers (spec: Limits, Rate limits).
import { Problem } from '../contract/errors.ts';
import { PLANS, WINDOW_MS } from '../contract/limits.ts';
import type { Caller } from '../world/view.ts';
import type { Quota, WindowRules } from '../world/window.ts';
import type { World } from '../world/world.ts';

const windowRules = (world: World, workspace: string): WindowRules => ({
  ms: world.windowMsOf(workspace),
  kind: world.choices['rate-window'],
  countsRefused: world.choices['refused-requests'] === 'counted',
});

/** The quota shown without a known key; nothing is counted, but the spec wants the headers on every response. */
export const anonymousQuota = (world: World): Quota => {
  const limit = PLANS[world.choices['anonymous-limit']];
  return { limit, remaining: limit, reset: Math.ceil((world.clock.now() + WINDOW_MS) / 1000), passes: true };
};

/** The current quota of a caller; nothing is counted. */
export const peekQuota = (world: World, caller: Pick<Caller, 'workspace'>): Quota =>
  world.windowOf(caller.workspace).look(world.clock.now(), windowRules(world, caller.workspace));

export const countRequest = (world: World, caller: Caller): Quota => {
  const now = world.clock.now();
  const rules = windowRules(world, caller.workspace);
  const workspace = world.windowOf(caller.workspace);
  if (world.choices['rate-source'] === 'workspace') return workspace.count(now, rules);
  const key = world.keyWindowOf(caller.key.id);
  const [byKey, byWorkspace] = [key.look(now, rules), workspace.look(now, rules)];
  if (!byKey.passes || !byWorkspace.passes) {
    const [counted, other] = byKey.passes ? [workspace, byKey] : [key, byWorkspace];
    const refused = rules.countsRefused
      ? counted.count(now, rules)
      : { ...(byKey.passes ? byWorkspace : byKey), reset: Math.max(byKey.reset, other.reset) };
    return { ...refused, limit: byWorkspace.limit };
  }
  const [spentKey, spentWorkspace] = [key.count(now, rules), workspace.count(now, rules)];
  return { ...spentWorkspace, remaining: Math.min(spentKey.remaining, spentWorkspace.remaining) };
};

const secondsUntil = (world: World, reset: number): number => Math.max(1, Math.ceil(reset - world.clock.now() / 1000));

export const retryAfterHeaders = (world: World, { reset }: Quota): Readonly<Record<string, string>> =>
  world.choices['retry-after'] === 'present' ? { 'retry-after': String(secondsUntil(world, reset)) } : {};

export const rateLimitProblem = (world: World, quota: Quota, { workspace }: Pick<Caller, 'workspace'>): Problem => {
  const seconds = secondsUntil(world, quota.reset);
  const ms = world.windowMsOf(workspace);
  const window = ms === WINDOW_MS ? 'a minute' : `in ${ms / 1000} s`;
  const limit = world.choices['rate-source'] === 'workspace' ? `${quota.limit} requests ${window}` : 'this key or its workspace';
  return new Problem(429, 'rate_limit_exceeded', `The limit of ${limit} is used up. Wait ${seconds} s and try again.`, {
    headers: retryAfterHeaders(world, quota),
    check: 'limit',
  });
};
