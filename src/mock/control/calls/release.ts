// The release of a world and how far it is ahead of its clients: read, and set while they run against it.
import { FORWARD_KINDS, type Forward, forwardNamed } from '../../../service/contract/forward.ts';
import { RELEASE_NAMES, RELEASES, type Release, releaseNamed, releaseRow } from '../../../service/contract/releases.ts';
import { moveAhead } from '../../../service/forward-compat/responses.ts';
import { compatibilityOf } from '../../../service/webhooks/compatibility.ts';
import type { World } from '../../../service/world/world.ts';
import { type Calls, refuse } from '../call.ts';
import type { Instance } from '../instance.ts';
import type { Snapshot } from '../snapshot.ts';
import { requestsOf } from './journal.ts';

const showRelease = ({ release, terms }: World) => ({
  release,
  version: releaseRow(release).version,
  forward_compat: terms.forward,
  releases: Object.entries(RELEASES).map(([name, row]) => ({ release: name, ...row })),
  forward_kinds: Object.entries(FORWARD_KINDS).map(([kind, says]) => ({ kind, says })),
});

const readRelease = (name: unknown): Release =>
  releaseNamed(name) ?? refuse([{ field: 'release', issue: `must be one of ${RELEASE_NAMES.join(', ')}` }]);

const readForward = (value: unknown): Forward => {
  try {
    return forwardNamed(value);
  } catch (error) {
    return refuse([{ field: 'forward_compat', issue: `must be ${(error as Error).message.replace(/^.*expected /, '')}` }]);
  }
};

export interface ReleaseDraft {
  readonly release?: unknown;
  readonly forward_compat?: unknown;
}

/** @throws Problem 422 for an unknown release or kind */
const changeRelease = (world: World, draft: ReleaseDraft): void => {
  const release = draft.release === undefined ? undefined : readRelease(draft.release);
  const forward = draft.forward_compat === undefined ? undefined : readForward(draft.forward_compat);
  if (release !== undefined) world.become(release);
  if (forward !== undefined) moveAhead(world, forward);
};

/** A snapshot with another release or other forward-compat kinds; itself without them. @throws Problem 422 */
export const withRelease = (origin: Snapshot, draft: ReleaseDraft): Snapshot => {
  if (draft.release === undefined && draft.forward_compat === undefined) return origin;
  const world = origin.world.fork();
  changeRelease(world, draft);
  return { ...origin, world };
};

export const readCompatibility = (instance: Instance) => {
  const requests = requestsOf(instance).filter(({ id }) => id !== 'pending');
  return compatibilityOf(instance.world.terms.forward, requests, instance.webhooks.deliveries.list());
};

export const releaseCalls = {
  getRelease: ({ instance: { world } }) => showRelease(world),
  setRelease: ({ instance: { world, timeline, feed }, body }) => {
    changeRelease(world, body);
    const now = showRelease(world);
    const { release, forward_compat } = now;
    const ahead = forward_compat.length === 0 ? 'not ahead' : `ahead by ${forward_compat.join(', ')}`;
    timeline.note('choice', `release ${release}, ${ahead}`);
    feed.tell('state', () => ({ kind: 'release', release, forward_compat }));
    return now;
  },
  getCompatibility: ({ instance }) => readCompatibility(instance),
} satisfies Calls;
