// The activity of a record on its page: who has set what, newest first, as far as the journal and the timeline still have it.
import { differencesOf, touchedBy } from '../../service/http/differences.ts';
import { exchangeId } from '../../service/http/journal-entries.ts';
import type { Change } from '../../service/world/world.ts';
import type { Context } from '../context.ts';
import { Link, Muted, RelativeTime } from '../parts.tsx';
import { shorten } from './collection.ts';

const MAX_ACTIVITY_ROWS = 8;

/** `in_review`, or `title Launch` where the value alone does not tell. */
const describeChange = (change: Change): string => {
  const { kind } = touchedBy(change);
  if (kind !== 'updated') return kind;
  const fields = differencesOf(change).filter(({ field }) => field !== 'updated_at');
  const word = ({ field, after }: (typeof fields)[number]) => (field === 'status' ? `${after}` : `${field} ${after ?? 'none'}`);
  return fields.map((one) => shorten(word(one), 60)).join(', ') || kind;
};

const listActivity = (context: Context, id: string) => {
  const { journal, timeline } = context.instance;
  const requests = journal.all().flatMap((exchange) => {
    const { changes, at, place: n = 0, response } = exchange;
    const request = exchangeId(exchange);
    const link = <Link to={context.href(`/dashboard/requests/${request}`)} says={request} />;
    const own = changes.filter((change) => touchedBy(change).id === id);
    return own.map((change) => ({ n, at, says: describeChange(change), by: response.caller?.key.name ?? 'no key', link }));
  });
  const edits = timeline.log.all().flatMap(({ n, kind, at, title: by, records }) => {
    const link = <Link to={context.href('/dashboard/timeline', { from: n })} says={`no. ${n}`} />;
    return kind === 'edit' ? records.filter((one) => one.id === id).map((one) => ({ n, at, says: one.kind, by, link })) : [];
  });
  return [...requests, ...edits].sort((one, other) => other.n - one.n);
};

export const RecordActivity = ({ context, id }: { context: Context; id: string }) => {
  const all = listActivity(context, id);
  if (all.length === 0) return null;
  return (
    <div class="stack gap-small">
      <h2 class="minor">Activity</h2>
      <ul class="plain">
        {all.slice(0, MAX_ACTIVITY_ROWS).map(({ at, says, by, link }) => (
          <li>
            {says} <Muted>by {shorten(by, 60)},</Muted> {link} <RelativeTime at={at} context={context} />
          </li>
        ))}
      </ul>
    </div>
  );
};
