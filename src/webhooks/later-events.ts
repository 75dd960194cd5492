// Which change announces an event of a later release (`--forward-compat`, enums).
import type { LaterEvent } from '../contract/forward.ts';
import type { Terms } from '../contract/terms.ts';
import type { TaskRecord } from '../world/records.ts';
import type { Change } from '../world/world.ts';

/** The event of a later release that a change announces; undefined when there is none. */
export const laterEventOf = ({ forward }: Terms, { name, before, after }: Change): LaterEvent | undefined => {
  if (!forward.includes('enums')) return undefined;
  if (name === 'comments' && !before) return 'comment.created';
  if (name !== 'tasks' || !before || !after) return undefined;
  return (before as TaskRecord).status === (after as TaskRecord).status ? undefined : 'task.moved';
};
