// The cells of the data tables: people, statuses, dates.
import type { Context } from '../context.ts';
import { Chip, Muted, RelativeTime, type Tone } from '../parts.tsx';
import { shorten } from './collection.ts';

const WORD_TONES: Readonly<Record<Exclude<Tone, 'plain' | 'refused'>, readonly string[]>> = {
  good: ['done', 'public', 'joined', 'delivered', 'created'],
  info: ['in_progress', 'team', 'updated'],
  warn: ['in_review', 'high', 'invited', 'retrying'],
  bad: ['urgent', 'failed', 'deleted'],
};
const findWordTone = (word: string) =>
  (Object.keys(WORD_TONES) as (keyof typeof WORD_TONES)[]).find((tone) => WORD_TONES[tone].includes(word));

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => /^\p{L}/u.test(word))
    .map((word) => [...word][0]!)
    .slice(0, 2)
    .join('')
    .toUpperCase();

/** A user by name, or an unknown id as it is. */
export const Person = ({ id, context }: { id: string | null; context: Context }) => {
  if (id === null) return <Muted>no one</Muted>;
  const user = context.world.store.users.get(id)?.value;
  if (!user) return <span class="mono muted">{shorten(id, 30)}</span>;
  return (
    <span class="person">
      <span class="initials" aria-hidden="true">
        {initialsOf(user.name) || '?'}
      </span>
      {shorten(user.name, 28)}
    </span>
  );
};

export const WordChip = ({ word }: { word: string }) => (
  <Chip tone={findWordTone(word)}>{shorten(word.replaceAll('_', ' '), 30)}</Chip>
);

/** A word that is changed in its place: the script adds the other options when it is reached. Without scripts it is a chip. */
export const WordSelect = ({ field, word, label }: { field: string; word: string; label: string }) => (
  <select class={`chip ${findWordTone(word) ?? 'plain'}`} data-set={field} aria-label={label}>
    <option value={word.includes('_') ? word : undefined}>{word.replaceAll('_', ' ')}</option>
  </select>
);

export const DueDate = ({ at, done, context }: { at: string | null; done: boolean; context: Context }) => {
  if (at === null) return <Muted>none</Muted>;
  const late = !done && Date.parse(at) < context.world.clock.now();
  return (
    <span class={late ? 'late' : done ? 'muted' : undefined}>
      <RelativeTime at={at} context={context} />
      {late ? <span class="hidden"> (overdue)</span> : null}
    </span>
  );
};
