// Two cards: the state as a whole, and the form that opens a world.
import { type Budget, MEGABYTE } from '../../control/budget.ts';
import type { Context } from '../context.ts';
import { BarForm, Confirm, Do, type FieldRow, Form } from '../fields.tsx';
import { Gauge } from '../gauge.tsx';
import { type Action, calling } from '../page.ts';
import { Card, LinkButton } from '../parts.tsx';

/** So many snapshots are listed. */
const MOST_SNAPSHOTS = 50;

const inMegabytes = (bytes: number): string => (bytes / MEGABYTE).toLocaleString('en', { maximumFractionDigits: 1 });

/** What is left of what a mock may keep beyond its seed, and what uses the rest. */
const Memory = ({ budget }: { budget: Budget }) => {
  const use = Object.entries(budget.use()).filter(([, bytes]) => bytes >= MEGABYTE / 20);
  const { limit } = budget;
  const remaining = Math.max(0, limit - budget.used);
  return (
    <p class="row" id="memory" data-live="">
      <span class="wide-gauge">
        <Gauge spent={{ limit, remaining }} />
      </span>
      {inMegabytes(remaining)} of {inMegabytes(limit)} MB of the memory budget left
      {use.length > 0 ? (
        <span class="muted">{use.map(([name, bytes]) => `${name} ${inMegabytes(bytes)}`).join(', ')}</span>
      ) : null}
    </p>
  );
};

/** Snapshots, the seed and the way back to it. */
export const State = ({ context }: { context: Context }) => {
  const snapshots = context.instance.snapshots.slice(-MOST_SNAPSHOTS);
  const exported = (format: string) => context.href('/_mock/state', { format });
  return (
    <Card
      title="State"
      says="Try something, then go back."
      id="state"
      side={
        <Form context={context} inline label="Snapshot">
          <Do action="snapshot" says="Snapshot" />
        </Form>
      }
    >
      {snapshots.length > 0 ? (
        <ul class="list">
          {snapshots.map((id) => (
            <li>
              <span class="mono">{id}</span>
              <span class="actions">
                <Form context={context} inline label={`Snapshot ${id}`} hidden={{ id }}>
                  <Do action="restore" says="Restore" label={`Restore ${id}`} />
                  <Do action="forget" says="Forget" kind="quiet" label={`Forget ${id}`} />
                </Form>
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p class="muted">No snapshots yet. One holds data, clock, limits, journal and deliveries, and costs next to nothing.</p>
      )}
      <Memory budget={context.host.budget} />
      <div class="actions">
        <LinkButton to={exported('yaml')} says="Export seed (YAML)" download="wm-mock.yaml" />
        <LinkButton to={exported('json')} says="JSON" download="wm-mock.json" />
        <LinkButton to={context.href('/_mock/har')} says="HAR" download="wm-mock.har" />
        {context.host.options.recording ? (
          <LinkButton to={context.href('/_mock/repro')} says="Save for a bug report" download="bug.wm.json" />
        ) : null}
        <Confirm
          ask="Reset to seed…"
          says="Everything since the start is lost: data, clock, faults, journal."
          context={context}
          action="reset"
          button="Reset to seed"
        />
      </div>
    </Card>
  );
};

/** The form that opens another world. */
export const Open = ({ context }: { context: Context }) => {
  const origins = [['current', 'the state as it is'] as const, ['seed', 'the seed'] as const];
  const fields: readonly FieldRow[] = [
    NAME,
    {
      name: 'from',
      label: 'Copied from',
      value: 'current',
      options: [...origins, ...context.instance.snapshots.slice(-MOST_SNAPSHOTS)],
    },
  ];
  return (
    <Card title="Open a world" says="A copy of this one, beside it." id="open-world">
      <BarForm context={context} action="createWorld" label="Open a world" fields={fields} says="Open a world">
        <label class="check">
          <input type="checkbox" name="mint_keys" value="yes" /> Keys of its own
        </label>
      </BarForm>
    </Card>
  );
};

/** The field that names a new world. */
export const NAME: FieldRow = { name: 'id', label: 'Name', placeholder: 'made for you' };

/** An action that opens a world and leads there. @param more what the form says of it besides its name */
export const opening = (
  says: (id: string, context: Context) => string,
  more: (form: URLSearchParams) => object = () => ({ from: 'current' }),
): Action =>
  calling(
    'createWorld',
    ({ id }, { context }) => ({ to: `/worlds/${id}/`, says: says(id, context) }),
    (form) => ({ body: { id: form.get('id')?.trim() || undefined, ...more(form) } }),
  );

/** The action of that form. */
export const createWorld = opening(
  (id) => `This is ${id}, a world of its own.`,
  (form) => ({ from: form.get('from') ?? 'current', mint_keys: form.get('mint_keys') === 'yes' }),
);
