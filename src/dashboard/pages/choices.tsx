// Open points: the question, its options with the current choice, the reason, and the traffic that touches it.
import type { ControlResponse } from '../../mock/control/invoke.ts';
import { CHOICES, type ChoiceId } from '../../service/contract/choices.ts';
import type { Context } from '../context.ts';
import { Confirm, type FieldRow, FilterForm, PageForm } from '../fields.tsx';
import type { DashboardPage } from '../page.ts';
import { Card, Chip, countWords, Empty, Link, Tabs } from '../parts.tsx';
import { InlineCode } from '../traffic-parts.tsx';
import { drawResponses } from './choice-responses.tsx';
import { countTouches, type PointTouches } from './choices-touched.ts';

const CHOICES_PATH = '/dashboard/choices';

type ChoiceRow = ControlResponse<'getChoices'>['items'][number];
const POINT_TABS = ['all', 'touched', 'changed'] as const;

const TouchMark = ({ touch, name, context }: { touch: PointTouches | undefined; name: string; context: Context }) => {
  if (!touch) return null;
  const { requests, deliveries } = touch;
  const counts = [requests && countWords(requests, 'request'), deliveries && countWords(deliveries, 'delivery')];
  const says = counts.filter(Boolean).join(' and ');
  return requests === 0 ? (
    <Chip tone="info">touched by {says}</Chip>
  ) : (
    <Link to={context.href('/dashboard/requests', { q: `point:${name}` })} says={`touched by ${says}`} kind="chip info" />
  );
};

const PointSection = ({ point, touch, context }: { point: ChoiceRow; touch: PointTouches | undefined; context: Context }) => {
  const { name, question, part, options, ours, because, answer: chosen } = point;
  const compared = context.query('compare') === name;
  return (
    <section class="choice" id={`point-${name}`} aria-labelledby={`q-${name}`}>
      <div class="choice-head">
        <h3 id={`q-${name}`}>
          <InlineCode text={question} />
        </h3>
        <span class="chips" id={`marks-${name}`} data-live="">
          {chosen === ours ? null : <Chip tone="warn">not the default</Chip>}
          <TouchMark touch={touch} name={name} context={context} />
        </span>
      </div>
      <p class="choice-name">
        <code>{name}</code> · spec: {part}
      </p>
      <PageForm context={context} kind="options" quick live={`options-${name}`} hidden={{ do: 'choose', name }}>
        {Object.entries(options).map(([value, says]) => (
          <button type="submit" name="choice" value={value} class="option" aria-pressed={value === chosen ? 'true' : 'false'}>
            <span class="option-name">
              {value}
              {value === ours ? <span class="option-ours"> default</span> : null}
            </span>
            <span class="option-says">
              <InlineCode text={String(says)} />
            </span>
          </button>
        ))}
      </PageForm>
      <p class="hint">
        Why <code>{ours}</code>: <InlineCode text={because} />
        {touch && touch.latest.length > 0 && !compared ? (
          <Link to={`${context.here({ compare: name })}#point-${name}`} says=" Compare responses" />
        ) : null}
      </p>
      {compared &&
        touch &&
        drawResponses({ context, id: name as ChoiceId, options: Object.keys(options), chosen, numbers: touch.latest })}
    </section>
  );
};

const pointFits = ({ name, question, part, options }: ChoiceRow, text: string): boolean =>
  `${name} ${question} ${part} ${Object.entries(options).flat().join(' ')}`.toLowerCase().includes(text.toLowerCase());

const FIND_POINT_FIELDS: readonly FieldRow[] = [
  { name: 'find', label: 'Find an open point', searches: true, width: 'grow', placeholder: 'cursor, 404, signature…' },
];

const listChangedPoints = (items: readonly ChoiceRow[]) => items.filter(({ answer, ours }) => answer !== ours);

const drawChoices = (context: Context, items: readonly ChoiceRow[]) => {
  const marks = countTouches(context.instance);
  const touchOf = ({ name }: ChoiceRow) => marks.get(name as ChoiceId);
  const lists: Readonly<Record<(typeof POINT_TABS)[number], readonly ChoiceRow[]>> = {
    all: items,
    touched: items.filter((point) => touchOf(point) !== undefined),
    changed: listChangedPoints(items),
  };
  const shown = POINT_TABS.find((name) => name === context.query('show')) ?? 'all';
  const find = context.query('find')?.trim() ?? '';
  const listed = lists[shown].filter((point) => pointFits(point, find));
  const tabs = POINT_TABS.map((name) => ({
    label: name,
    count: lists[name].length,
    current: shown === name,
    to: context.href(CHOICES_PATH, { show: name === 'all' ? undefined : name, find }),
  }));
  const kept = { show: shown === 'all' ? undefined : shown };
  const none = (
    <Card>
      <Empty title="No open point fits">
        Choose an option, or send a request that involves an open point. <a href={context.href(CHOICES_PATH)}>Show all</a>
      </Empty>
    </Card>
  );
  return [
    <Tabs label="Open points" tabs={tabs} />,
    <FilterForm context={context} label="Find open points" kept={kept} fields={FIND_POINT_FIELDS} says="Find" />,
    [...new Set(listed.map(({ part }) => part))].map((part) => {
      const points = listed.filter((point) => point.part === part);
      return (
        <Card title={part} says={countWords(points.length, 'open point')}>
          {points.map((point) => (
            <PointSection point={point} touch={touchOf(point)} context={context} />
          ))}
        </Card>
      );
    }),
    listed.length === 0 && none,
  ];
};

export const choicesPage: DashboardPage<readonly ChoiceRow[]> = {
  id: 'choices',
  path: CHOICES_PATH,
  title: 'Open points',
  nav: { label: 'Open points', icon: 'choices', key: 'p', group: 'Behaviour' },
  live: ['request', 'delivery', 'state'],
  examples: {
    choices: CHOICES_PATH,
    'choices-touched': `${CHOICES_PATH}?show=touched`,
    'choices-changed': `${CHOICES_PATH}?show=changed`,
    'choices-found': `${CHOICES_PATH}?find=cursor`,
  },
  load: async (context) => (await context.call('getChoices')).items,
  says: () =>
    'Points that the spec leaves open: a client must work with every option. Choose another one and see whether yours does. Touched are those that your traffic involves.',
  side: (context, items) =>
    listChangedPoints(items).length > 0 && (
      <Confirm context={context} action="defaults" ask="All defaults…" button="Back to the defaults">
        {listChangedPoints(items).length} of them have another choice than the default.
      </Confirm>
    ),
  parts: [drawChoices],
  actions: {
    choose: async (context, form) => {
      const name = form.get('name') ?? '';
      const choice = form.get('choice') ?? '';
      await context.call('setChoices', { body: { [name]: choice } });
      const says = (CHOICES[name as ChoiceId]?.options as Readonly<Record<string, string>> | undefined)?.[choice];
      return { to: `${context.here()}#point-${name}`, says: `${name} is ${choice} now: ${says}.` };
    },
    defaults: async (context) => {
      const { items } = await context.call('getChoices');
      const changed = listChangedPoints(items);
      if (changed.length > 0)
        await context.call('setChoices', { body: Object.fromEntries(changed.map(({ name, ours }) => [name, ours])) });
      return { says: 'Every open point has its default choice.' };
    },
  },
};
