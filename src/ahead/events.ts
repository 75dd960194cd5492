// Events of a service that is ahead of its clients: more of them, and more in each.
import type { Terms } from '../contract/terms.ts';
import type { LaterEvent } from './changes.ts';
import { headersAhead, isAhead, later } from './responses.ts';

/** A change of a record, as far as this is concerned. */
interface Change {
  readonly name: string;
  readonly before: object | undefined;
  readonly after: object | undefined;
}

const statusOf = (task: object): unknown => (task as { readonly status?: unknown }).status;

/** The event of a later release that a change announces; undefined when there is none. */
export const laterEventOf = ({ forward }: Pick<Terms, 'forward'>, { name, before, after }: Change): LaterEvent | undefined => {
  if (!forward.includes('enums')) return undefined;
  if (name === 'comments' && !before) return 'comment.created';
  if (name !== 'tasks' || !before || !after) return undefined;
  return statusOf(before) === statusOf(after) ? undefined : 'task.moved';
};

/** What is sent for an event, changed where the service is ahead. */
export const eventAhead = <E>(terms: Pick<Terms, 'forward'>, envelope: E, headers: Readonly<Record<string, string>>) => {
  const event = isAhead(terms) ? (later(envelope, terms.forward) as E) : envelope;
  return { event, request: { headers: headersAhead(terms, headers), body: JSON.stringify(event) } };
};
