// Open points: what the spec leaves open, how this mock answers, why, and where the traffic has to do with it.
import { CHOICES, type ChoiceId } from '../../contract/choices.ts';
import type { ControlAnswer } from '../../control/invoke.ts';
import type { Context } from '../context.ts';
import { Confirm, Hidden } from '../fields.tsx';
import type { Page } from '../page.ts';
import { Card, Chip, Empty, PageHead, Tabs } from '../parts.tsx';
import { Words } from '../traffic-parts.tsx';
import { type Touch, touches } from './choices-touched.ts';

const PATH = '/dashboard/choices';

type Point = ControlAnswer<'getChoices'>['items'][number];
type Shown = 'all' | 'touched' | 'changed';

const counted = (number: number, one: string, many = `${one}s`): string[] =>
  number === 0 ? [] : [`${number.toLocaleString('en')} ${number === 1 ? one : many}`];

const Mark = ({ touch, context }: { touch: Touch | undefined; context: Context }) => {
  if (!touch) return null;
  const says = [...counted(touch.requests, 'request'), ...counted(touch.deliveries, 'delivery', 'deliveries')].join(' and ');
  return touch.last === undefined ? (
    <Chip tone="info">touched by {says}</Chip>
  ) : (
    <a class="chip info" href={context.href(`/dashboard/requests/req_${touch.last}`)} title={`The last was req_${touch.last}`}>
      touched by {says}
    </a>
  );
};

const One = ({ point, touch, context }: { point: Point; touch: Touch | undefined; context: Context }) => {
  const { name, question, part, options, ours, because, answer } = point;
  return (
    <section class="choice" id={`point-${name}`} aria-labelledby={`q-${name}`}>
      <div class="choice-head">
        <h3 id={`q-${name}`}>
          <Words text={question} />
        </h3>
        <span class="chips" id={`marks-${name}`} data-live="">
          {answer === ours ? null : <Chip tone="warn">not the default</Chip>}
          <Mark touch={touch} context={context} />
        </span>
      </div>
      <p class="choice-name">
        <code>{name}</code> · spec: {part}
      </p>
      <form method="post" action={context.here()} class="options" data-quick="" id={`options-${name}`} data-live="">
        <Hidden values={{ do: 'answer', name }} />
        {Object.entries(options).map(([value, says]) => (
          <button type="submit" name="answer" value={value} class="option" aria-pressed={value === answer ? 'true' : 'false'}>
            <span class="option-name">
              {value}
              {value === ours ? <span class="option-ours"> default</span> : null}
            </span>
            <span class="option-says">
              <Words text={String(says)} />
            </span>
          </button>
        ))}
      </form>
      <p class="hint">
        Why <code>{ours}</code>: <Words text={because} />
      </p>
    </section>
  );
};

const fits = ({ name, question, part, options }: Point, text: string): boolean =>
  `${name} ${question} ${part} ${Object.entries(options).flat().join(' ')}`.toLowerCase().includes(text.toLowerCase());

const Search = ({ context, shown }: { context: Context; shown: Shown }) => (
  <form method="get" action={context.href(PATH)} class="row" aria-label="Find open points">
    {shown === 'all' ? null : <Hidden values={{ show: shown }} />}
    <label for="find-point" class="hidden">
      Find an open point
    </label>
    <input
      id="find-point"
      name="find"
      type="search"
      value={context.query('find') ?? ''}
      placeholder="Find: cursor, 404, signature…"
      data-search=""
    />
    <button type="submit" class="button">
      Find
    </button>
  </form>
);

const Choices = async ({ context }: { context: Context }) => {
  const { items } = await context.call('getChoices');
  const marks = touches(context.instance);
  const touchOf = ({ name }: Point) => marks.get(name as ChoiceId);
  const wanted = context.query('show');
  const shown: Shown = wanted === 'touched' || wanted === 'changed' ? wanted : 'all';
  const find = context.query('find')?.trim() ?? '';
  const changed = items.filter(({ answer, ours }) => answer !== ours);
  const touched = items.filter((point) => touchOf(point) !== undefined);
  const listed = (shown === 'changed' ? changed : shown === 'touched' ? touched : items).filter((point) => fits(point, find));
  const parts = [...new Set(listed.map(({ part }) => part))];
  const tab = (label: string, show: Shown, count: number) => ({
    label,
    count,
    current: shown === show,
    to: context.href(PATH, { show: show === 'all' ? undefined : show, find }),
  });
  return (
    <>
      <PageHead
        title="Open points"
        says="The spec leaves these open: a client must live with any of the answers. Switch one and see whether yours does. Touched are those that your traffic has to do with."
      >
        {changed.length > 0 ? (
          <Confirm
            ask="All defaults…"
            says={`${changed.length} of them are answered otherwise now.`}
            context={context}
            action="defaults"
            button="Back to the defaults"
          />
        ) : null}
      </PageHead>
      <Tabs
        label="Open points"
        tabs={[
          tab('All', 'all', items.length),
          tab('Touched', 'touched', touched.length),
          tab('Changed', 'changed', changed.length),
        ]}
      />
      <Search context={context} shown={shown} />
      {parts.map((part) => (
        <Card title={part} says={`${listed.filter((point) => point.part === part).length} open points`}>
          {listed
            .filter((point) => point.part === part)
            .map((point) => (
              <One point={point} touch={touchOf(point)} context={context} />
            ))}
        </Card>
      ))}
      {listed.length === 0 ? (
        <Card>
          <Empty
            title={
              find === '' ? (shown === 'changed' ? 'Every answer is the default' : 'Nothing touched yet') : 'No open point fits'
            }
          >
            {shown === 'touched' && find === ''
              ? 'When a request or a delivery has to do with an open point, it is listed here. '
              : shown === 'changed' && find === ''
                ? 'Switch an answer, start with --choice, or take the answers that a contract run against the real service has written. '
                : 'None of them speaks of that. '}
            <a href={context.href(PATH)}>Show all</a>
          </Empty>
        </Card>
      ) : null}
    </>
  );
};

export const choices: Page = {
  id: 'choices',
  path: PATH,
  title: 'Open points',
  nav: { label: 'Open points', icon: 'choices', key: 'p', group: 'Behaviour' },
  live: ['request', 'delivery', 'state'],
  examples: {
    choices: PATH,
    'choices-touched': `${PATH}?show=touched`,
    'choices-changed': `${PATH}?show=changed`,
    'choices-found': `${PATH}?find=cursor`,
  },
  render: (context) => Choices({ context }),
  actions: {
    answer: async (context, form) => {
      const name = form.get('name') ?? '';
      const answer = form.get('answer') ?? '';
      await context.call('setChoices', { body: { [name]: answer } });
      const says = (CHOICES[name as ChoiceId]?.options as Readonly<Record<string, string>> | undefined)?.[answer];
      return { to: `${context.here()}#point-${name}`, says: `${name} is ${answer} now: ${says}.` };
    },
    defaults: async (context) => {
      const { items } = await context.call('getChoices');
      const changed = items.filter(({ answer, ours }) => answer !== ours);
      if (changed.length > 0)
        await context.call('setChoices', { body: Object.fromEntries(changed.map(({ name, ours }) => [name, ours])) });
      return { says: 'Every open point is answered as by default.' };
    },
  },
};
