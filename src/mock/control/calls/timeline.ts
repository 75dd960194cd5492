// The timeline of a world, and what differs between two worlds.
import { type Calls, findOr404, pageOfRows } from '../call.ts';
import { type Compared, diffOf } from '../diff.ts';
import type { Host } from '../host.ts';
import type { Instance } from '../instance.ts';
import { timelineOf } from '../timeline-entries.ts';

export const comparedOf = ({ id, world, webhooks }: Instance) => ({ id, world, deliveries: webhooks.deliveries.list() });

export const begunOf = ({ origin: { world, webhooks } }: Instance): Compared => ({
  id: 'origin',
  world,
  deliveries: webhooks?.deliveries.list() ?? [],
});

const worldNamed = (host: Host, id: string): Instance => findOr404('world', id, host.known(id));

export const timelineCalls = {
  listTimeline: ({ host, instance, query }) =>
    pageOfRows(query, timelineOf(instance, host.options.recording, query), 'log', (one) => one.show()),

  diff: ({ host, instance, query }) => {
    const { from, to = instance.id } = query;
    const second = worldNamed(host, to);
    const first = from === undefined ? second : worldNamed(host, from);
    const whole = diffOf(from === undefined ? begunOf(first) : comparedOf(first), comparedOf(second));
    return { ...whole, ...second.showing().hidden(first.showing().hidden(pageOfRows(query, whole.items))) };
  },
} satisfies Calls;
