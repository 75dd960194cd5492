// The things of a world that Ctrl+K finds: records, requests, deliveries, open points and faults, by their words or an id.
import { summarizeNewest } from '../mock/control/calls/journal.ts';
import { clipText } from '../mock/control/fault-words.ts';
import { singularOf } from '../mock/control/record-types.ts';
import { CHOICES } from '../service/contract/choices.ts';
import { exchangeNumber } from '../service/http/journal-entries.ts';
import { escapeRegExp } from '../service/http/redact.ts';
import type { Row } from '../service/world/collection.ts';
import { NAMES, type RecordName } from '../service/world/records.ts';
import type { Context } from './context.ts';
import { shorten } from './data/collection.ts';
import { summarizeFault } from './override-strip.tsx';
import { createSearchFilter, parseSearch } from './pages/request-search.ts';
import { deliveryHref, subjectOf, WEBHOOKS_PATH } from './pages/webhook-parts.tsx';

export const FIND_PATH = '/dashboard/find';

/** Limit of each kind. */
const MAX_THINGS = 5;
const MAX_FOUND_CHARACTERS = 120;

type FoundThing = Readonly<Record<'id' | 'kind' | 'says' | 'to', string>>;

/** The newest that fit, without looking at the rest. */
const takeNewest = <T>(all: readonly T[], textsOf: (one: T) => readonly string[], wanted: RegExp): readonly T[] => {
  const taken: T[] = [];
  for (let i = all.length - 1; i >= 0 && taken.length < MAX_THINGS; i--)
    if (textsOf(all[i]!).some((text) => wanted.test(text))) taken.push(all[i]!);
  return taken;
};

/** Fields that are searched; the first that a record has is its label. */
const LABELS = ['title', 'name', 'email', 'body', 'url', 'id'] as const;

const recordHref = (context: Context, name: RecordName, workspace: string, id: string): string => {
  if (name === 'keys') return context.href('/dashboard/settings', { workspace });
  return name === 'webhooks' ? context.href(WEBHOOKS_PATH, { id }) : context.href(`/dashboard/data/${name}`, { workspace, id });
};

const findRecords = (context: Context, wanted: RegExp): readonly FoundThing[] =>
  NAMES.flatMap((name) => {
    const textsOf = ({ value }: Row<object>) => LABELS.flatMap((field) => (value as Record<string, string>)[field] ?? []);
    const all: readonly Row<{ readonly id: string }>[] = context.world.store[name].all();
    return takeNewest(all, textsOf, wanted).map((row) => {
      const { id } = row.value;
      return { id, kind: singularOf(name), says: shorten(textsOf(row)[0]!), to: recordHref(context, name, row.workspace, id) };
    });
  });

const findRequests = (context: Context, text: string): readonly FoundThing[] => {
  const exact = exchangeNumber(text);
  const words = createSearchFilter(parseSearch(text), context.world.clock.now());
  const also: typeof words = (exchange, showing) => (exact > 0 ? exchange.number === exact : words(exchange, showing));
  return summarizeNewest(context.instance, {}, { most: MAX_THINGS, also }).items.map(({ id, method, path, status }) => ({
    id,
    kind: 'request',
    says: `${method} ${clipText(path, 72)} → ${status || 'closed'}, ${id}`,
    to: context.href(`/dashboard/requests/${id}`),
  }));
};

/** Settings that the settings page changes, in the words of people and of the command line. */
const SETTING_WORDS = [
  ['keys', 'Make or revoke an API key'],
  ['plan', 'Change plan: requests a minute, rate limit'],
  ['release', 'Change release of the service'],
  ['release', 'Be ahead of clients: forward-compat'],
] as const;

const findOthers = (context: Context, wanted: RegExp): readonly FoundThing[] => {
  const { faults, webhooks } = context.instance;
  const hrefOf = (path: string, hash: string) => `${context.href(path)}#${hash}`;
  const deliveries = webhooks.deliveries.list().map((one) => {
    const { title, name, id } = subjectOf(one);
    const says = `${one.event.event}: ${title ?? name ?? id}`;
    return { id: one.id, kind: 'delivery', says, to: deliveryHref(context, one.id) };
  });
  const points = Object.entries(CHOICES).map(([id, { question }]) => {
    return { id, kind: 'open point', says: question.replaceAll('`', ''), to: context.href('/dashboard/choices', { find: id }) };
  });
  const shownFaults = faults.list().map((fault) => {
    const says = `${fault.id}: ${summarizeFault(context, fault)}`;
    return { id: fault.id, kind: 'fault', says, to: hrefOf('/dashboard/faults', 'faults') };
  });
  const settings = SETTING_WORDS.map(([id, says]) => ({ id, kind: 'setting', says, to: hrefOf('/dashboard/settings', id) }));
  const textsOf = ({ id, says }: FoundThing) => [id, says, webhooks.deliveries.get(id)?.event.id ?? ''];
  return [deliveries, points, shownFaults, settings]
    .flatMap((all: readonly FoundThing[]) => takeNewest(all, textsOf, wanted))
    .map((one) => ({ ...one, says: shorten(one.says, MAX_FOUND_CHARACTERS) }));
};

/** The thing of that id first, then those whose label has the words. */
export const findThings = (context: Context): readonly FoundThing[] => {
  const text = context.query('q')?.trim() ?? '';
  if (text === '') return [];
  const wanted = new RegExp(escapeRegExp(text), 'iu');
  const rank = ({ id, says }: FoundThing): number => (id === text ? 0 : wanted.test(says) ? 1 : 2);
  const found = [...findRecords(context, wanted), ...findRequests(context, text), ...findOthers(context, wanted)];
  return found.sort((one, other) => rank(one) - rank(other));
};
