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

/** Limits of each kind. */
const MAX_THINGS = 5;
const MAX_LABEL_CHARACTERS = 72;

interface FoundThing {
  readonly id: string;
  readonly kind: string;
  readonly says: string;
  readonly to: string;
}

/** Fields that are searched; the first that a record has is its label. */
const LABELS = ['title', 'name', 'email', 'body', 'url', 'id'] as const;

const recordHref = (context: Context, name: RecordName, workspace: string, id: string): string => {
  if (name === 'keys') return context.href('/dashboard/settings', { workspace });
  return name === 'webhooks' ? context.href(WEBHOOKS_PATH, { id }) : context.href(`/dashboard/data/${name}`, { workspace, id });
};

/** The newest that fit, without looking at the rest. */
const takeNewest = <T>(all: readonly T[], fits: (one: T) => boolean): readonly T[] => {
  const taken: T[] = [];
  for (let i = all.length - 1; i >= 0 && taken.length < MAX_THINGS; i--) if (fits(all[i]!)) taken.push(all[i]!);
  return taken;
};

const findRecords = (context: Context, wanted: RegExp): readonly FoundThing[] =>
  NAMES.flatMap((name) => {
    const textsOf = (value: object) => LABELS.flatMap((field) => (value as Readonly<Record<string, string>>)[field] ?? []);
    const all: readonly Row<{ readonly id: string }>[] = context.world.store[name].all();
    return takeNewest(all, ({ value }) => textsOf(value).some((text) => wanted.test(text))).map(
      ({ value: { id }, value, workspace }) => ({
        id,
        kind: singularOf(name),
        says: shorten(textsOf(value)[0] ?? id, MAX_LABEL_CHARACTERS),
        to: recordHref(context, name, workspace, id),
      }),
    );
  });

const findRequests = (context: Context, text: string): readonly FoundThing[] => {
  const { instance, world } = context;
  const exact = exchangeNumber(text);
  const words = createSearchFilter(parseSearch(text), world.clock.now());
  const also: typeof words = (exchange, showing) => (exact > 0 ? exchange.number === exact : words(exchange, showing));
  return summarizeNewest(instance, {}, { most: MAX_THINGS, also }).items.map(({ id, method, path, status }) => ({
    id,
    kind: 'request',
    says: `${method} ${clipText(path, MAX_LABEL_CHARACTERS)} → ${status === 0 ? 'closed' : status}, ${id}`,
    to: context.href(`/dashboard/requests/${id}`),
  }));
};

const findDeliveries = (context: Context, wanted: RegExp): readonly FoundThing[] => {
  const labelOf = (subject: ReturnType<typeof subjectOf>) => subject.title ?? subject.name ?? subject.id;
  return takeNewest(context.instance.webhooks.deliveries.list(), (one) =>
    [one.id, one.event.id, one.event.event, labelOf(subjectOf(one))].some((text) => wanted.test(text)),
  ).map((one) => ({
    id: one.id,
    kind: 'delivery',
    says: `${one.event.event}: ${shorten(labelOf(subjectOf(one)), MAX_LABEL_CHARACTERS)}`,
    to: deliveryHref(context, one.id),
  }));
};

const findPoints = (context: Context, wanted: RegExp): readonly FoundThing[] =>
  Object.entries(CHOICES)
    .filter(([id, { question }]) => wanted.test(id) || wanted.test(question))
    .slice(0, MAX_THINGS)
    .map(([id, { question }]) => ({
      id,
      kind: 'open point',
      says: question.replaceAll('`', ''),
      to: context.href('/dashboard/choices', { find: id }),
    }));

const findFaults = (context: Context, wanted: RegExp): readonly FoundThing[] =>
  context.instance.faults
    .list()
    .map((fault) => ({
      id: fault.id,
      kind: 'fault',
      says: `${fault.id}: ${summarizeFault(context, fault)}`,
      to: `${context.href('/dashboard/faults')}#faults`,
    }))
    .filter(({ says }) => wanted.test(says))
    .slice(0, MAX_THINGS);

/** The thing of that id first, then those whose label has the words. */
export const findThings = (context: Context): readonly FoundThing[] => {
  const text = context.query('q')?.trim() ?? '';
  if (text === '') return [];
  const wanted = new RegExp(escapeRegExp(text), 'iu');
  const found = [
    ...findRecords(context, wanted),
    ...findRequests(context, text),
    ...findDeliveries(context, wanted),
    ...findPoints(context, wanted),
    ...findFaults(context, wanted),
  ];
  const rank = ({ id, says }: FoundThing): number => (id === text ? 0 : wanted.test(says) ? 1 : 2);
  return found.sort((one, other) => rank(one) - rank(other));
};
