// The release of a world: read, and set while clients run against it.
import { RELEASE_NAMES, RELEASES, type Release, releaseNamed } from '../../contract/releases.ts';
import type { World } from '../../world/world.ts';
import { type Calls, refuse } from '../call.ts';
import type { Site } from '../site.ts';

const shown = ({ release }: World) => ({
  release,
  version: RELEASES[release].version,
  releases: Object.entries(RELEASES).map(([name, row]) => ({ release: name, ...row })),
});

/** Becomes the service of another release. @throws Problem 422 when there is no such release. */
export const setRelease = (site: Site, { release }: { readonly release?: Release | undefined }) => {
  if (release !== undefined) {
    const known = releaseNamed(release);
    if (!known) refuse([{ field: 'release', issue: `must be one of ${RELEASE_NAMES.join(', ')}` }]);
    else site.world.become(known);
  }
  site.feed.tell('state', () => ({ kind: 'release', release: site.world.release }));
  return shown(site.world);
};

export const releaseCalls: Calls<'getRelease' | 'setRelease'> = {
  getRelease: ({ live: { world } }) => shown(world),
  setRelease: ({ site, body }) => setRelease(site, body),
};
