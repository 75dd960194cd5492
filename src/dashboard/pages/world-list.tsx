// The worlds: which test each is for, its outcome and its requests; a search, a form that opens one, deletion.
import type { Instance } from '../../mock/control/instance.ts';
import { slug } from '../../mock/seed/seed-context.ts';
import { realNow } from '../../service/world/time.ts';
import type { Context } from '../context.ts';
import { BarForm, Confirm, type FieldRow, FilterForm, offerAny } from '../fields.tsx';
import { type Action, type DashboardPage, makeCallAction } from '../page.ts';
import { Card, Chip, Empty, formatNumber, Link, LinkButton, Muted } from '../parts.tsx';
import { type Column, TableCard } from '../table.tsx';
import { distance } from '../times.ts';

const MAX_WORLD_ROWS = 200;
const MAX_SNAPSHOT_OPTIONS = 50;
const WORLDS_PATH = '/dashboard/worlds';

const WorldOutcome = ({ of: { about, opened } }: { of: Instance }) => {
  if (about.outcome) return <Chip tone={about.outcome === 'passed' ? 'good' : 'bad'}>{about.outcome}</Chip>;
  const refused = opened?.journal.all().filter(({ response, aborted }) => aborted || response.status >= 400).length ?? 0;
  return refused > 0 ? <Chip tone="refused">{refused} refused</Chip> : <Muted>—</Muted>;
};

const formatAge = (at: number): string => (realNow() - at < 60_000 ? 'just now' : distance(at, realNow()));

const buildWorldColumns = (context: Context): readonly Column<Instance>[] => [
  [
    'World',
    ({ id, about }) => [
      <Link to={id === context.host.main.id ? '/' : `/worlds/${id}/`} says={about.title ?? id} />,
      ' ',
      id === context.instance.id ? <Chip tone="info">this one</Chip> : null,
      about.title ? <span class="under">{id}</span> : null,
    ],
  ],
  ['Outcome', (of) => <WorldOutcome of={of} />, 'nowrap'],
  ['Requests', ({ opened }) => formatNumber(opened ? opened.journal.next - 1 : 0), 'number'],
  ['Opened', ({ since }) => formatAge(since), 'nowrap'],
  ['Last asked', ({ lastUsed }) => formatAge(lastUsed), 'nowrap'],
  [
    '',
    ({ id }) =>
      context.host.get(id) ? (
        <Confirm context={context} action="deleteWorld" hidden={{ id }} ask="Delete…" button={`Delete ${id}`} small>
          It is gone with all it holds.
        </Confirm>
      ) : id === context.host.main.id ? null : (
        <LinkButton to={`/worlds/${id}/_mock/repro`} says="Repro file" download={`${id}.wm.json`} />
      ),
    'end',
  ],
];

const drawOpenWorld = (context: Context) => {
  const snapshots = [...context.instance.snapshots.keys()].slice(-MAX_SNAPSHOT_OPTIONS);
  const origins = [['current', 'the state as it is'], ['seed', 'the seed'], ...snapshots] as const;
  const fields: readonly FieldRow[] = [
    WORLD_NAME_FIELD,
    { name: 'from', label: 'Copied from', value: 'current', options: origins },
  ];
  return (
    <Card title="Open a world" says="A copy of this one, beside it." id="open-world">
      <BarForm context={context} action="createWorld" fields={fields} says="Open a world">
        <label class="check">
          <input type="checkbox" name="mint_keys" value="yes" checked={context.asked.failure?.form.has('mint_keys')} /> Keys of
          its own
        </label>
      </BarForm>
    </Card>
  );
};

export const WORLD_NAME_FIELD: FieldRow = { name: 'id', label: 'Name', placeholder: 'made for you' };

const listKeys = (keys: readonly { scope: string; value: string }[]): string =>
  keys.map(({ scope, value }) => `${scope} ${value}`).join('\n');

/** Any name will do: what is no id becomes one, and is the title. */
const readName = (name: string) =>
  /^[\w.-]*$/.test(name) ? { id: name || undefined } : { id: slug(name).slice(0, 64) || undefined, title: name };

/** The worlds that worlds opened here are copies of. */
export const PARENTS = new WeakMap<Instance, Instance>();

/** An action that opens a world and leads to a page of it. @param more what the form says of it besides its name */
export const createOpenAction = (
  says: (id: string, context: Context, form: URLSearchParams) => string,
  more: (form: URLSearchParams) => object = () => ({ from: 'current' }),
  path = '',
): Action =>
  makeCallAction(
    'createWorld',
    ({ id, keys = [] }, { context, form }) => {
      const made = context.host.get(id);
      if (made) PARENTS.set(made, context.instance);
      const once = form.has('mint_keys') && { once: { label: 'Its own keys, shown this once:', value: listKeys(keys) } };
      return { to: `/worlds/${id}/${path}`, says: says(id, context, form), ...once };
    },
    (form) => ({ body: { ...readName(form.get('id')?.trim() ?? ''), ...more(form) } }),
  );

const FIND_FIELDS: readonly FieldRow[] = [
  { name: 'q', label: 'Find a world', placeholder: 'Title of its test, or id', searches: true, width: 'grow' },
  { name: 'outcome', label: 'Outcome', options: offerAny(['passed', 'failed']) },
];

const drawWorlds = (context: Context) => {
  const wanted = (context.query('q') ?? '').trim().toLowerCase();
  const outcome = context.query('outcome');
  const fits = ({ id, about }: Instance) =>
    `${id} ${about.title ?? ''}`.toLowerCase().includes(wanted) && (outcome === undefined || about.outcome === outcome);
  return (
    <TableCard
      label="Worlds"
      live="worlds"
      columns={buildWorldColumns(context)}
      rows={context.host.all().filter(fits)}
      most={MAX_WORLD_ROWS}
      rest="more: search for them."
    >
      <Empty title="No world fits">
        None has these words. <a href={context.href(WORLDS_PATH)}>Show all</a>
      </Empty>
    </TableCard>
  );
};

export const worldsPage: DashboardPage = {
  id: 'worlds',
  path: WORLDS_PATH,
  title: 'Worlds',
  nav: { label: 'Worlds', icon: 'world', key: 'x', group: 'Service' },
  live: [],
  examples: { worlds: WORLDS_PATH },
  says: () => 'Isolated copies, each with its own data, clock, limits and journal: one for each test, or one to play in.',
  parts: [(context) => <FilterForm context={context} label="Find worlds" fields={FIND_FIELDS} />, drawWorlds, drawOpenWorld],
  actions: {
    createWorld: createOpenAction(
      (id) => `This is ${id}, a world of its own.`,
      (form) => ({ from: form.get('from') ?? 'current', mint_keys: form.has('mint_keys') }),
    ),
    deleteWorld: makeCallAction('deleteWorld', (_, { about, context }) => ({
      to: about === context.instance.id ? WORLDS_PATH : context.here(),
      says: `${about} is deleted.`,
    })),
  },
};
