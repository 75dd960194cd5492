// Two cards of the overview: the state as a whole, and the worlds.
import type { Context } from '../context.ts';
import { Confirm, Do, Field, Form, Hidden } from '../fields.tsx';
import { Card, Chip, Mono } from '../parts.tsx';

/** So many snapshots and worlds are listed. */
const MOST_WORLDS = 50;

/** Snapshots, the seed and the way back to it. */
export const State = ({ context }: { context: Context }) => {
  const snapshots = context.instance.snapshots.slice(-MOST_WORLDS);
  return (
    <Card
      title="State"
      says="Try something, then go back."
      id="state"
      side={
        <Form context={context} inline label="Snapshot">
          <Do action="snapshot">Snapshot</Do>
        </Form>
      }
    >
      {snapshots.length > 0 ? (
        <ul class="list">
          {snapshots.map((id) => (
            <li>
              <span class="mono">{id}</span>
              <span class="actions">
                <Form context={context} inline label={`Snapshot ${id}`}>
                  <Hidden values={{ id }} />
                  <Do action="restore" label={`Restore ${id}`}>
                    Restore
                  </Do>
                  <Do action="forget" kind="quiet" label={`Forget ${id}`}>
                    Forget
                  </Do>
                </Form>
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p class="muted">No snapshots yet. One holds data, clock, limits, journal and deliveries, and costs next to nothing.</p>
      )}
      <div class="actions">
        <a class="button" href={context.href('/_mock/state', { format: 'yaml' })} download="wm-mock.yaml">
          Export seed (YAML)
        </a>
        <a class="button" href={context.href('/_mock/state', { format: 'json' })} download="wm-mock.json">
          JSON
        </a>
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

/** The worlds beside the default one, and the form that opens another. */
export const Worlds = ({ context }: { context: Context }) => {
  const { host, instance } = context;
  const others = host.list();
  const form = context.form('createWorld');
  return (
    <Card
      title="Worlds"
      says="Isolated copies, each with its own data, clock, limits and journal: one for each test, or one to play in."
      id="worlds"
    >
      {others.length > 0 ? (
        <ul class="list" id="world-list" data-live="">
          {others.slice(0, MOST_WORLDS).map((one) => (
            <li data-row={one.id}>
              <span>
                <a class="link" href={`/worlds/${one.id}/`}>
                  {one.id}
                </a>{' '}
                {one === instance ? <Chip tone="info">this one</Chip> : null}{' '}
                <Mono text={`${context.url.origin}/worlds/${one.id}/v1`} copy />
              </span>
              <Confirm
                ask="Delete…"
                says="It is gone with all it holds."
                context={context}
                action="deleteWorld"
                hidden={{ id: one.id }}
                button={`Delete ${one.id}`}
              />
            </li>
          ))}
        </ul>
      ) : (
        <p class="muted">There is only the default world.</p>
      )}
      {others.length > MOST_WORLDS ? (
        <p class="muted">And {others.length - MOST_WORLDS} more: GET /_mock/worlds lists them.</p>
      ) : null}
      <Form context={context} label="Open a world">
        <div class="bar">
          <Field form={form} name="id" label="Name" placeholder="made for you" />
          <Field
            form={form}
            name="from"
            label="Copied from"
            value="current"
            options={[
              ['current', 'the state as it is'],
              ['seed', 'the seed'],
              ...context.instance.snapshots.slice(-MOST_WORLDS).map((id) => [id, id] as const),
            ]}
          />
          <label class="check">
            <input type="checkbox" name="mint_keys" value="yes" /> Keys of its own
          </label>
          <Do action="createWorld">Open a world</Do>
        </div>
      </Form>
    </Card>
  );
};
