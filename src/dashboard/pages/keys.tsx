// The API keys of a workspace: the card of the settings that makes and revokes them.
import { SCOPES } from '../../contract/states.ts';
import type { KeyRecord } from '../../world/records.ts';
import type { Context } from '../context.ts';
import { Person, Word } from '../data/cells.tsx';
import { NEWEST, offered, short } from '../data/collection.ts';
import { BarForm, Confirm, type FieldRow } from '../fields.tsx';
import { Card, Chip, Rest, Time } from '../parts.tsx';
import { type Column, Table } from '../table.tsx';

const MOST_KEYS = 100;

const columnsOf = (context: Context): readonly Column<KeyRecord>[] => [
  ['Name', ({ name }) => short(name, 60)],
  ['Scope', ({ scope }) => <Word word={scope} />],
  ['Whose', ({ user_id }) => <Person id={user_id} context={context} />],
  ['Created', ({ created_at }) => <Time at={created_at} context={context} />, 'nowrap'],
  ['Last used', ({ id }) => <Time at={context.world.lastUsed.get(id)} context={context} />, 'nowrap'],
  ['', (key) => (key.revoked ? <Chip tone="bad">revoked</Chip> : <Revoke of={key} context={context} />), 'end'],
];

const Revoke = ({ of: { id, name }, context }: { of: KeyRecord; context: Context }) => (
  <Confirm
    ask={
      <>
        Revoke…<span class="hidden"> {short(name, 60)}</span>
      </>
    }
    says="Requests with it get 401 from now on."
    context={context}
    action="revokeKey"
    hidden={{ id }}
    button="Revoke"
    small
  />
);

/** Makes keys, lists the newest, revokes them. */
export const Keys = ({ context }: { context: Context }) => {
  const { world, workspace } = context;
  const list = world.store.keys.list(NEWEST, workspace.id, []);
  const members = offered(context, 'users');
  const fields: readonly FieldRow[] = [
    { name: 'name', label: 'Name', placeholder: 'What it is for', grow: true },
    { name: 'scope', label: 'Scope', options: SCOPES, value: 'read' },
    { name: 'user_id', label: 'Whose', ...(members ? { options: members } : { placeholder: 'The id of a member' }) },
  ];
  const keys = list.rows(0, MOST_KEYS).map(({ value }) => value);
  return (
    <Card
      title="API keys"
      says="A key belongs to one workspace and has one scope. Its value is shown once, when it is made; a lost key is revoked and replaced."
      flush
      id="keys"
    >
      <div class="pad">
        <BarForm context={context} action="createKey" label="New key" fields={fields} says="New key" kind="primary" />
      </div>
      <div id="key-list" data-live="">
        <Table
          label="API keys"
          columns={columnsOf(context)}
          rows={keys}
          id={({ id }) => id}
          kind={({ revoked }) => (revoked ? 'gone' : undefined)}
          heading={0}
        />
      </div>
      <Rest of={list.total} shown={MOST_KEYS} says="older ones." />
    </Card>
  );
};
