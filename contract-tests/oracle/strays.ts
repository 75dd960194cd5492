// Letters that no change of the run explains: the requirement to blame, or the doing of another client.
import type { Json } from '../engine/exchange.ts';
import type { ChangeLog, Refusal, Space } from './changes.ts';
import { createdAt, type Letter, sameJson } from './letters.ts';
import { type Moment, type Post, SLACK_MS } from './pairing.ts';

/** The requirements that such a letter may break, the narrower before the wider. */
export const STRAY = ['WM-EVT-028', 'WM-EVT-027', 'WM-EVT-037', 'WM-EVT-033'] as const;
export type Stray = (typeof STRAY)[number];

interface Trace {
  readonly letter: Letter;
  /** The record that it is about, else the project that it is in. */
  readonly record: string;
  readonly space: Space;
  /** Writes that were refused and would have been announced so. */
  readonly refusals: readonly Refusal[];
}

const labelOf = (event: string, row: Json): unknown => (event.startsWith('task.') ? row.title : row.name);

/** The writes that would have been announced so: of that record, or the making of one with that title in that place. */
const refusalsFor = ({ log, moment }: Knowledge, letter: Letter): Refusal[] => {
  const { event, about, snapshot } = letter;
  const place = log.spaceOf('project', snapshot.project_id) === undefined ? undefined : snapshot.project_id;
  const at = createdAt(letter);
  const made = ({ sent, by, id }: Refusal): boolean => {
    if (place !== undefined) return id === place;
    // A run beside this one may give the same title to a task of its own project.
    if (event.startsWith('task.') && snapshot.project_id !== undefined && id !== snapshot.project_id) return false;
    const label = labelOf(event, sent);
    if (label === undefined || !sameJson(label, labelOf(event, snapshot))) return false;
    // Another client may use a short name, but hardly at the same moment.
    return (
      (typeof label === 'string' && label.length >= LONG) || (at > moment(by).from - SLACK_MS && at < moment(by).to + SLACK_MS)
    );
  };
  const known = log.spaceOf(event.split('.')[0]!, about) !== undefined;
  return log.refusals.filter((refusal) => {
    if (refusal.event !== event) return !known && refusal.event === 'task.created' && refusal.id === place && place !== undefined;
    return (refusal.id === about && about !== undefined) || (!known && event.endsWith('.created') && made(refusal));
  });
};

/** A text of this many characters is no other client's. */
const LONG = 20;

/** Whether a snapshot holds a text that was refused; short ones may be anybody's. */
const shows = ({ snapshot }: Letter, { sent }: Refusal): boolean =>
  Object.values(sent).some(
    (value) =>
      typeof value === 'string' &&
      value.length >= LONG &&
      Object.values(snapshot).some((shown) => typeof shown === 'string' && shown.includes(value.slice(0, 100))),
  );

/** Facts of the run that letters are judged by. */
export interface Knowledge {
  readonly log: ChangeLog;
  /** The name of the run. */
  readonly run: string;
  readonly moment: Moment;
  /** Whether a write that this is in the path of got no response. */
  readonly lost: (path: string) => boolean;
}

const judgeKnown = (knowledge: Knowledge, letter: Letter, to: Space): Trace | Stray | undefined => {
  const { log, run, lost } = knowledge;
  const { event, about, snapshot } = letter;
  const kind = event.split('.')[0]!;
  if (kind === 'member') return about !== undefined && log.people.has(about) ? 'WM-EVT-033' : undefined;
  const refusals = refusalsFor(knowledge, letter);
  if (refusals.some(({ sure }) => !sure)) return undefined;
  const made = log.spaceOf(kind, about);
  const space = made ?? (kind === 'task' ? log.spaceOf('project', snapshot.project_id) : undefined);
  if (space === undefined) {
    if (refusals.length > 0) return 'WM-EVT-027';
    const ours = String(labelOf(event, snapshot)).includes(run);
    return ours && !lost('/projects') ? 'WM-EVT-033' : undefined;
  }
  if (space !== to) return 'WM-EVT-028';
  if ([about, snapshot.project_id].some((id) => typeof id === 'string' && lost(encodeURIComponent(id)))) return undefined;
  return { letter, record: String(made ? about : snapshot.project_id), space, refusals };
};

const countBy = (list: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const item of list) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
};

/** The records of which each change is told once more than it happened, when that is so for most. */
const toldTwice = (traces: readonly Trace[], changed: readonly string[]): ReadonlySet<string> => {
  const [extra, times] = [countBy(traces.map(({ record }) => record)), countBy(changed)];
  const twice = [...times].filter(([record, count]) => extra.get(record) === count).map(([record]) => record);
  return new Set(twice.length * 2 >= times.size ? twice : []);
};

/** The requirement to blame for each letter that nothing explains; none where the record is another client's. */
export const straysOf = ({ to, pairing }: Post, knowledge: Knowledge): ReadonlyMap<Letter, Stray> => {
  const { moment } = knowledge;
  const found = new Map<Letter, Stray>();
  if (to.shared) return found;
  const traces: Trace[] = [];
  for (const letter of pairing.extra) {
    if (!to.events.includes(letter.event) || knowledge.log.orphans.has(letter.about ?? '')) continue;
    const known = judgeKnown(knowledge, letter, to.space);
    if (typeof known === 'string') found.set(letter, known);
    else if (known) traces.push(known);
  }
  for (const event of new Set(traces.map(({ letter }) => letter.event))) {
    const alike = traces.filter(({ letter }) => letter.event === event);
    const twice = toldTwice(
      alike,
      [...pairing.pairs.values()].filter((change) => change.event === event).map(({ id }) => id),
    );
    const near = ({ by }: Refusal, at: number) => at > moment(by).from - SLACK_MS && at < moment(by).to + SLACK_MS;
    const refused = alike.filter(({ letter, refusals }) => refusals.some((refusal) => near(refusal, createdAt(letter))));
    // An event that fires in other places too is not fired by refusals.
    const byRefusal = refused.length * 2 > alike.length;
    for (const trace of alike) {
      const shown = trace.refusals.some((refusal) => shows(trace.letter, refusal));
      const blame = shown || (byRefusal && refused.includes(trace)) ? 'WM-EVT-027' : 'WM-EVT-033';
      found.set(trace.letter, twice.has(trace.record) ? 'WM-EVT-037' : blame);
    }
  }
  return found;
};
